"""The verdict: one immutable document that says who gets what, why, and how to compute it again."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from bgcore._version import __version__
from bgcore.adjudication.canonical import decimal_text, digest, number_text, parse_decimal, parse_number
from bgcore.adjudication.engine import KERNEL, RNG, SOLVER, Number, Watcher, engine_digests
from bgcore.adjudication.faults import Fault, RecordError, numbered
from bgcore.adjudication.policy import Policy, Precision, load_policy
from bgcore.adjudication.question import equity_table
from bgcore.adjudication.record import Record
from bgcore.adjudication.ruling import Ruling, is_over_when_lost, rule
from bgcore.adjudication.settle import Outcome, Status, conclude, money_interval
from bgcore.adjudication.value import Value, value
from bgcore.errors import BgcoreError, require
from bgcore.job import table_digest
from bgcore.parallel import worker_count

SCHEMA: Final = "bgcore.verdict/1"

PolicyLike = Policy | str | Mapping[str, Any]


@dataclass(frozen=True)
class Verdict:
    """What `adjudicate` decided; immutable, and its dict form is the same bytes on every machine.

    Attributes
    ----------
    case_id : str or None
        The record's.
    status : {"settled", "refunded", "resume", "undecided", "rejected"}
    basis : str
        ``exact``, ``rollout``, ``rule``, or ``exact+rule`` and ``rollout+rule`` where the policy changed the
        number. ``value.basis`` says where an exact number came from.
    reasons : tuple of str
        Codes, in the order in which they decided.
    equity_points_white : Fraction, float or None
        What is settled, in points for white with the cube; exact unless a rollout was needed. None in
        match play and where nothing is settled.
    mwc_white : Fraction, float or None
        White's share of the match, in match play.
    transfer : dict or None
        ``{"from", "to", "amount"}``, money as a decimal string; None when nothing moves.
    payouts : dict or None
        What white, black and the site end up with, and the ``sum``. With a loss limit or bankrolls
        ``escrow_each`` is what each side had put up; without them the pot is what the loser hands over.
        In match play the prizes.
    value : Value or None
        What the position was found to be worth, before the policy's rules; None where it did not matter.
    certain : bool
        Whether a proof or an exact chance of 0 or 1, and not only an opinion, stands behind it.
    sensitivity : dict of str to Fraction or float
        What would have changed it, from white's point of view.
    warnings : tuple of str
        What an operator should look at.
    errors : tuple of Fault
        Why a record was rejected.
    record : Record or None
        What was judged; None if it could not be read.
    policy : Policy or None
        The resolved policy.
    """

    status: Status
    basis: str
    record: Record | None
    policy: Policy | None
    case_id: str | None = None
    reasons: tuple[str, ...] = ()
    number: Number | None = None
    value: Value | None = None
    transfer: Mapping[str, str] | None = None
    payouts: Mapping[str, str] | None = None
    residual: Fraction = Fraction(0)
    warnings: tuple[str, ...] = ()
    errors: tuple[Fault, ...] = ()
    state: Mapping[str, Any] | None = None

    @property
    def is_match(self) -> bool:
        """Whether this is about a match and not about money."""
        return self.record is not None and self.record.match is not None

    @property
    def equity_points_white(self) -> Number | None:
        """What is settled, in points for white."""
        return None if self.is_match else self.number

    @property
    def mwc_white(self) -> Number | None:
        """White's share of the match."""
        return self.number if self.is_match else None

    @property
    def shares(self) -> dict[str, str] | None:
        """The match in parts of a hundred: ``{"white": "67.74", "black": "32.26", "sum": "100.00"}``."""
        if not self.is_match or self.number is None:
            return None
        white = round(Fraction(self.number) * 10_000)
        parts = {"white": white, "black": 10_000 - white, "sum": 10_000}
        return {name: f"{part // 100}.{part % 100:02d}" for name, part in parts.items()}

    @property
    def certain(self) -> bool:
        """Whether no dice could have changed the outcome; only a proof or an exact chance of 0 or 1 sets this."""
        return self.value is not None and self.value.is_certain

    @property
    def practically_certain(self) -> bool:
        """Whether the one-sided 99.9 % bound of a winning chance exceeds 0.9999; for display only, never for money."""
        if self.value is None or self.value.chances is None:
            return False
        chance = float(self.value.chances.win)
        reach = 0.0
        if self.value.trials:
            # With no loss in n trials the bound on the chance of one is -ln(0.001) / n.
            reach = max(3.090 * self.value.win_error, 6.908 / self.value.trials)
        return max(chance, 1 - chance) - reach > 0.9999

    @property
    def sensitivity(self) -> Mapping[str, Number]:
        """What would have changed it, from white's point of view."""
        return {} if self.value is None else self.value.sensitivity

    @property
    def interval_money(self) -> list[str] | None:
        """The 95 % interval of the estimate in money, for white; None where the value is exact."""
        return None if self.record is None else money_interval(self.record, self.value)

    @cached_property
    def repro(self) -> dict[str, Any]:
        """Everything needed to compute the verdict again: digests of record, policy and engine, and the seed."""
        match = None if self.record is None else self.record.match
        seed = None if self.value is None else self.value.seed
        rollouts = () if self.value is None else self.value.rollouts
        is_rolled = self.value is not None and self.value.trials > 0
        is_solved = self.value is not None and self.value.basis == "exact_table"
        return {
            "bgcore": __version__,
            "weights": engine_digests()["weights"] if is_rolled else None,
            "bearoff": f"sha256:{table_digest()}" if is_rolled else SOLVER if is_solved else None,
            "met": None if match is None or self.value is None else equity_table(match.met, match.length).digest,
            "kernel": KERNEL,
            "rng": RNG,
            "seed": None if seed is None else f"0x{seed:016x}",
            "trials": 0 if self.value is None else self.value.trials,
            "plies": max((shown.get("plies", 0) for shown in rollouts), default=0) if is_rolled else None,
            "record": None if self.record is None else self.record.digest,
            "policy": None if self.policy is None else self.policy.digest,
            "bit": True,
        }

    @cached_property
    def verdict_id(self) -> str:
        """SHA-256 of the verdict without ``case_id``: the same question always has the same answer and id.

        Record and policy enter by their digests, which ``repro`` holds.
        """
        return _verdict_id(self._document)

    @cached_property
    def _document(self) -> dict[str, Any]:
        number = None if self.number is None else number_text(self.number)
        previous = None
        if self.record is not None and self.record.meta:
            previous = self.record.meta.get("previous")
        return {
            "schema": SCHEMA,
            "case_id": self.case_id,
            "status": self.status,
            "basis": self.basis,
            "reasons": list(self.reasons),
            "equity_points_white": None if self.is_match else number,
            "mwc_white": number if self.is_match else None,
            "shares": self.shares,
            "transfer": None if self.transfer is None else dict(self.transfer),
            "currency": None if self.record is None else _currency(self.record),
            "payouts": None if self.payouts is None else dict(self.payouts),
            "residual": decimal_text(self.residual),
            "interval_money": self.interval_money,
            "certain": self.certain,
            "practically_certain": self.practically_certain,
            "value": None if self.value is None else self.value.to_dict(),
            "sensitivity": {name: number_text(found) for name, found in self.sensitivity.items()},
            "absence": self.state,
            "warnings": list(self.warnings),
            "errors": [fault.to_dict() for fault in self.errors],
            "record": None if self.record is None else self.record.facts,
            "policy": None if self.policy is None else self.policy.to_dict(),
            "repro": self.repro,
            "previous": previous,
        }

    def __repr__(self) -> str:
        moved = self.transfer
        paid = f", {moved['amount']} from {moved['from']} to {moved['to']}" if moved else ""
        return f"Verdict({self.status}, {self.basis}{paid}, {self.verdict_id})"

    def _repr_html_(self) -> str:
        from bgcore.render.notebook import verdict_html

        return verdict_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON values: no floats, no time of day, the same bytes on every machine."""
        return {"verdict_id": self.verdict_id, **self._document}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Verdict":
        """Read what `to_dict` wrote, for explaining or verifying it.

        Raises
        ------
        RecordError
            E02 for another schema, E05 if it cannot be read.
        """
        if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
            raise RecordError([Fault("E02", "schema", f"this is not a verdict of schema {SCHEMA!r}")])
        try:
            return cls._from_document(document)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError([Fault("E05", "$", f"this verdict cannot be read: {error!r}")]) from error

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> "Verdict":
        record = None
        if document["record"] is not None:
            record = replace(Record.from_dict(document["record"], value_only=True), case_id=document["case_id"])
            if document["previous"] is not None:
                record = replace(record, meta={"previous": document["previous"]})
        found = None
        if document["value"] is not None and record is not None:
            seed = document["repro"]["seed"]
            found = Value.from_dict(
                document["value"],
                document["sensitivity"],
                cube=record.cube.value,
                is_certain=document["certain"],
                trials=document["repro"]["trials"],
                seed=None if seed is None else int(seed, 16),
            )
        number = document["mwc_white"] if document["mwc_white"] is not None else document["equity_points_white"]
        faults = [
            Fault(fault["code"], fault["path"], fault["message"], fault["value"], fault["hint"])
            for fault in document["errors"]
        ]
        return cls(
            status=document["status"],
            basis=document["basis"],
            record=record,
            policy=None if document["policy"] is None else load_policy(document["policy"], opens_files=False),
            case_id=document["case_id"],
            reasons=tuple(document["reasons"]),
            number=None if number is None else parse_number(number),
            value=found,
            transfer=document["transfer"],
            payouts=document["payouts"],
            residual=parse_decimal(document["residual"]),
            warnings=tuple(document["warnings"]),
            errors=tuple(faults),
            state=document["absence"],
        )


_OUTSIDE_THE_ID: Final = ("case_id", "verdict_id", "record", "policy")


def _verdict_id(document: Mapping[str, Any]) -> str:
    return digest({name: value for name, value in document.items() if name not in _OUTSIDE_THE_ID})


def _currency(record: Record) -> str | None:
    if record.money is not None:
        return record.money.currency
    return record.match.prize.currency if record.match is not None and record.match.prize is not None else None


def adjudicate(
    record: Record | Mapping[str, Any],
    policy: PolicyLike | None = None,
    *,
    precision: Precision | str | Mapping[str, Any] | None = None,
    workers: int | None = None,
    progress: Watcher | None = None,
) -> Verdict:
    """Settle an abandoned game.

    Parameters
    ----------
    record : Record or dict
        What was on the table; a dict is read with `Record.from_dict`.
    policy : Policy, str or dict, optional
        The rule of the site: a shipped name, a path, or overrides on ``play65``. By default the record's
        own ``policy``, else ``play65``.
    precision : Precision, str or dict, optional
        Replaces the policy's own.
    workers : int, optional
        Threads of a rollout, by default one for each processor; the answer does not depend on it.
    progress : callable, optional
        Called during a rollout, see `value`.

    Returns
    -------
    Verdict
        Its status is ``rejected``, with ``errors``, where a sound record and a sound policy contradict each
        other (E42, E47) or no evaluator knows the rules or can carry the stakes (E51).

    Raises
    ------
    RecordError
        With all faults of a record or a policy that cannot be used, or E49 where weights are missing.
    RulesError
        If ``workers`` is not a whole number above 0.
    """
    if workers is not None:
        worker_count(workers)
    if not isinstance(record, Record):
        record = Record.from_dict(record)
    resolved = resolve(record, policy, precision)
    try:
        ruling = rule(record, resolved)
        found: Value | None = None
        if ruling.form == "resume" and ruling.leaver and is_over_when_lost(ruling.state, ruling.leaver, resolved):
            found = value(record, resolved, workers=workers, progress=progress)
            if _is_lost(found, ruling, resolved):
                ruling = rule(record, resolved, is_lost=True)
        if ruling.needs_value:
            found = value(record, resolved, workers=workers, progress=progress)
        return settle(found, record, resolved, ruling)
    except BgcoreError as error:
        found_faults = numbered(error)
        if any(fault.code == "E49" for fault in found_faults.errors):
            raise found_faults from error
        return rejected(found_faults, record, resolved)


def resolve(
    record: Record, policy: PolicyLike | None = None, precision: Precision | str | Mapping[str, Any] | None = None
) -> Policy:
    """Return the policy that holds for a record: the one given, else the record's own, else play65.

    Raises
    ------
    RecordError
        As `load_policy`.
    """
    if policy is not None:
        resolved = load_policy(policy)
    else:
        resolved = load_policy("play65" if record.policy is None else record.policy, opens_files=False)
    if precision is None:
        return resolved
    if not isinstance(precision, Precision):
        precision = load_policy({"precision": precision}).precision
    return replace(resolved, precision=precision)


def _is_lost(found: Value, ruling: Ruling, policy: Policy) -> bool:
    """Whether the leaver's fair value is so bad that his time is shortened."""
    if found.unit == "mwc":
        own = found.number if ruling.leaver == "white" else 1 - found.number
        return 2 * own - 1 <= policy.lost_below
    per_cube = found.number / found.cube
    return (per_cube if ruling.leaver == "white" else -per_cube) <= policy.lost_below


