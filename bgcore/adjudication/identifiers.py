"""From a decoded identifier (XGID, GNUBG ID) to the JSON form of a record."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bgcore.adjudication.record import OTHER, SCHEMA, Colour
from bgcore.codecs.case import unfinished_case
from bgcore.codecs.mat import read_mat

if TYPE_CHECKING:
    from bgcore.codecs.situation import Situation

_SECTIONS = ("money", "match", "absence", "policy", "case_id", "meta", "auto_roll", "finished")


def situation_document(situation: "Situation", sections: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a situation, in JSON form and not yet checked.

    Parameters
    ----------
    situation : Situation
        Its side to move is on roll in the record, too.
    sections : dict
        Sections in JSON form that an identifier does not hold. ``colour`` names the side to move
        (by default white). ``match`` and ``rules`` are laid over what the identifier says. A money game
        without a ``money`` section is about points: a stake of 1 FUN.
    """
    given = dict(sections)
    mover: Colour = given.pop("colour", "white")
    sides = {"mine": mover, "theirs": OTHER[mover], "centre": "centre"}
    slots = situation.position.board.tolist()
    mine = _side({point: slots[point] for point in range(1, 25)}, slots[25])
    theirs = _side({point: -slots[25 - point] for point in range(1, 25)}, -slots[0])
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "mode": "money" if situation.score is None else "match",
        "board": {mover: mine, OTHER[mover]: theirs},
        "on_roll": mover,
        "dice": None if situation.dice is None else list(situation.dice),
        "cube": {
            "enabled": situation.cube.enabled,
            "value": situation.cube.value,
            "owner": sides[situation.cube.owner],
            "limit": situation.rules.cube_limit,
        },
        "pending": None,
        "rules": {
            "jacoby": situation.rules.jacoby,
            "beavers": situation.rules.beavers,
            "raccoons": situation.rules.raccoons,
            "automatic_doubles": situation.rules.automatic_doubles,
            **given.pop("rules", {}),
        },
    }
    if situation.pending is not None and situation.pending_by is not None:
        document["pending"] = {"type": situation.pending, "by": sides[situation.pending_by]}
        if situation.pending == "resign":
            document["pending"]["level"] = situation.resign_level
    score = situation.score
    if score is None:
        document["money"] = given.pop("money", None) or {"currency": "FUN", "stake": "1"}
    else:
        has_leader = 1 in (score.mine_away, score.theirs_away)
        document["match"] = {
            "length": score.length,
            "score": {mover: score.mine, OTHER[mover]: score.theirs},
            "crawford": "yes" if score.is_crawford else "post" if has_leader else "no",
            **(given.pop("match", None) or {}),
        }
    for name, value in given.items():
        if value is not None or name not in _SECTIONS:
            document[name] = value
    return document


def mat_document(source: str, sections: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of the unfinished game of a match file, in JSON form and not yet checked."""
    document = unfinished_case(read_mat(source)).document
    if document["mode"] == "money":
        document["money"] = {"currency": "FUN", "stake": "1"}
    for name, value in sections.items():
        if isinstance(value, Mapping) and isinstance(document.get(name), Mapping):
            document[name] = {**document[name], **value}
        else:
            document[name] = value
    return document


def _side(points: dict[int, int], bar: int) -> dict[str, Any]:
    own = {str(point): count for point, count in points.items() if count > 0}
    bar = max(bar, 0)
    return {"points": own, "bar": bar, "off": 15 - sum(own.values()) - bar}
