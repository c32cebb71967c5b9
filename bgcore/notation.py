"""Plays in words: ``13/8 6/5*``, ``bar/20(2)``, ``24/13``; reading them is tolerant of form, never of meaning.

A written play names paths of checkers. Their order is free, points may have leading zeros, commas may stand
between them, ``25`` is the bar and ``0`` is off, steps of one checker may be merged (``24/13``) or spelt out
(``24/18/13``), a repeated move may carry a count (``6/3(2)``), hit marks may be there or not, and "Pass" and its
kin say nothing. What may not vary is the play: it is matched against the legal plays of the roll, and refused with
the reason if it is none of them, or if it fits several and its hit marks do not tell which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from bgcore._core import Play, Position, legal_plays, plays_written
from bgcore.errors import NotationError, require, shown

_WORD: Final = re.compile(
    r"(?P<points>(?:bar|off|\d{1,3})\*?(?:[/-](?:bar|off|\d{1,3})\*?)+)(?:\((?P<count>[1-4])\)(?P<late>\*?))?",
    re.IGNORECASE,
)
_NOTHING: Final = frozenset({"pass", "passes", "dance", "dances", "fan", "fans", "-", "--"})
_NO_PLAY: Final = re.compile(r"\(?(?:can(?:not|'t| not) move|no (?:legal )?(?:play|move))\)?", re.IGNORECASE)


class Move(NamedTuple):
    """One checker moved by one die, as in :attr:`Play.moves`; 25 is the bar, 0 is off."""

    start: int
    end: int
    is_hit: bool


class Path(NamedTuple):
    """One word of a written play: the points a checker touches and which of them carry a hit mark."""

    points: tuple[int, ...]
    hits: tuple[bool, ...]
    times: int

    @property
    def stretches(self) -> list[tuple[int, int]]:
        """``(start, end)`` of every stretch, once for every checker."""
        return list(pairwise(self.points)) * self.times


def _point(text: str, is_first: bool, is_last: bool, word: str) -> int:
    name = text.lower()
    point = 25 if name == "bar" else 0 if name == "off" else int(name)
    if point > 25:
        raise NotationError(f"{shown(word)}: there is no point {point}; points are 1 to 24, 25 the bar, 0 off")
    if point == 25 and not is_first:
        raise NotationError(f"{shown(word)}: no checker moves to the bar")
    if point == 0 and not is_last:
        raise NotationError(f"{shown(word)}: a checker that is off moves no further")
    return point


def _read_word(word: str) -> Path:
    match = _WORD.fullmatch(word)
    if match is None:
        raise NotationError(f"{word[:40]!r} is not a move such as 13/8, 6/5*, bar/20 or 4/off(2)")
    names = re.split(r"[/-]", match["points"])
    points, hits = [], []
    for index, name in enumerate(names):
        points.append(_point(name.rstrip("*"), index == 0, index == len(names) - 1, word))
        hits.append(name.endswith("*"))
    if match["late"]:
        hits[-1] = True
    if any(end >= start for start, end in pairwise(points)):
        raise NotationError(f"{shown(word)}: checkers move downwards, from 24 to 1 and off")
    if hits[0] or (hits[-1] and points[-1] == 0):
        raise NotationError(f"{shown(word)}: a hit mark belongs to the point where the blot stood")
    return Path(tuple(points), tuple(hits), int(match["count"] or 1))


@lru_cache(maxsize=8192)
def parse_moves(text: str) -> tuple[Path, ...]:
    """Read the words of a written play without looking at a board.

    Parameters
    ----------
    text : str
        Such as ``"8/5*, 06/05"``; words that say that nothing is moved are skipped.

    Returns
    -------
    tuple of Path
        In the order written; empty when the text moves nothing.

    Raises
    ------
    NotationError
        Naming the word that is no move, and why.
    """
    text = _NO_PLAY.sub(" ", text)
    words = [word for word in re.split(r"[\s,;]+", text) if word and word.lower() not in _NOTHING]
    return tuple(_read_word(word) for word in words)


def possible_plays(position: Position, dice: tuple[int, int], paths: Sequence[Path]) -> list[Play]:
    """Return the legal plays that written paths may mean, hit marks aside: none, one, or several.

    A blot on a point that the paths name is hit, marked or not; a blot on a point that they pass over may be.
    """
    stretches = [pair for path in paths for pair in path.stretches]
    plays = plays_written(position, dice[0], dice[1], stretches)
    if len(plays) < 2:
        return plays
    board = position.board
    named = {end for _, end in stretches if end and board[end] == -1}
    hits = [(play, {end for _, end, is_hit in play.moves if is_hit}) for play in plays]
    if any(start - end not in dice and (end or start > max(dice)) for start, end in stretches):
        hits = [(play, hit) for play, hit in hits if hit >= named]
    else:
        hits = [(play, hit) for play, hit in hits if hit == named]
    return [play for play, _ in hits]


def matching_plays(plays: Sequence[Play], paths: Sequence[Path]) -> list[Play]:
    """Return those of several possible plays that hit exactly where the paths carry marks; all of them if none does."""
    if len(plays) < 2:
        return list(plays)
    marked = {point for path in paths for point, is_hit in zip(path.points, path.hits, strict=True) if is_hit}
    exact = [play for play in plays if {end for _, end, is_hit in play.moves if is_hit} == marked]
    return exact or list(plays)


def false_hits(play: Play, paths: Sequence[Path]) -> list[int]:
    """Points that carry a hit mark in the written play although the play hits nothing there."""
    hit = {end for _, end, is_hit in play.moves if is_hit}
    marked = {point for path in paths for point, is_hit in zip(path.points, path.hits, strict=True) if is_hit}
    return sorted(marked - hit, reverse=True)


def parse_play(text: str, position: Position, dice: tuple[int, int]) -> Play | None:
    """Read a written play of a roll.

    Parameters
    ----------
    text : str
        See the top of this module for what may vary.
    position : Position
        Seen by the player who rolled.
    dice : (int, int)
        The roll, in any order.

    Returns
    -------
    Play or None
        The one legal play it means; None when it moves nothing and nothing can be moved.

    Raises
    ------
    NotationError
        If it is not a legal play, with the reason; if it fits several; if it marks a hit that is none.
    DiceError
        If the dice are not two whole numbers from 1 to 6.
    """
    require(text, str, "a written play is text")
    paths = parse_moves(text)
    said = shown(text.strip())
    legal = legal_plays(position, dice)
    if not legal:
        if paths:
            raise NotationError(f"{said}: with {dice[0]}{dice[1]} no checker can be moved, the turn passes")
        return None
    if not paths:
        raise NotationError(f"{said} moves nothing, but {len(legal)} plays of {dice[0]}{dice[1]} are legal")
    plays = matching_plays(possible_plays(position, dice, paths), paths)
    if not plays:
        reason = why_illegal(position, dice, paths)
        raise NotationError(f"{said} is not a legal play of {dice[0]}{dice[1]}: {reason}")
    if len(plays) > 1:
        choices = ", ".join(str(play) for play in plays)
        raise NotationError(f"{said} may mean {choices}: mark the hits, or spell out the steps")
    wrong = false_hits(plays[0], paths)
    if wrong:
        raise NotationError(f"{said} marks a hit on {wrong[0]}, where no blot is hit")
    return plays[0]


def why_illegal(position: Position, dice: tuple[int, int], paths: Sequence[Path]) -> str:
    """Say in words why written paths are no legal play of a roll; for a play that is known to be none."""
    board = position.board.tolist()
    stretches = [pair for path in paths for pair in path.stretches]
    leaving = Counter(start for start, _ in stretches)
    leaving.subtract(end for _, end in stretches if end)
    for start, number in leaving.items():
        if number > max(board[start], 0):
            place = "on the bar" if start == 25 else f"on {start}"
            return f"only {max(board[start], 0)} checkers of the side to move are {place}, and {number} leave it"
    for start, end in stretches:
        if end and board[end] <= -2:
            return f"the opponent holds {end}"
        if not end and any(count > 0 for count in board[7:]) and not _all_come_home(board, stretches):
            return f"{start}/off bears off before all checkers are home"
    entered = sum(1 for start, _ in stretches if start == 25)
    if board[25] > entered and any(start != 25 for start, _ in stretches):
        return f"{board[25]} checkers must enter from the bar before another one moves"
    low, high = sorted(dice)
    for start, end in stretches:
        pips = start - end
        steps = {low, high, low + high} if low != high else {low * times for times in range(1, 5)}
        if end and pips not in steps:
            return f"{start}/{end} is {pips} pips, which {dice[0]}{dice[1]} cannot carry one checker"
    legal = legal_plays(position, dice)
    if not legal:
        return "no checker can be moved"
    most = max(sum(start - end for start, end, _ in play.moves) for play in legal)
    if sum(start - end for start, end in stretches) < most:
        return f"more of the roll can be played, for example {legal[0]}"
    return f"it is none of the {len(legal)} legal plays, for example {legal[0]}"


def _all_come_home(board: list[int], stretches: Sequence[tuple[int, int]]) -> bool:
    after = Counter({slot: count for slot, count in enumerate(board) if slot > 6 and count > 0})
    after.subtract(start for start, _ in stretches if start > 6)
    after.update(end for _, end in stretches if end > 6)
    return not any(after.values())


def format_play(play: Play | None) -> str:
    """Write a play, merged by checker, rear first, with hit marks: ``"24/18*/13"``, ``"bar/20(2)"``, ``"6/off"``.

    None, the play of a roll that cannot be played, is ``"Cannot Move"``. ``parse_play`` reads both back.

    Parameters
    ----------
    play : Play or None
        From `legal_plays` or `parse_play`.
    """
    return "Cannot Move" if play is None else str(play)


def format_steps(play: Play) -> str:
    """Write a play step by step with numbers alone, ``"25/21 6/0"``, as match records of the plainest kind do."""
    return " ".join(f"{start}/{end}{'*' if is_hit else ''}" for start, end, is_hit in play.moves)
