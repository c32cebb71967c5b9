"""Explanations of a verdict in plain words, for players, support and auditors."""

from collections.abc import Mapping
from typing import Any, Final

from bgcore.adjudication.absence import AbsenceState
from bgcore.adjudication.explain.formats import FORMATS
from bgcore.adjudication.explain.story import Audience, tell
from bgcore.adjudication.explain.texts import text
from bgcore.adjudication.record import COLOURS, OTHER, Colour
from bgcore.adjudication.verdict import Verdict
from bgcore.errors import BgcoreError, require, shown

AUDIENCES: Final = ("player", "support", "auditor")


def explain(
    verdict: Verdict | Mapping[str, Any],
    lang: str = "en",
    *,
    audience: Audience = "player",
    fmt: str = "text",
    names: Mapping[str, str] | None = None,
) -> str:
    """Explain a verdict in plain words.

    Parameters
    ----------
    verdict : Verdict or dict
        As `adjudicate` made it or as it was stored; all numbers come from it.
    lang : {"en", "fr", "de"}
    audience : {"player", "support", "auditor"}
        A player learns what became of the game and why; support also sees codes, the rule in full and the
        rollout; an auditor also the digests.
    fmt : {"text", "markdown", "html"}
        The HTML page is complete in itself: it loads nothing and runs nothing.
    names : dict of colour to name, optional
        By default the players are called by their colours, which makes an anonymous copy.

    Raises
    ------
    BgcoreError
        For an unknown language, audience or format, or a verdict that cannot be read.

    Examples
    --------
    >>> from bgcore import adjudication as adj
    >>> record = {
    ...     "schema": "bgcore.adjudication/1", "mode": "money", "on_roll": "white",
    ...     "board": {"white": {"points": {"6": 1}, "bar": 0, "off": 14},
    ...               "black": {"points": {"1": 1}, "bar": 0, "off": 14}},
    ...     "cube": {"value": 2, "owner": "black"}, "money": {"currency": "EUR", "stake": "1.00"},
    ...     "absence": {"black": {"away": True, "seconds": 200}},
    ... }
    >>> print(adj.explain(adj.adjudicate(record), "fr").splitlines()[3])
    Noir verse 1,00 EUR à Blanc.
    """
    if audience not in AUDIENCES:
        raise BgcoreError(f"an audience is one of {', '.join(AUDIENCES)}, not {audience!r}")
    if fmt not in FORMATS:
        raise BgcoreError(f"a format is one of {', '.join(FORMATS)}, not {fmt!r}")
    require(names, (Mapping, type(None)), "names are a dict of colour to name")
    for colour, name in (names or {}).items():
        if colour not in COLOURS or not isinstance(name, str | None):
            raise BgcoreError(f"names are text for white and black, not {shown(name)} for {shown(colour)}")
    if not isinstance(verdict, Verdict):
        verdict = Verdict.from_dict(verdict)
    try:
        return FORMATS[fmt](verdict, tell(verdict, lang, audience, names))
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, BgcoreError):
            raise
        # Stored verdicts come from outside: their digest is not checked here, so their parts need not fit together.
        raise BgcoreError(f"the parts of this verdict do not fit together: {error!r}") from error


def countdown(state: AbsenceState, viewer: Colour, lang: str = "en") -> str:
    """Return what a server should show ``viewer`` now, in English, French or German; empty while both are there."""
    require(state, AbsenceState, "what is counted down is an AbsenceState")
    if viewer not in COLOURS:
        raise BgcoreError(f"a viewer is white or black, not {shown(viewer)}")
    mine, theirs = state.side(viewer), state.side(OTHER[viewer])
    left = -(-state.left_ms // 1000)
    if state.gone and state.is_kept:
        return text("KEPT", lang)
    if mine.away:
        code = "YOU_WAIT" if mine.phase == "waiting" else "YOU_LATE"
        return text(code, lang, r=-(-mine.left_ms // 1000))
    if theirs.away:
        return text("THEY_WAIT" if state.phase == "waiting" else "THEY_LATE", lang, r=left)
    return ""
