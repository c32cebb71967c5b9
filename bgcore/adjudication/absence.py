"""Clocks of absence: who is gone, how long that may last, and what a server should tell both sides now.

Times come in as data; nothing here reads a clock. A limit is inclusive: exactly the allowed time is in time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bgcore.adjudication.faults import Faults
from bgcore.adjudication.fields import Fields
from bgcore.adjudication.policy import Policy, load_policy
from bgcore.adjudication.record import COLOURS, GONE, Absence, Colour, Presence, seconds_text
from bgcore.errors import require

Phase = Literal["playing", "waiting", "expired"]

EVENTS: Final = ("disconnect", "reconnect", "new_game", "server_down", "server_up")


@dataclass(frozen=True, slots=True)
class SideState:
    """One side's clock of absence; times in whole milliseconds.

    ``used_ms`` counts against ``allowed_ms``: this absence alone, or all of the game or round, as the
    policy says. ``left_ms`` is what remains, never negative.
    """

    away: bool
    this_ms: int
    used_ms: int
    allowed_ms: int

    @property
    def is_over(self) -> bool:
        """Whether the side has been away longer than allowed; exactly the limit is not."""
        return self.away and self.used_ms > self.allowed_ms

    @property
    def left_ms(self) -> int:
        """Time still left to come back."""
        return max(self.allowed_ms - self.used_ms, 0)

    @property
    def phase(self) -> Phase:
        """Whether the side is there, may still come back, or is too late."""
        return "expired" if self.is_over else "waiting" if self.away else "playing"

    def to_dict(self) -> dict[str, Any]:
        """JSON values; times in seconds as strings with three decimals."""
        return {
            "away": self.away,
            "phase": self.phase,
            "used": seconds_text(self.used_ms),
            "allowed": seconds_text(self.allowed_ms),
            "left": seconds_text(self.left_ms),
        }


@dataclass(frozen=True, slots=True)
class AbsenceState:
    """Both sides' clocks of absence and what follows from them.

    ``phase`` is ``playing`` when both are there, ``waiting`` while somebody who is away can still come
    back, and ``expired`` when everybody who is away is too late, so that the policy decides. With
    ``first_matters`` the side that left first counts as the only leaver if both are away. ``is_kept`` says
    that the policy then only lets the game wait on.
    """

    white: SideState
    black: SideState
    simultaneous: bool
    cause: Literal["player", "server", "unknown"] = "player"
    first_matters: bool = False
    is_kept: bool = False

    def side(self, colour: Colour) -> SideState:
        """One side's clock."""
        return self.white if colour == "white" else self.black

    @property
    def gone(self) -> tuple[Colour, ...]:
        """The sides that are away, white first."""
        return GONE[self.white.away, self.black.away]

    @property
    def phase(self) -> Phase:
        """What the game is doing now."""
        phases = [self.side(colour).phase for colour in self.gone]
        return "playing" if not phases else "waiting" if "waiting" in phases else "expired"

    @property
    def leaver(self) -> Colour | None:
        """The one side that is away, or counts as such; None if both are or neither is."""
        gone = self.gone
        if len(gone) == 2 and self.first_matters and not self.simultaneous:
            return "white" if self.white.this_ms > self.black.this_ms else "black"
        return gone[0] if len(gone) == 1 else None

    @property
    def left_ms(self) -> int:
        """Time until the policy decides, if nobody comes back."""
        return max((self.side(colour).left_ms for colour in self.gone), default=0)

    def to_absence(self) -> dict[str, Any]:
        """Return the ``absence`` section of a record with these times."""
        sections: dict[str, Any] = {
            colour: {
                "away": self.side(colour).away,
                "seconds": seconds_text(self.side(colour).this_ms),
                "used_before": seconds_text(self.side(colour).used_ms - self.side(colour).this_ms),
            }
            for colour in COLOURS
        }
        return {**sections, "cause": self.cause}

    def to_dict(self) -> dict[str, Any]:
        """JSON values, with the seconds left for a countdown."""
        return {
            "phase": self.phase,
            "left": seconds_text(self.left_ms),
            "simultaneous": self.simultaneous,
            "cause": self.cause,
            "white": self.white.to_dict(),
            "black": self.black.to_dict(),
        }


