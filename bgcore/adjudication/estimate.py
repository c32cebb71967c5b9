"""How much work a record will be, before it is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from bgcore.adjudication.faults import numbered
from bgcore.adjudication.policy import Policy
from bgcore.adjudication.record import Record
from bgcore.adjudication.ruling import rule
from bgcore.adjudication.value import open_questions
from bgcore.adjudication.verdict import PolicyLike, resolve
from bgcore.errors import BgcoreError, RulesError, shown

TRIALS_PER_SECOND: Final = 2_000.0
"""Trials of a contact position on one core of an ordinary machine; a server should pass what it measured."""

SPREAD: Final = 0.4
"""Standard deviation of one trial per cube, with variance reduction, from which the number is guessed."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The work ahead: ``basis`` is ``rule``, ``exact`` or ``rollout``."""

    basis: str
    trials: int
    most_trials: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "basis": self.basis,
            "trials": self.trials,
            "most_trials": self.most_trials,
            "seconds": round(self.seconds, 3),
        }


def estimate(
    record: Record | Mapping[str, Any],
    policy: PolicyLike | None = None,
    *,
    trials_per_second: float = TRIALS_PER_SECOND,
) -> Estimate:
    """Say how many trials a record will probably take, and how long.

    Parameters
    ----------
    record : Record or dict
    policy : Policy, str or dict, optional
    trials_per_second : float
        The speed of the machine, all its workers together.

    Returns
    -------
    Estimate
        ``trials`` is a guess from the usual spread of a trial, ``most_trials`` a promise.

    Raises
    ------
    RecordError
        As `adjudicate`; also E42, E47 and E51, which stand in its verdict.
    RulesError
        If the speed is not a number above 0.
    """
    if (
        isinstance(trials_per_second, bool)
        or not isinstance(trials_per_second, int | float)
        or not (0 < trials_per_second < inf)
    ):
        raise RulesError(f"trials_per_second is a number above 0, not {shown(trials_per_second)}")
    if not isinstance(record, Record):
        record = Record.from_dict(record)
    try:
        return _estimate(record, resolve(record, policy), trials_per_second)
    except BgcoreError as error:
        raise numbered(error) from error


def _estimate(record: Record, resolved: Policy, trials_per_second: float) -> Estimate:
    if not rule(record, resolved).needs_value:
        return Estimate("rule", 0, 0, 0.0)
    trials = most = 0
    for question, effort in open_questions(record, resolved):
        lines = 2 if question.stakes.can_double and question.may_double_now else 1
        level = question.stakes.levels[0]
        spread = SPREAD * float(level.win[0] - level.lose[0]) / 2
        wanted = effort.checkpoints[-1]
        if effort.target > 0:
            needed = (effort.z * spread / effort.target) ** 2
            wanted = next((count for count in effort.checkpoints if count >= needed), wanted)
        trials += lines * wanted
        most += lines * effort.checkpoints[-1]
    return Estimate("rollout" if most else "exact", trials, most, trials / trials_per_second)
