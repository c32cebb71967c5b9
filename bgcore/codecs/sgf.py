"""Matches saved by GNU Backgammon as Smart Game Format (``.sgf``, ``GM[6]``).

Every game is a tree whose root says length, scores, players, rules and result; its nodes are rolls with their moves
(``W[65xrrm]``, letters for points, ``y`` the bar, ``z`` off), ``W[double]``, ``B[take]``, ``B[drop]``, or a roll that
was not played (``PL[B]DI[32]``). White is player 0. Points are letters from white's ace point up, for both players.

Lost when reading: analysis, comments on moves, statistics, clocks, the charset's name; only the main line of a tree is
followed. Refused: other games than backgammon, positions set up by hand, beavers. There is no writer: write ``.mat``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bgcore.codecs.lines import Source, reason
from bgcore.codecs.match import Game, Irregularity, Match
from bgcore.codecs.replay import Replay
from bgcore.errors import ArgumentError, BgcoreError, NotationError, UnsupportedError, short
from bgcore.rules import Rules

DEEPEST: Final = 64
KEPT: Final = ("EV", "RO", "DT", "PC", "AN", "GC", "AP")
_VALUE: Final = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)  # possessive: remembers no way back, however long
_NAME: Final = re.compile(r"[A-Za-z]{1,8}")
_ROLL: Final = re.compile(r"([1-6])([1-6])((?:[a-y][a-z]){0,4})")
_RESULT: Final = re.compile(r"([WB])\+([0-9]{1,6})(R?)")


@dataclass(slots=True)
class Node:
    """One node: the line it starts on and its properties."""

    line: int
    properties: dict[str, list[str]] = field(default_factory=dict)

    def first(self, name: str, default: str = "") -> str:
        """Return the first value of a property."""
        return self.properties.get(name, [default])[0]


def parse_trees(text: str) -> Iterator[list[Node]]:
    """Yield the main line of every game tree of an SGF text.

    Raises
    ------
    NotationError
        If the text is not SGF, by line.
    """
    at, depth, line = 0, 0, 1
    nodes: list[Node] = []
    closed_at = DEEPEST + 1  # variations behind the first one of a tree are left aside
    name_of_values = ""
    while at < len(text):
        letter = text[at]
        if letter == "\n":
            line += 1
        elif letter == "(":
            depth += 1
            if depth > DEEPEST:
                raise NotationError(f"line {line}: game trees nested deeper than {DEEPEST}")
        elif letter == ")":
            if depth == 0:
                raise NotationError(f"line {line}: a closing bracket without an opening one")
            closed_at = min(closed_at, depth)
            depth -= 1
            if depth == 0:
                yield nodes
                nodes, closed_at = [], DEEPEST + 1
            name_of_values = ""
        elif depth == 0:
            if not letter.isspace():
                raise NotationError(f"line {line}: {text[at : at + 20]!r} stands outside all game trees")
        elif letter == ";":
            if depth < closed_at:
                nodes.append(Node(line))
            name_of_values = ""
        elif letter == "[":
            value = _VALUE.match(text, at)
            if value is None or not name_of_values or not nodes:
                raise NotationError(f"line {line}: a value without a property, or without its closing bracket")
            if depth < closed_at:
                values = nodes[-1].properties.setdefault(name_of_values, [])
                values.append(re.sub(r"\\(.)", r"\1", value[1], flags=re.DOTALL))
            line += value[0].count("\n")
            at = value.end()
            continue
        elif not letter.isspace():
            name = _NAME.match(text, at)
            if name is None:
                raise NotationError(f"line {line}: {letter!r} is no property")
            name_of_values = name[0]
            at = name.end()
            continue
        at += 1
    if depth:
        raise NotationError(f"line {line}: the text ends inside a game tree")


def _written(letters: str, player: int) -> str:
    """Turn pairs of letters into the words of a play."""

    def point(letter: str) -> str:
        if letter == "y":
            return "bar"
        if letter == "z":
            return "off"
        number = ord(letter) - ord("a") + 1
        return str(number if player == 0 else 25 - number)

    return " ".join(f"{point(letters[at])}/{point(letters[at + 1])}" for at in range(0, len(letters), 2))


def _number(root: Node, values: dict[str, str], name: str) -> int:
    text = values.get(name, "0")
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise NotationError(f"line {root.line}: MI[{name}:...] is a whole number, not {text[:20]!r}")
    return int(text)


class _Reader:
    """Reads the games of one file."""

    def __init__(self, source: str, is_strict: bool) -> None:
        self.source = source
        self.is_strict = is_strict

    def match(self, text: str, encoding: str) -> Match:
        games: list[Game] = []
        irregularities: list[Irregularity] = []
        headers: list[tuple[str, str]] = []
        length, rules, use_crawford = 0, Rules(cube_limit=None), True
        for tree in parse_trees(text):
            if not tree or tree[0].first("GM") != "6":
                where = tree[0].line if tree else 1
                raise UnsupportedError(f"line {where}: GM[6] is backgammon, and only that is read")
            root = tree[0]
            stated = dict(value.split(":", 1) for value in root.properties.get("MI", []) if ":" in value)
            words = root.first("RU").split(":") if "RU" in root.properties else []
            if not games:
                length = _number(root, stated, "length")
                use_crawford = "Crawford" in words
                rules = Rules(jacoby="Jacoby" in words and not length, cube_limit=None)
                headers = [(name, root.first(name)) for name in KEPT if name in root.properties]
            elif _number(root, stated, "length") != length:
                raise NotationError(f"line {root.line}: a game of another match: read the parts one by one")
            if any(word.lower().startswith(("nack", "hyper")) for word in words):
                raise UnsupportedError(f"line {root.line}: only standard backgammon is supported, not {words!r}")
            games.append(self._game(tree, stated, words, length, rules))
            irregularities += games[-1].irregularities
        return Match(
            length=length,
            games=tuple(games),
            headers=tuple(headers),
            rules=rules,
            stated=frozenset({"jacoby", "crawford"}),
            use_crawford=use_crawford,
            irregularities=tuple(irregularities),
            encoding=encoding,
            source=self.source,
        )

    def _game(self, tree: list[Node], stated: dict[str, str], words: list[str], length: int, rules: Rules) -> Game:
        root = tree[0]
        score = _number(root, stated, "ws"), _number(root, stated, "bs")
        one_away = [length - points == 1 for points in score]
        is_crawford = "CrawfordGame" in words
        replay = Replay(
            _number(root, stated, "game") + 1,
            root.line,
            (root.first("PW"), root.first("PB")),
            score,
            length,
            rules,
            is_crawford and one_away[0] != one_away[1],
            is_jacoby_known=True,
        )
        if is_crawford and one_away[0] == one_away[1]:
            replay.note(root.line, "crawford-score", f"a Crawford game at {score[0]}-{score[1]} to {length}")
        for node in tree:
            try:
                self._node(replay, node)
            except (NotationError, UnsupportedError) as error:
                if self.is_strict:
                    raise type(error)(f"line {node.line}: {error}") from None
                replay.unread(node.line, str(node.properties)[:200], str(error))
        result = _RESULT.fullmatch(root.first("RE"))
        if result is not None:
            replay.win("WB".index(result[1]), int(result[2]), root.line)
        elif root.first("RE") not in ("", "Void", "?"):
            replay.note(root.line, "result", f"{root.first('RE')!r} is no result such as W+2 or B+1R")
        return replay.game(tree[-1].line)

    def _node(self, replay: Replay, node: Node) -> None:
        for name in ("AW", "AB", "AE", "CV", "CP"):
            if name in node.properties:
                raise UnsupportedError(f"{name} sets a position or cube up by hand, which is not supported")
        for name, player in (("W", 0), ("B", 1)):
            for value in node.properties.get(name, ()):
                self._action(replay, player, value, node.line)
        if "DI" in node.properties:
            dice = re.fullmatch(r"([1-6])([1-6])", node.first("DI"))
            mover = node.first("PL")
            if dice is None or mover not in ("W", "B"):
                raise NotationError(f"DI[{node.first('DI')[:10]}] with PL[{mover[:10]}] is no roll of a player")
            replay.roll("WB".index(mover), (int(dice[1]), int(dice[2])), "", node.line)

    def _action(self, replay: Replay, player: int, value: str, line: int) -> None:
        roll = _ROLL.fullmatch(value)
        if roll is not None:
            # gnubg writes a roll without moves only when nothing could be moved.
            written = _written(roll[3], player) or "Cannot Move"
            replay.roll(player, (int(roll[1]), int(roll[2])), written, line)
        elif value == "double":
            if replay.is_doubled_by(1 - player):
                raise UnsupportedError("records with beavers are not supported")
            replay.double(player, None, line)
        elif value in ("take", "drop"):
            replay.answer(player, value, line)
        else:
            raise NotationError(f"{value[:20]!r} is neither a roll with its moves nor a cube action")


def read_sgf(source: Source, *, strict: bool = True) -> Match:
    """Read a match saved by gnubg as SGF.

    Parameters
    ----------
    source : path, text, bytes or open file
        A ``str`` that starts with ``(;`` is the text itself, any other is a path.
    strict : bool
        Whether a node that cannot be understood is an error; see :func:`read_mat`.

    Returns
    -------
    Match
        With everything irregular about it listed, by the line where its node starts.

    Raises
    ------
    NotationError
        If the file cannot be opened or is no SGF, and for a node that cannot be understood, by its line.
    UnsupportedError
        For other games, positions set up by hand, and beavers.
    """
    name = ""
    raw: object
    is_text = isinstance(source, str) and source.lstrip("\ufeff \r\n\t")[:1] in ("", "(")
    if isinstance(source, bytes) or is_text:
        raw = source
    elif isinstance(source, (str, os.PathLike)):
        name = short(Path(source))
        try:
            raw = Path(source).read_bytes()
        except (OSError, ValueError) as error:
            raise NotationError(f"{name}: {reason(error)}") from None
    else:
        if not hasattr(source, "read"):
            raise ArgumentError(f"a record is a path, a text, bytes or an open file, not {type(source).__name__}")
        name = str(getattr(source, "name", ""))
        raw = source.read()
    text, encoding = str(raw), "text"
    if isinstance(raw, bytes):
        encoding = "utf-8"
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            encoding, text = "latin-1", raw.decode("latin-1")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    where = f"{name}: " if name else ""
    if not text.lstrip().startswith("("):
        raise UnsupportedError(f"{where}not an SGF file: it does not start with '(;'")
    try:
        match = _Reader(name, strict).match(text, encoding)
    except BgcoreError as error:
        raise type(error)(f"{where}{error}") from None
    if not match.games:
        raise NotationError(f"{where}no game in the file")
    return match
