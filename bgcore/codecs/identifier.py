"""Any identifier of a position, told apart by its shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal

from bgcore._core import Position
from bgcore.codecs.fibs import COUNT, format_fibs, parse_fibs
from bgcore.codecs.match_id import LABELLED, format_gnubg_id, parse_gnubg_id
from bgcore.codecs.ogid import format_ogid, parse_ogid
from bgcore.codecs.situation import Situation
from bgcore.codecs.xgid import format_xgid, parse_xgid
from bgcore.errors import NotationError, require, shown
from bgcore.rules import Rules

Kind = Literal["position-id", "gnubg-id", "xgid", "ogid", "fibs", "key"]

KINDS: Final[tuple[Kind, ...]] = ("position-id", "gnubg-id", "xgid", "ogid", "fibs", "key")


def _parse_position_id(text: str) -> Situation:
    return Situation(position=Position.from_position_id(text), rules=Rules(cube_limit=None))


def _parse_key(text: str) -> Situation:
    return Situation(position=Position.from_key(bytes.fromhex(text.strip())), rules=Rules(cube_limit=None))


_READERS: Final[dict[Kind, Callable[[str], Situation]]] = {
    "position-id": _parse_position_id,
    "gnubg-id": parse_gnubg_id,
    "xgid": parse_xgid,
    "ogid": parse_ogid,
    "fibs": parse_fibs,
    "key": _parse_key,
}
_WRITERS: Final[dict[Kind, Callable[[Situation], str]]] = {
    "position-id": lambda situation: situation.position_id,
    "gnubg-id": format_gnubg_id,
    "xgid": format_xgid,
    "ogid": format_ogid,
    "fibs": format_fibs,
    "key": lambda situation: situation.position.key.hex(),
}


def kind_of(text: str) -> Kind:
    """Tell what kind of identifier a text looks like, by its prefix or else its shape.

    Raises
    ------
    NotationError
        If it looks like none.
    """
    require(text, str, "an identifier is text")
    body = text.strip()
    head = body[:8].lower()
    for prefix, kind in (("xgid", "xgid"), ("ogid", "ogid"), ("board:", "fibs"), ("gnubgid", "gnubg-id")):
        if head.startswith(prefix):
            return kind  # type: ignore[return-value]
    if LABELLED.fullmatch(body):
        return "gnubg-id"
    colons = body.count(":")
    if colons == 0 and re.fullmatch(r"[0-9a-fA-F]{20}", body):
        return "key"
    if colons == 0 and len(body) == 14:
        return "position-id"
    if colons == 1:
        return "gnubg-id"
    if colons == COUNT - 1:
        return "fibs"
    if colons == 9 and re.match(r"[-A-Pa-p]{24,28}:", body):
        return "xgid"
    if 2 <= colons <= 10 and re.match(r"[0-9a-q]*:[0-9a-q]*:[A-Z?][0-9]", body):
        return "ogid"
    if re.fullmatch(r"[0-9a-zA-Z+/]{12}", body):
        raise NotationError(
            f"{body!r} looks like a Match ID, which has no checkers: put the Position ID and a colon in front of it"
        )
    raise NotationError(
        f"{body[:60]!r} looks like no identifier: a Position ID has 14 characters, a GNUBG ID 14 and 12 with a colon "
        "between, an XGID 10 fields, an OGID 3 to 11, a FIBS board 52 behind 'board:', a position key 20 hex digits"
    )


def parse_identifier(text: str) -> Situation:
    """Read an identifier of any kind: Position ID, GNUBG ID, XGID, OGID, FIBS board, position key in hexadecimal.

    Parameters
    ----------
    text : str
        The identifier; blanks around it are dropped.

    Raises
    ------
    NotationError, PositionError, UnsupportedError
        Naming what is wrong with it as the kind it looks like.
    """
    return _READERS[kind_of(text)](text)


def format_identifier(situation: Situation, kind: Kind) -> str:
    """Write a situation as an identifier of one of the kinds in ``KINDS``.

    Parameters
    ----------
    situation : Situation
        What to write.
    kind : str
        One of ``KINDS``.

    Raises
    ------
    NotationError
        For an unknown kind, and for what that kind cannot hold; what each one loses silently is listed at the top
        of its module.
    """
    require(situation, Situation, "an identifier is written of a Situation")
    if kind not in KINDS:
        raise NotationError(f"identifiers are {', '.join(KINDS)}, not {shown(kind)}")
    return _WRITERS[kind](situation)
