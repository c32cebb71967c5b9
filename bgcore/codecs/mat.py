"""Match files (``.mat``, ``.txt``): the text that Jellyfish, gnubg, eXtreme Gammon and the playing sites write.

What is read: any header, comments anywhere, a byte order mark, UTF-8 or Latin-1, both line ends, tabs, names with
accents, commas, ratings or blanks, ``25/`` or ``Bar/``, ``/0`` or ``/Off``, merged moves, ``(2)``, dice in rolled
order, empty cells, ``Cannot Move``, ``????``, ``Doubles => 2``, ``Takes``, ``Drops``, ``Wins 2 points and the match``,
``Resigned Game``, several matches in one file. Beavers and raccoons are refused as unsupported, by line.

The reader repairs nothing. A play that is not legal stays what the file says and is listed with its line; a file
that is no match file at all is refused. Cells belong to the column under whose name they stand; a ``Wins`` line
alone names the winner by its indent.

Lost when writing: the spacing and spelling of legal plays, and where comments stood; a name that holds a colon and a
number may be read back as a score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from bgcore._core import Play
from bgcore.codecs.lines import FORMATS, Lines, Source
from bgcore.codecs.match import CubeAction, Game, Irregularity, Match, Resignation, Turn, Unread
from bgcore.codecs.replay import Replay
from bgcore.errors import BgcoreError, NotationError, UnsupportedError
from bgcore.notation import format_steps
from bgcore.rules import Rules

_LENGTH: Final = re.compile(r"\s*(?P<length>\d{1,5})[\s-]+points?\s+match\b", re.IGNORECASE)
_MONEY: Final = re.compile(r"\s*(?:unlimited\s+match|money\s+(?:game|match|session|play))\s*$", re.IGNORECASE)
_GAME: Final = re.compile(r"\s*Game\s+(?P<number>\d{1,6})\s*(?:[;:(].*)?$", re.IGNORECASE)
_SCORE: Final = re.compile(r":\s*(\d{1,6})(?=\s|$)")
_NUMBERED: Final = re.compile(r"\s*\d{1,4}\)")
_NUMBERED_ROLL: Final = re.compile(r"\s*\d{1,4}\)\s.*\b[1-6][1-6]:")
_CELL: Final = re.compile(
    r"\b\d\d:|\b(?:re)?doubles?\b|\btakes?\b|\baccepts?\b|\bdrops?\b|\bpasses\b|\brejects?\b|\bbeavers?\b|\braccoons?\b"
    r"|\bwins\b|\bresign(?:s|ed)\b",
    re.IGNORECASE,
)
_DOUBLE: Final = re.compile(r"(?:re)?doubles?\s*(?:(?:=>|to|:)\s*(?P<value>\d{1,10}))?\s*$", re.IGNORECASE)
_WINS: Final = re.compile(r"wins\s+(?P<points>\d{1,6})\s+points?\b(?P<rest>.*)$", re.IGNORECASE)
_ANSWERS: Final = {
    "take": "take",
    "takes": "take",
    "accept": "take",
    "accepts": "take",
    "drop": "drop",
    "drops": "drop",
    "passes": "drop",
    "reject": "drop",
    "rejects": "drop",
}


def _header(text: str) -> tuple[str, str] | None:
    """Read ``; [Key "Value"]``; None if it is another comment."""
    inner = text[1:].strip()
    if not (text.startswith(";") and inner.startswith("[") and inner.endswith("]")):
        return None
    key, quote, value = inner[1:-1].strip().partition('"')
    return (key.strip(), value[:-1]) if quote and value.endswith('"') else None


class _MatchReader:
    """Reads one match after the other from the lines of a file, one game at a time in memory."""

    def __init__(self, lines: Lines, is_strict: bool) -> None:
        self.lines = lines
        self.is_strict = is_strict
        self.text = iter(lines)
        self.headers: list[tuple[str, str]] = []
        self.comments: list[tuple[int, str]] = []
        self.pending_length: tuple[int, int] | None = None  # the length line of the next match, and its number

    def refuse(self, reason: str, kind: type[BgcoreError] = NotationError) -> BgcoreError:
        where = f"{self.lines.name}: " if self.lines.name else ""
        return kind(f"{where}line {self.lines.number}: {reason}")

    def matches(self) -> Iterator[Match]:
        found = False
        self._find_length()
        while self.pending_length is not None:
            found = True
            yield self._match()
        if not found:
            where = f"{self.lines.name}: " if self.lines.name else ""
            if not self.lines.number:
                raise NotationError(f"{where}the file is empty; {FORMATS}")
            raise UnsupportedError(
                f"{where}no line such as '7 point match' among its {self.lines.number}, so this is no match file; "
                f"{FORMATS}"
            )

    def _outside(self, line: str) -> bool:
        """Keep a line that stands outside the games; True when it gives the length of a match."""
        text = line.strip()
        if not text:
            return False
        match = _LENGTH.match(line)
        if match or _MONEY.match(line):
            self.pending_length = (int(match["length"]) if match else 0), self.lines.number
            return True
        header = _header(text)
        if header:
            self.headers.append(header)
        else:
            self.comments.append((self.lines.number, text))
        return False

    def _find_length(self) -> None:
        self.pending_length = None
        for line in self.text:
            if self._outside(line):
                return
            if _GAME.match(line):
                raise self.refuse("a game starts before any line such as '7 point match' (0 for a money session)")

    def _match(self) -> Match:
        assert self.pending_length is not None
        length, length_line = self.pending_length
        self.pending_length = None
        headers, self.headers = self.headers, []
        comments, self.comments = self.comments, []
        irregularities: list[Irregularity] = []
        rules, stated, use_crawford = read_rules(headers, length, length_line, irregularities)
        games: list[Game] = []
        reader = _GameReader(self, length, rules, stated, use_crawford)
        for line in self.text:
            start = _GAME.match(line)
            while start is not None:
                replay, following = reader.game(int(start["number"]))
                self._compare(games, replay, length, headers, irregularities)
                games.append(replay.game(self.lines.number))
                irregularities += games[-1].irregularities
                line = following or ""
                start = _GAME.match(line)
            if line and self._outside(line):
                break
        # What stands behind the last game belongs to it, save for headers, which may open the next match.
        comments += self.comments
        self.comments = []
        if self.pending_length is None:
            headers += self.headers
        if not games:
            irregularities.append(Irregularity(length_line, "no-games", "the match has no games"))
        return Match(
            length=length,
            games=tuple(games),
            headers=tuple(headers),
            comments=tuple(comments),
            rules=rules,
            stated=frozenset(stated),
            use_crawford=use_crawford,
            irregularities=tuple(sorted(irregularities, key=lambda item: item.line)),
            encoding=self.lines.encoding,
            source=self.lines.name,
        )

    def _compare(
        self,
        games: list[Game],
        replay: Replay,
        length: int,
        headers: list[tuple[str, str]],
        irregularities: list[Irregularity],
    ) -> None:
        """Check the head of a game against the games before it and against the headers."""
        if games:
            last = games[-1]
            expected = list(last.score)
            if last.result is not None:
                expected[last.result.winner] += last.result.points
            else:
                replay.note(last.line, "missing-result", f"game {last.number} has no result, but another game follows")
            if tuple(expected) != replay.score:
                replay.note(
                    replay.line,
                    "score",
                    f"the game starts at {replay.score[0]}-{replay.score[1]}, but the one before ended at "
                    f"{expected[0]}-{expected[1]}",
                )
            if replay.names != last.names:
                replay.note(replay.line, "names", f"the players are {replay.names!r}, before they were {last.names!r}")
        else:
            named = [dict(headers).get(f"Player {number}", "").strip() for number in (1, 2)]
            shown = [name.strip() for name in replay.names]
            if all(named) and named == shown[::-1] and named != shown:
                irregularities.append(
                    Irregularity(replay.line, "player-order", "the headers name the players in the other order")
                )
            elif all(named) and sorted(named) != sorted(shown):
                irregularities.append(
                    Irregularity(replay.line, "player-names", f"the headers name {named!r}, the columns {shown!r}")
                )
        if length and max(replay.score) >= length:
            replay.note(replay.line, "score", f"a game at {replay.score[0]}-{replay.score[1]} of a match to {length}")


def read_rules(
    headers: Iterable[tuple[str, str]], length: int, line: int, irregularities: list[Irregularity]
) -> tuple[Rules, set[str], bool]:
    """Take rule options from header lines; returns the rules, which of them are stated, and the Crawford rule."""
    stated: set[str] = set()
    values: dict[str, bool | int | None] = {"cube_limit": None}
    use_crawford = True
    for key, value in headers:
        name, word = key.lower(), value.strip().lower()
        is_on = word in ("on", "yes", "true", "1")
        if name == "crawford":
            stated.add("crawford")
            use_crawford = is_on
        elif name in ("jacoby", "beaver", "beavers") and not length:
            field = "jacoby" if name == "jacoby" else "beavers"
            stated.add(field)
            values[field] = is_on
        elif name == "cubelimit" and word.isascii() and word.isdigit() and len(word) < 10:
            limit = int(word)
            if limit > 0 and limit & (limit - 1) == 0:
                stated.add("cube_limit")
                values["cube_limit"] = limit
            else:
                irregularities.append(Irregularity(line, "cube-limit", f"a cube limit of {limit} is no power of two"))
        elif name == "variation" and word not in ("", "backgammon", "standard"):
            raise UnsupportedError(f"the record is of the variation {value!r}; only standard backgammon is supported")
    return Rules(**values), stated, use_crawford  # type: ignore[arg-type]


class _GameReader:
    """Reads the games of one match."""

    def __init__(self, owner: _MatchReader, length: int, rules: Rules, stated: set[str], use_crawford: bool) -> None:
        self.owner = owner
        self.lines = owner.lines
        self.length = length
        self.rules = rules
        self.is_jacoby_known = "jacoby" in stated
        self.use_crawford = use_crawford
        self.crawford_seen = False
        self.is_first = True

    def game(self, number: int) -> tuple[Replay, str | None]:
        """Read one game; returns it and the line behind it that it does not own, if there is one."""
        line_number = self.lines.number
        names, score, self.threshold = self._names(number)
        replay = Replay(
            number, line_number, names, score, self.length, self.rules, self._crawford(score), self.is_jacoby_known
        )
        following: str | None = None
        for line in self.owner.text:
            if _GAME.match(line) or _LENGTH.match(line) or _MONEY.match(line):
                following = line
                break
            self._line(replay, line)
        self.is_first = False
        return replay, following

    def _names(self, number: int) -> tuple[tuple[str, str], tuple[int, int], float]:
        for line in self.owner.text:
            if not line.strip() or line.lstrip().startswith(";"):
                self.owner._outside(line)
                continue
            line = line.expandtabs(8)
            scores = list(_SCORE.finditer(line))
            if len(scores) < 2 or line[scores[-1].end() :].strip():
                break
            first, last = scores[0], scores[-1]
            right = line[first.end() : last.start()]
            # Cells of the left column start near the edge, those of the right one under the second name.
            under = first.end() + len(right) - len(right.lstrip())
            threshold = max(10, min(under, 36) / 2 + 2)
            return (line[: first.start()].strip(), right.strip()), (int(first[1]), int(last[1])), threshold
        raise self.owner.refuse(f"game {number} must start with the names and the score, such as 'anna : 0    ben : 2'")

    def _crawford(self, score: tuple[int, int]) -> bool | None:
        """Whether the game at this score is the Crawford game: the first at which a side needs one point."""
        one_away = [self.length - points == 1 for points in score]
        if not self.length or not any(one_away) or not self.use_crawford or all(one_away):
            self.crawford_seen |= any(one_away)
            return False
        if self.crawford_seen:
            return False
        self.crawford_seen = True
        return None if self.is_first else True

    def _line(self, replay: Replay, line: str) -> None:
        text = line.strip()
        if not text:
            return
        number = self.lines.number
        if text.startswith(";"):
            self.owner._outside(line)
            return
        line = line.expandtabs(8)
        head = _NUMBERED.match(line)
        start = head.end() if head else 0
        try:
            if head is None and not re.match(r"(?:wins|resign(?:s|ed))\b", text, re.IGNORECASE):
                if replay.result is not None:
                    self.owner.comments.append((number, text))
                    return
                raise NotationError("not a line of a game")
            for column, cell in self._cells(line, start):
                self._cell(replay, column, cell, number)
        except (NotationError, UnsupportedError) as error:
            if self.owner.is_strict:
                raise self.owner.refuse(f"{error} in {text[:60]!r}", type(error)) from None
            replay.unread(number, line, str(error))

    def _cells(self, line: str, start: int) -> list[tuple[int, str]]:
        found = list(_CELL.finditer(line, start))
        if not found:
            if line[start:].strip():
                raise NotationError("neither dice nor a cube action nor a result")
            return []
        stray = line[start : found[0].start()].strip()
        if stray:
            raise NotationError(f"{stray!r} is neither dice nor a cube action nor a result")
        bounds = [match.start() for match in found] + [len(line)]
        cells = [line[begin:end].strip() for begin, end in pairwise(bounds)]
        if len(cells) == 1:
            return [(int(bounds[0] >= self.threshold), cells[0])]
        if len(cells) > 2:
            raise NotationError(f"{len(cells)} cells in a line that has two columns")
        return list(enumerate(cells))

    def _cell(self, replay: Replay, column: int, cell: str, line: int) -> None:
        if cell[:2].isdigit():
            dice = int(cell[0]), int(cell[1])
            if not all(1 <= die <= 6 for die in dice):
                raise NotationError(f"{cell[:2]} is no roll")
            replay.roll(column, dice, cell[3:].strip(), line)
            return
        cell = " ".join(cell.split())
        word = cell.split()[0].lower()
        if word.startswith(("double", "redouble")):
            match = _DOUBLE.match(cell)
            if match is None:
                raise NotationError(f"{cell!r} is no double")
            replay.double(column, int(match["value"]) if match["value"] else None, line)
        elif word in _ANSWERS:
            if word != cell.lower():
                raise NotationError(f"{cell!r} is no answer to a double")
            replay.answer(column, _ANSWERS[word], line)
        elif word.startswith(("beaver", "raccoon")):
            raise UnsupportedError(f"records with {word} are not supported")
        elif word == "wins":
            match = _WINS.match(cell)
            if match is None:
                raise NotationError(f"{cell!r} does not say how many points are won")
            replay.win(column, int(match["points"]), line, says_match="match" in match["rest"].lower())
        else:
            # The marker stands in the column of the player who wins by it.
            replay.resign(1 - column, line, is_match="match" in cell.lower())


def is_match_text(text: str) -> bool:
    """Whether a text, or its beginning, has a line that only a match file has: a length, a game, a roll in a cell."""
    signs = (_LENGTH, _MONEY, _GAME, _NUMBERED_ROLL)
    return any(sign.match(line) for line in text.splitlines() for sign in signs)


def iter_mat(source: Source, *, strict: bool = True) -> Iterator[Match]:
    """Read the matches of a file one after the other; see :func:`read_mat`. Memory holds one match at a time."""
    return _MatchReader(Lines(source), strict).matches()


def read_mat(source: Source, *, strict: bool = True) -> Match:
    """Read a match file.

    Parameters
    ----------
    source : path, text, bytes or open file
        A ``str`` with a line end in it, or nothing at all, is the text itself; any other is a path.
    strict : bool
        Whether a line that cannot be understood is an error. If False, it is kept as an `Unread` action, and
        the rest of its game is kept but not checked.

    Returns
    -------
    Match
        The first match of the file, with everything irregular about it listed. Illegal plays are no errors:
        they are kept and listed.

    Raises
    ------
    NotationError
        If the file cannot be opened or holds a second match (use `iter_mat`), and for a line that cannot be
        understood, by its number.
    UnsupportedError
        If it is not a match file, or uses beavers, raccoons or another variation.

    Notes
    -----
    Every play is checked against all legal plays. Some hundreds of games per second; thread-safe.
    """
    matches = iter_mat(source, strict=strict)
    match = next(matches)
    another = next(matches, None)
    if another is not None:
        where = f"{match.source}: " if match.source else ""
        raise NotationError(f"{where}the file holds more than one match: read it with iter_mat")
    return match


def _cell_text(action: Turn | CubeAction | Resignation) -> str:
    if isinstance(action, Resignation):
        return "Resigned Match" if action.is_match else "Resigned Game"
    if isinstance(action, Turn):
        play = format_steps(action.play) if isinstance(action.play, Play) else action.written
        return f"{action.dice[0]}{action.dice[1]}: {play}".rstrip() + (" " if not play else "")
    if action.action == "double":
        return f" Doubles => {action.value}"
    return " Takes" if action.action == "take" else " Drops"


def format_mat(match: Match) -> str:
    """Write a match as a match file, the way gnubg does.

    Parameters
    ----------
    match : Match
        Read from any format.

    Returns
    -------
    str
        Lines of text; ``read_mat`` of it gives the same games, turns and results. Legal plays are
        written step by step, everything else as it was written. Implied takes and results that only the rules
        know are written out. Lines that could not be read are kept as comments.
    """
    lines = [f'; [{key} "{value}"]' for key, value in match.headers]
    lines += [comment if comment.startswith(";") else f"; {comment}" for _, comment in match.comments]
    if lines:
        lines.append("")
    lines += [f" {match.length} point match", ""]
    for game in match.games:
        width = max(33, len(game.names[0]) + 12)
        lines.append(f" Game {game.number}")
        lines.append(f" {game.names[0]} : {game.score[0]}".ljust(width) + f" {game.names[1]} : {game.score[1]}")
        lines += _rows(game, width)
        result = game.result
        if result is not None:
            score = game.score[result.winner] + result.points
            text = f"Wins {result.points} point{'s' if result.points != 1 else ''}"
            text += " and the match" if match.length and score >= match.length else ""
            if result.winner == 0:
                lines.append(" " * 6 + text)
            elif re.match(r" *\d+\)", lines[-1]) and len(lines[-1]) < width:
                lines[-1] = lines[-1].ljust(width) + f" {text}"  # beside the last cell, which is in the left column
            else:
                lines.append(" " * (width + 1) + text)
        lines.append("")
    return "\n".join(lines) + "\n"


def _rows(game: Game, width: int) -> Iterator[str]:
    """Lay the actions of a game out in two columns."""
    number, left = 1, ""
    is_open = False
    for action in game.actions:
        if isinstance(action, Unread):
            yield f"; line {action.line}: {action.text.strip()}"
            continue
        if isinstance(action, Resignation) and game.result is not None:
            continue  # the result says so
        cell = _cell_text(action)
        # A resignation stands in the column of the player who wins by it.
        if (action.player == 0) != isinstance(action, Resignation):
            if is_open:
                yield f"{number:3d}) {left}"
                number += 1
            left, is_open = cell, True
        else:
            yield f"{number:3d}) {left}".ljust(width) + f" {cell}"
            number, left, is_open = number + 1, "", False
    if is_open:
        yield f"{number:3d}) {left}"
