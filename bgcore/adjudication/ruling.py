"""What a policy says about an absence, before anybody asks what the position is worth."""

from dataclasses import dataclass
from typing import Final, Literal

from bgcore.adjudication.absence import AbsenceState, state_of
from bgcore.adjudication.faults import Fault, RecordError
from bgcore.adjudication.policy import Policy
from bgcore.adjudication.record import OTHER, Colour, Record, seconds_text

Form = Literal["equity", "majority", "forfeit", "refund", "resume", "undecided"]
LeaverRule = Literal["equity", "no_gain", "leaver_min", "fee"]

_OVER: Final = ("equity", "majority")


@dataclass(frozen=True, slots=True)
class Ruling:
    """The form a settlement takes, and why.

    Parameters
    ----------
    form : {"equity", "majority", "forfeit", "refund", "resume", "undecided"}
        ``undecided`` waits for a person (here: for the present side's claim).
    leaver : {"white", "black"} or None
        The one side that stayed away, or whose clock ran out.
    leaver_rule : {"equity", "no_gain", "leaver_min", "fee"}
        How the leaver's share is bent.
    reasons : tuple of str
        Codes, the most important first.
    state : AbsenceState
        The clocks.
    points : str
        What a forfeit costs: the policy's ``forfeit_points``, or ``match``.
    warnings : tuple of str
        What an operator should look at.
    """

    form: Form
    leaver: Colour | None
    leaver_rule: LeaverRule
    reasons: tuple[str, ...]
    state: AbsenceState
    points: str
    warnings: tuple[str, ...] = ()

    @property
    def needs_value(self) -> bool:
        """Whether the position must be evaluated."""
        return self.form in _OVER


def rule(record: Record, policy: Policy, *, is_lost: bool = False) -> Ruling:
    """Apply a policy to an absence.

    Parameters
    ----------
    record : Record
    policy : Policy
    is_lost : bool
        Whether the leaver's position counts as lost, which shortens his time where the policy says so.

    Raises
    ------
    RecordError
        E42 if nobody is away, no clock ran out, and the policy wants such records refused.
    """
    state = state_of(record.absence, policy)
    expired = record.absence.clock_expired
    if expired is not None:
        reasons: tuple[str, ...] = (f"{expired.side.upper()}_CLOCK_EXPIRED",)
        if policy.clock_expired == "equity":
            return Ruling("equity", expired.side, "equity", reasons, state, policy.forfeit_points)
        points = "match" if expired.scope == "round" or policy.clock_loss == "match" else policy.forfeit_points
        return Ruling("forfeit", expired.side, "equity", reasons, state, points)
    if state.phase == "playing":
        if policy.none_away == "reject":
            raise RecordError([Fault("E42", "absence", "nobody is away and no clock has run out")])
        form: Form = "equity" if policy.none_away == "equity" else "resume"
        return Ruling(form, None, "equity", ("NOBODY_AWAY",), state, policy.forfeit_points)
    leaver = state.leaver
    if state.phase == "waiting" and not (is_lost and leaver is not None and is_over_when_lost(state, leaver, policy)):
        reasons = tuple(
            f"{colour.upper()}_MAY_RETURN_{_whole(state.side(colour).left_ms)}S"
            for colour in state.gone
            if not state.side(colour).is_over
        )
        return Ruling("resume", leaver, "equity", reasons, state, policy.forfeit_points)
    reasons = tuple(
        f"{colour.upper()}_ABSENT_{_whole(state.side(colour).used_ms)}S_OVER_"
        f"{_whole(_allowed(state, colour, policy, is_lost))}S"
        for colour in state.gone
    )
    plies = record.absence.plies_played
    if plies is not None and plies < policy.min_plies:
        return Ruling("refund", leaver, "equity", ("TOO_SHORT", *reasons), state, policy.forfeit_points)
    if record.absence.cause == "server" and policy.server_fault != "same_as_player":
        form = policy.server_fault  # type: ignore[assignment]
        return Ruling(form, None, "equity", ("SERVER_FAULT", *reasons), state, policy.forfeit_points)
    if leaver is None:
        return _both(policy, state, reasons)
    if len(state.gone) == 2:
        reasons = (*reasons, f"{leaver.upper()}_LEFT_FIRST")
    return _one(record, policy, state, leaver, reasons)


def _both(policy: Policy, state: AbsenceState, reasons: tuple[str, ...]) -> Ruling:
    form: Form = policy.both_away  # type: ignore[assignment]
    warnings: tuple[str, ...] = ()
    if form == "refund" and not state.simultaneous:
        # Whoever leaves second in a lost game would get the stake back.
        warnings = ("SECOND_LEAVER_MAY_GAIN",)
        if policy.refund_needs_simultaneous:
            form = "equity"
    return Ruling(form, None, "equity", (*reasons, "BOTH_AWAY"), state, policy.forfeit_points, warnings)


def _one(record: Record, policy: Policy, state: AbsenceState, leaver: Colour, reasons: tuple[str, ...]) -> Ruling:
    choice, bent = policy.one_away, policy.leaver
    if record.absence.side(leaver).deliberate and policy.deliberate != "same":
        bent = policy.deliberate
        reasons = (*reasons, "LEFT_DELIBERATELY")
    if choice == "leaver_min":
        choice, bent = "equity", "leaver_min"
    if choice == "equity" and bent == "forfeit":
        choice = "forfeit"
    if choice == "claim":
        claim = record.absence.claim
        if claim is None:
            return Ruling("undecided", leaver, "equity", (*reasons, "CLAIM_OPEN"), state, policy.forfeit_points)
        choice = "forfeit" if claim == "win" else "refund"
        reasons = (*reasons, f"{OTHER[leaver].upper()}_CLAIMS_{claim.upper()}")
    form: Form = choice  # type: ignore[assignment]
    leaver_rule: LeaverRule = bent if form == "equity" and bent != "forfeit" else "equity"  # type: ignore[assignment]
    return Ruling(form, leaver, leaver_rule, reasons, state, policy.forfeit_points)


def is_over_when_lost(state: AbsenceState, leaver: Colour, policy: Policy) -> bool:
    """Whether the leaver's time is up if his position is lost."""
    side = state.side(leaver)
    return policy.grace_lost_divisor > 1 and side.used_ms * policy.grace_lost_divisor > side.allowed_ms


def _allowed(state: AbsenceState, colour: Colour, policy: Policy, is_lost: bool) -> int:
    side = state.side(colour)
    return side.allowed_ms if side.is_over or not is_lost else side.allowed_ms // policy.grace_lost_divisor


def _whole(milliseconds: int) -> str:
    """Seconds without needless decimals: ``200``, ``180.001``."""
    text = seconds_text(milliseconds)
    return text.rstrip("0").rstrip(".")