def state_of(absence: Absence, policy: Policy) -> AbsenceState:
    """Return the clocks of a record under a policy."""
    sides = {colour: _side_state(absence.side(colour), policy) for colour in COLOURS}
    both = absence.white.away and absence.black.away
    apart = abs(absence.white.seconds_ms - absence.black.seconds_ms)
    is_together = both and apart <= policy.simultaneous_ms
    state = AbsenceState(sides["white"], sides["black"], is_together, absence.cause, policy.first_leaver_matters)
    choice = policy.one_away if state.leaver is not None else policy.both_away
    if absence.cause == "server" and policy.server_fault != "same_as_player":
        choice = policy.server_fault
    return replace(state, is_kept=choice == "resume")


def _side_state(presence: Presence, policy: Policy) -> SideState:
    allowed = policy.grace_ms
    if policy.grace_shares_clock and presence.clock_left_ms is not None:
        allowed = presence.clock_left_ms
    used = presence.seconds_ms if presence.away else 0
    if policy.grace_scope != "per_absence":
        used += presence.used_before_ms
    return SideState(presence.away, presence.seconds_ms if presence.away else 0, used, allowed)


def absence(
    events: Iterable[Mapping[str, Any]], policy: "Policy | str | Mapping[str, Any]" = "play65", now: float | str = 0
) -> AbsenceState:
    """Work out both sides' clocks from a server's log.

    Parameters
    ----------
    events : iterable of dict
        In order of time: ``{"time": seconds, "event": ..., "side": "white" | "black"}`` with the events
        ``disconnect``, ``reconnect``, ``new_game`` (starts the count of ``per_game`` afresh; no side),
        ``server_down`` and ``server_up`` (the server's own fault; no side).
        Times are numbers or decimal strings with at most three decimals, on any one clock.
    policy : Policy, str or dict
        Whose limits hold.
    now : float or str
        The present moment on the same clock, passed in by the caller.

    Returns
    -------
    AbsenceState
        ``.phase`` tells a server what to do, ``.left_ms`` drives its countdown.

    Raises
    ------
    RecordError
        E44 for events out of order, a reconnect without a disconnect, two disconnects in a row or two
        events of one side at one time; E05 and E43 for times that cannot be read.
    """
    require(events, Iterable, "events are an iterable of dicts")
    resolved = load_policy(policy)
    faults = Faults()
    log = [_read_event(event, place, faults) for place, event in enumerate(events)]
    moment = Fields(faults, {"now": now}, "$", ("now",)).milliseconds("now") or 0
    gone_since: dict[Colour, int | None] = {"white": None, "black": None}
    used: dict[Colour, int] = {"white": 0, "black": 0}
    last: dict[str, int] = {}
    down = False
    previous = 0
    for place, (time, event, side) in enumerate(log):
        path = f"events.{place}"
        if time < previous:
            faults.add("E44", path, "this event is earlier than the one before it", seconds_text(time))
        previous = max(previous, time)
        if event == "new_game" and resolved.grace_scope == "per_game":
            used = {"white": 0, "black": 0}
        elif event in ("server_down", "server_up"):
            down = event == "server_down"
        if side is None:
            continue
        if last.get(side) == time:
            faults.add("E44", path, f"{side} has two events at the same time", seconds_text(time))
        last[side] = time
        since = gone_since[side]
        if event == "disconnect":
            if since is not None:
                faults.add("E44", path, f"{side} disconnects but was gone already", seconds_text(time))
            gone_since[side] = time
        elif since is None:
            faults.add("E44", path, f"{side} reconnects but was not gone", seconds_text(time))
        else:
            used[side] += time - since
            gone_since[side] = None
    if moment < previous:
        faults.add("E44", "now", "the present moment is earlier than the last event", seconds_text(moment))
    faults.refuse()
    presences = {
        colour: Presence(
            away=gone_since[colour] is not None,
            seconds_ms=moment - (gone_since[colour] or 0) if gone_since[colour] is not None else 0,
            used_before_ms=used[colour],
        )
        for colour in COLOURS
    }
    return state_of(Absence(presences["white"], presences["black"], "server" if down else "player"), resolved)


def _read_event(event: object, place: int, faults: Faults) -> tuple[int, str, Colour | None]:
    fields = Fields(faults, event, f"events.{place}", ("time", "event", "side"), required=("time", "event"))
    kind = fields.choice("event", EVENTS) or ""
    needs_side = kind in ("disconnect", "reconnect")
    side: Colour | None = fields.choice("side", COLOURS) if needs_side else None
    if needs_side and "side" not in fields:
        faults.add("E04", fields.at("side"), f"a {kind} needs its side")
    return fields.milliseconds("time") or 0, kind, side