def settle(
    found: Value | None,
    record: Record | Mapping[str, Any],
    policy: PolicyLike | None = None,
    ruling: Ruling | None = None,
) -> Verdict:
    """Turn a value into a verdict: pure arithmetic, so that a server may keep an evaluator of its own.

    Parameters
    ----------
    found : Value or None
        From `value`; may be None where the policy does not need one.
    record : Record or dict
    policy : Policy, str or dict, optional
    ruling : Ruling, optional
        What the policy says about the absence, if it was worked out already.

    Raises
    ------
    RecordError
        E42 and E47 as faults; E49 if a value is needed and none is given.
    """
    require(found, (Value, type(None)), "what is settled is a Value or None")
    if not isinstance(record, Record):
        record = Record.from_dict(record)
    resolved = resolve(record, policy)
    decided = ruling or rule(record, resolved)
    if decided.needs_value and found is None:
        raise RecordError([Fault("E49", "$", "this policy needs the value of the position, and none was given")])
    outcome: Outcome = conclude(record, resolved, decided, found)
    return Verdict(
        status=outcome.status,
        basis=outcome.basis,
        record=record,
        policy=resolved,
        case_id=record.case_id,
        reasons=(*decided.reasons, *outcome.reasons, *_cube_reasons(record, found if decided.needs_value else None)),
        number=outcome.number,
        value=found if decided.needs_value else None,
        transfer=outcome.transfer,
        payouts=outcome.payouts,
        residual=outcome.residual,
        warnings=(*decided.warnings, *(fault.code + "_" + fault.name for fault in record.warnings)),
        state=decided.state.to_dict(),
    )


