"""From a match record to a case: where its last, unfinished game stands, as a record for adjudication.

White is the left column of the file (player 0), black the right one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from bgcore._core import Position
from bgcore.codecs.match import Game, Match
from bgcore.codecs.situation import Situation
from bgcore.errors import NotationError
from bgcore.rules import MatchScore

COLOURS: Final = ("white", "black")
SCHEMA: Final = "bgcore.adjudication/1"


@dataclass(frozen=True, slots=True)
class Question:
    """Something a case needs that the file does not say.

    Parameters
    ----------
    path : str
        Where the answer goes in the record, such as ``"match.crawford"``.
    text : str
        What to ask.
    """

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """An unfinished game on its way to a judge.

    Parameters
    ----------
    game : Game
        The game it is about.
    situation : Situation
        Where it stands, seen by the player to move (by white before the opening roll).
    document : dict
        A record of schema ``bgcore.adjudication/1`` without what only the arbiter knows: the absence, and the money
        or the prize.
    questions : tuple of Question
        What is still to be answered.
    """

    game: Game
    situation: Situation
    document: dict[str, Any]
    questions: tuple[Question, ...]


def _side(counts: list[int]) -> dict[str, Any]:
    """One side's checkers from a board that it sees."""
    points = {str(point): counts[point] for point in range(1, 25) if counts[point] > 0}
    bar = max(counts[25], 0)
    return {"points": points, "bar": bar, "off": 15 - bar - sum(points.values())}


def _crawford(match: Match, game: Game) -> str:
    if game.is_crawford:
        return "yes"
    one_away = [match.length - points == 1 for points in game.score]
    return "post" if game.is_crawford is False and one_away[0] != one_away[1] and match.use_crawford else "auto"


def unfinished_case(match: Match) -> Case:
    """Turn the last game of a match, which has no result, into a case.

    Parameters
    ----------
    match : Match
        From :func:`read_mat` or any other reader.

    Returns
    -------
    Case
        Its questions name everything that the file leaves open; nothing is guessed.

    Raises
    ------
    NotationError
        If every game has a result, so that there is nothing to adjudicate; or if an irregularity in the record
        leaves the position unknown, naming the line.
    """
    where = f"{match.source}: " if match.source else ""
    game = match.unfinished
    if game is None:
        raise NotationError(f"{where}nothing to adjudicate: all {len(match.games)} games have a result")
    standing = game.standing
    position = standing.position
    if position is None:
        cause = next((item for item in game.irregularities if item.code in _LOSSES), None)
        because = f", because of line {cause.line}: {cause.message}" if cause else ""
        raise NotationError(f"{where}the position at the end of game {game.number} is not known{because}")
    player = standing.player
    viewer = player or 0
    score: MatchScore | None = match.score_for(game, viewer)
    situation = Situation(
        position=position,
        cube=standing.cube,
        dice=None if standing.dice is None else (max(standing.dice), min(standing.dice)),
        score=score,
        rules=match.rules,
        pending=standing.pending,
        pending_by=standing.pending_by,
        resign_level=1 if standing.pending == "resign" else 0,
        session=(0, 0) if score else (game.score[viewer], game.score[1 - viewer]),
    )
    return Case(game, situation, _document(match, game, situation, player), tuple(_questions(match, game)))


_LOSSES: Final = ("unknown-board", "ambiguous-play", "unrecorded-play", "unreadable")


def _document(match: Match, game: Game, situation: Situation, player: int | None) -> dict[str, Any]:
    viewer = player or 0
    mine, theirs = COLOURS[viewer], COLOURS[1 - viewer]
    seen: tuple[Position, Position] = (situation.position, situation.position.flip())
    boards = {mine: _side(seen[0].board.tolist()), theirs: _side(seen[1].board.tolist())}
    colours = {"mine": mine, "theirs": theirs, "centre": "centre"}
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "mode": "match" if match.length else "money",
        "board": {colour: boards[colour] for colour in COLOURS},
        "on_roll": None if player is None else mine,
        "dice": None if situation.dice is None else list(situation.dice),
        "cube": {
            "value": situation.cube.value,
            "owner": colours[situation.cube.owner],
            "limit": match.rules.cube_limit,
        },
        "pending": None,
        "rules": {"jacoby": match.rules.jacoby, "beavers": match.rules.beavers, "gammon_rule": "standard"},
    }
    if situation.pending is not None and situation.pending_by is not None:
        document["pending"] = {"type": situation.pending, "by": colours[situation.pending_by]}
    if match.length:
        document["match"] = {
            "length": match.length,
            "score": {"white": game.score[0], "black": game.score[1]},
            "crawford": _crawford(match, game),
            "met": "Kazaross-XG2",
        }
    names = {colour: name.strip() for colour, name in zip(COLOURS, game.names, strict=True)}
    document["meta"] = {"names": names, "x_source": match.source, "x_game": game.number}
    return document


def _questions(match: Match, game: Game) -> list[Question]:
    found = [Question("absence", "Who left, for how long, and on whose account?")]
    if match.length:
        found.append(Question("match.prize", "What do the winner and the loser of the match get?"))
        if game.is_crawford is None:
            found.append(Question("match.crawford", "Is this the Crawford game, or is it after the Crawford game?"))
    else:
        found.append(Question("money", "What is the stake of a point, in which currency, and up to what limit?"))
        for field, rule in (("jacoby", "the Jacoby rule"), ("beavers", "beavers")):
            if field not in match.stated:
                found.append(Question(f"rules.{field}", f"Was {rule} in force?"))
        if "cube_limit" not in match.stated:
            found.append(Question("cube.limit", "Up to what number could the cube be turned?"))
    if game.standing.pending == "resign":
        found.append(Question("pending.level", "Was a single game, a gammon or a backgammon given up?"))
    if game.irregularities:
        lines = ", ".join(str(item.line) for item in game.irregularities)
        found.append(Question("board", f"The record of this game is irregular in line {lines}: does the board stand?"))
    return found