def _cube_reasons(record: Record, found: Value | None) -> tuple[str, ...]:
    """How the cube entered the value."""
    if found is None or not record.cube.enabled or record.on_roll is None or record.pending is not None:
        return ()
    if found.action == "no_cube":
        return ("CUBE_DEAD",) if record.cube.owner == record.on_roll else ()
    return (f"{record.on_roll.upper()}_{found.action.upper()}",)


def rejected(
    error: RecordError, record: Record | None = None, policy: Policy | None = None, case_id: str | None = None
) -> Verdict:
    """Return the verdict on something that cannot be judged."""
    return Verdict(
        status="rejected",
        basis="rule",
        record=record,
        policy=policy,
        case_id=case_id if record is None else record.case_id,
        errors=error.errors,
        reasons=tuple(dict.fromkeys(f"{fault.code}_{fault.name}" for fault in error.errors)),
    )


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found.

    Parameters
    ----------
    bit_equal : bool
        Whether the verdict was computed again to the last bit.
    max_difference_points : float
        The largest difference between the two numbers (points, or match share), 0 if equal.
    reasons : tuple of str
        What differs, as sentences.
    """

    bit_equal: bool
    max_difference_points: float
    reasons: tuple[str, ...]


def verify(
    verdict: Verdict | Mapping[str, Any],
    record: Record | Mapping[str, Any] | None = None,
    *,
    workers: int | None = None,
) -> Verification:
    """Compute a verdict again and compare.

    Parameters
    ----------
    verdict : Verdict or dict
        As it was handed out.
    record : Record or dict, optional
        The record as its owner keeps it; by default the one inside the verdict.
    workers : int, optional
        Threads; any number gives the same bits.

    Raises
    ------
    RecordError
        If the verdict or the record cannot be read.
    """
    require(verdict, (Verdict, Mapping), "what is verified is a Verdict or its dict")
    claimed = verdict.to_dict() if isinstance(verdict, Verdict) else dict(verdict)
    original = verdict if isinstance(verdict, Verdict) else Verdict.from_dict(verdict)
    if record is None:
        record = original.record
    elif not isinstance(record, Record):
        # A record that was refused is read as strictly again; any other was read by the one that judged it.
        record = Record.from_dict(record, value_only=original.record is not None)
    if record is None or original.policy is None:
        return Verification(False, 0.0, ("the verdict holds no record that could be judged again",))
    reasons = []
    if record.case_id not in (None, original.case_id):
        reasons.append(f"the verdict is on the case {original.case_id!r}, the record on {record.case_id!r}")
    if original.record is not None and original.record.digest != record.digest:
        reasons.append(
            f"the record is not the one that was judged: {record.digest} instead of {original.record.digest}"
        )
    again = adjudicate(replace(record, case_id=original.case_id), original.policy, workers=workers)
    redone = again.to_dict()
    if "previous" in claimed:
        redone["previous"] = claimed["previous"]
        redone["verdict_id"] = _verdict_id(redone)
    reasons += [
        f"{name} differs: {claimed.get(name)!r} was claimed, {redone[name]!r} was computed"
        for name in redone
        if name in claimed and claimed[name] != redone[name]
    ]
    reasons += [f"{name} is missing" for name in redone if name not in claimed]
    foreign = [name for name in claimed if name not in redone and not str(name).startswith("x_")]
    reasons += [f"{name} is no field of a verdict" for name in foreign]
    difference = 0.0
    if original.number is not None and again.number is not None:
        difference = abs(float(original.number) - float(again.number))
    return Verification(not reasons, difference, tuple(reasons))
