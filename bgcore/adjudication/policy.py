"""Policies: the rules of a site for games that stop, as small TOML files over one evaluator.

A policy decides *when* an absence ends a game and *what form* the settlement takes; what a position is
worth never depends on whose site it was played on, except where the policy says how open offers, known
dice and the leaver's cube are to be read.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from bgcore.adjudication.canonical import decimal_text, digest
from bgcore.adjudication.document import unreadable
from bgcore.adjudication.faults import Fault, Faults, RecordError, nearest, shortened
from bgcore.adjudication.fields import Fields

SHIPPED: Final = (
    "play65", "truemoneygames", "gamesgrid_amr", "portal_m2p", "forfeit", "refund", "resume_only", "claim",
)  # fmt: skip
BASE: Final = "play65"

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "one_away": ("equity", "forfeit", "majority", "refund", "resume", "leaver_min", "claim"),
    "both_away": ("equity", "refund", "majority", "resume"),
    "server_fault": ("equity", "refund", "resume", "same_as_player"),
    "none_away": ("reject", "equity", "resume"),
    "clock_expired": ("forfeit", "equity"),
    "clock_loss": ("game", "match"),
    "grace_scope": ("per_absence", "per_game", "per_round"),
    "dice": ("honour", "reroll", "reroll_server_fault"),
    "pending_double": ("best", "take", "pass", "leaver_worst", "void"),
    "pending_beaver": ("best", "accept", "refuse", "leaver_worst", "void"),
    "pending_resign": ("best", "accept", "void"),
    "leaver": ("equity", "no_gain", "leaver_min", "fee", "forfeit"),
    "deliberate": ("same", "no_gain", "leaver_min", "fee", "forfeit"),
    "leaver_cube": ("optimal", "frozen", "present_only"),
    "forfeit_points": ("cube", "most_still_possible", "certain_level", "limit", "match"),
    "rounding": ("half_even", "half_up", "to_present", "to_payer"),
}
"""The words each key allows, the default of the documentation first."""

UNDECIDED: Final = ("equity", "refund", "human")


@dataclass(frozen=True, slots=True)
class Fee:
    """What a leaver pays on top: a rate of the cube, of the stake, or of the loss limit, to whom."""

    rate: Decimal = Decimal(0)
    of: str = "cube"
    to: str = "present"

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {"rate": str(self.rate), "of": self.of, "to": self.to}


@dataclass(frozen=True, slots=True)
class Precision:
    """How hard an evaluation that is not exact has to work; never in terms of time.

    Parameters
    ----------
    profile : {"draft", "standard", "official"}
        A name for the whole setting: a first look, the usual verdict, an appeal.
    goal : {"money", "points", "trials"}
        Stop when the interval is small in money, small in points, or at ``max_trials``.
    materiality_minor : int
        Smallest money units that do not matter.
    materiality_rate : Decimal
        Share of the cube value that does not matter. The larger of the two holds.
    z_stop : Decimal
        Standard errors that must fit; above the plain 1.96, because there are several looks.
    checkpoints : tuple of int
        Numbers of trials after which to look; the last one always ends the rollout.
    plies : 0 or 1
        How many rolls ahead the plays of a rollout are chosen. Endings, where a side bears off or all
        contact is gone, are short and are always played one roll ahead; bear-offs without contact by the
        one-sided tables.
    """

    profile: str = "standard"
    goal: str = "money"
    materiality_minor: int = 1
    materiality_rate: Decimal = Decimal("0.02")
    z_stop: Decimal = Decimal("2.58")
    checkpoints: tuple[int, ...] = (144, 324, 648, 1296, 2592, 5184)
    plies: int = 0

    @property
    def max_trials(self) -> int:
        """The most trials spent on one position."""
        return self.checkpoints[-1]

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "profile": self.profile,
            "goal": self.goal,
            "materiality_minor": self.materiality_minor,
            "materiality_rate": str(self.materiality_rate),
            "z_stop": str(self.z_stop),
            "checkpoints": list(self.checkpoints),
            "plies": self.plies,
        }


MOST_TRIALS: Final = 10_000_000
"""The most a policy may ask of one position: hours of work for a standard error of a few ten-thousandths of a point."""

PROFILES: Final = {
    "draft": Precision("draft", materiality_rate=Decimal("0.05"), checkpoints=(144, 324, 648, 1296)),
    "standard": Precision(),
    "official": Precision(
        "official",
        materiality_rate=Decimal("0.01"),
        checkpoints=(144, 324, 648, 1296, 2592, 5184, 10368, 20736, 41472),
        plies=1,
    ),
}


@dataclass(frozen=True)
class Policy:
    """A complete set of answers; see ``docs`` for what each word means and `CHOICES` for the words.

    Build one with `load_policy`, or give `bgcore.adjudication.adjudicate` a name or a dict of overrides.
    """

    name: str = BASE
    title: str = ""
    one_away: str = "equity"
    both_away: str = "equity"
    server_fault: str = "refund"
    none_away: str = "reject"
    clock_expired: str = "forfeit"
    clock_loss: str = "game"
    grace_ms: int = 180_000
    grace_scope: str = "per_absence"
    grace_shares_clock: bool = False
    grace_lost_divisor: int = 1
    lost_below: Decimal = Decimal("-0.9")
    simultaneous_ms: int = 5_000
    refund_needs_simultaneous: bool = False
    first_leaver_matters: bool = False
    min_plies: int = 2
    dice: str = "honour"
    pending_double: str = "best"
    pending_beaver: str = "best"
    pending_resign: str = "best"
    leaver: str = "equity"
    deliberate: str = "same"
    leaver_cube: str = "optimal"
    leaver_fee: Fee = field(default_factory=Fee)
    forfeit_points: str = "most_still_possible"
    majority_threshold: Fraction = Fraction(1, 2)
    undecided: tuple[str, ...] = UNDECIDED
    rounding: str = "half_even"
    precision: Precision = field(default_factory=Precision)

    def to_dict(self) -> dict[str, Any]:
        """Return the resolved policy as JSON values; `load_policy` reads it back to an equal one."""
        return dict(self._document)

    @cached_property
    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name.endswith("_ms"):
                document[_SECONDS[item.name]] = _seconds(value)
            elif isinstance(value, Fee | Precision):
                document[item.name] = value.to_dict()
            elif item.name == "majority_threshold":
                document["majority"] = {"threshold": decimal_text(value)}
            elif isinstance(value, Decimal):
                document[item.name] = str(value)
            else:
                document[item.name] = list(value) if isinstance(value, tuple) else value
        return document

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the resolved policy."""
        return digest(self._document)


_SECONDS: Final = {"grace_ms": "grace_seconds", "simultaneous_ms": "simultaneous_s"}
_OTHER_KEYS: Final = (
    "name", "title", "grace_seconds", "grace_shares_clock", "grace_lost_divisor", "lost_below", "simultaneous_s",
    "refund_needs_simultaneous", "first_leaver_matters", "min_plies", "leaver_fee", "majority", "undecided",
    "precision",
)  # fmt: skip
KEYS: Final = (*CHOICES, *_OTHER_KEYS)
PRECISION_KEYS: Final = (
    "profile", "goal", "materiality_minor", "materiality_rate", "z_stop", "checkpoints", "max_trials",
    "plies",
)  # fmt: skip


def policies() -> tuple[str, ...]:
    """Names of the policies that come with the package."""
    return SHIPPED


def load_policy(source: "str | Path | Mapping[str, Any] | Policy" = BASE, *, opens_files: bool = True) -> Policy:
    """Read a policy.

    Parameters
    ----------
    source : str, Path, dict or Policy
        The name of a shipped policy, the path of a TOML file, or a dict of overrides. A dict or file
        whose ``name`` is that of a shipped policy starts from that one, any other starts from play65.
    opens_files : bool
        False for what stands in a record or a verdict, which must not make us open a file.

    Raises
    ------
    RecordError
        E45 for an unknown name or unreadable file; E03, E05 and E46 for unknown keys, wrong types and
        unknown words; E47 for answers that contradict each other. All faults at once.
    """
    if isinstance(source, Policy):
        return source
    if isinstance(source, Mapping):
        return _resolved(source)
    if isinstance(source, str) and source in SHIPPED:
        return _shipped(source)
    if not isinstance(source, str | Path):
        what = f"a policy is a name, a TOML file or a dict of overrides, not {type(source).__name__}"
        raise RecordError([Fault("E45", "policy", what)])
    path = Path(source) if opens_files else None
    if path is None or path.suffix != ".toml":
        name = shortened(str(source))
        raise RecordError([Fault("E45", "policy", f"there is no policy {name!r}", name, nearest(name, SHIPPED))])
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        faults = Faults()
        faults.add("E45", "policy", f"the policy file {path} cannot be read: {error}", str(path))
        raise RecordError(faults.errors) from error
    return _resolved(document)


def policy_text(name: str) -> str:
    """Return the TOML text of a shipped policy, to be copied and changed.

    Raises
    ------
    RecordError
        E45 for an unknown name.
    """
    _shipped(name)
    return (files("bgcore.adjudication") / "policies" / f"{name}.toml").read_text(encoding="utf-8")


@cache
def _shipped(name: str) -> Policy:
    if name not in SHIPPED:
        raise RecordError([Fault("E45", "policy", f"there is no policy {name!r}", name, nearest(name, SHIPPED))])
    text = (files("bgcore.adjudication") / "policies" / f"{name}.toml").read_text(encoding="utf-8")
    return _read(tomllib.loads(text), Policy())


def _resolved(document: Mapping[str, Any]) -> Policy:
    if reason := unreadable(document):
        raise RecordError([Fault("E45", "policy", f"the policy cannot be read: {reason}")])
    name = document.get("name")
    base = _shipped(name if isinstance(name, str) and name in SHIPPED else BASE)
    policy = _read(document, base)
    if "name" not in document and policy != base:
        policy = replace(policy, name="custom", title="")
    return policy


def _read(document: Mapping[str, Any], base: Policy) -> Policy:
    """Return the base policy with the document's keys laid over it."""
    faults = Faults()
    top = Fields(faults, document, "policy", KEYS)
    changes: dict[str, Any] = {
        key: top.choice(key, allowed, getattr(base, key)) for key, allowed in CHOICES.items() if key in top
    }
    for key in ("name", "title"):
        if key in top:
            changes[key] = top.text(key, getattr(base, key))
    for key in ("grace_shares_clock", "refund_needs_simultaneous", "first_leaver_matters"):
        if key in top:
            changes[key] = top.boolean(key)
    for key, least in (("min_plies", 0), ("grace_lost_divisor", 1)):
        if key in top:
            number = top.integer(key, getattr(base, key))
            if number is not None and number < least:
                faults.add("E46", top.at(key), f"{key} must be {least} or more, not {number}", number)
            changes[key] = number
    for name, key in _SECONDS.items():
        if key in top:
            milliseconds = top.milliseconds(key, getattr(base, name))
            changes[name] = milliseconds
    if "lost_below" in top:
        changes["lost_below"] = top.ratio("lost_below", base.lost_below)
    if "leaver_fee" in top:
        changes["leaver_fee"] = _read_fee(top, base.leaver_fee)
    if "majority" in top:
        changes["majority_threshold"] = _read_threshold(top, base.majority_threshold)
    if "undecided" in top:
        changes["undecided"] = _read_undecided(top, base.undecided)
    if "precision" in top:
        changes["precision"] = _read_precision(top, base.precision)
    faults.refuse()
    policy = replace(base, **changes)
    takes_fee = "fee" in (policy.leaver, policy.deliberate)
    if takes_fee and not policy.leaver_fee.rate:
        what = "leaver" if policy.leaver == "fee" else "deliberate"
        faults.add("E47", "policy.leaver_fee", f"{what} is 'fee', but the fee has no rate", None, "set leaver_fee.rate")
    elif policy.leaver_fee.rate and not takes_fee:
        if "leaver_fee" in top:
            faults.add(
                "E47",
                "policy.leaver_fee",
                "the fee has a rate, but neither leaver nor deliberate is 'fee', so nobody would pay it",
                str(policy.leaver_fee.rate),
                "set leaver to 'fee', or leave the fee out",
            )
        # Whoever turns off a policy's fee need not say so twice.
        policy = replace(policy, leaver_fee=Fee())
    faults.refuse()
    return policy


def _read_fee(top: Fields, base: Fee) -> Fee:
    raw = top.raw("leaver_fee")
    if isinstance(raw, str | int | float):
        raw = {"rate": raw}
    fields_ = Fields(top.faults, raw, top.at("leaver_fee"), ("rate", "of", "to"))
    if not fields_.is_object:
        return base
    rate = fields_.ratio("rate", base.rate)
    if not 0 <= rate <= 1:
        top.faults.add(
            "E46", fields_.at("rate"), f"a fee is a share from 0 to 1, not {rate}", str(rate), "10 % is written 0.1"
        )
    return Fee(
        rate,
        fields_.choice("of", ("cube", "stake", "limit"), base.of),
        fields_.choice("to", ("present", "house"), base.to),
    )


def _read_threshold(top: Fields, base: Fraction) -> Fraction:
    fields_ = Fields(top.faults, top.raw("majority"), top.at("majority"), ("threshold",))
    if "threshold" not in fields_:
        return base
    threshold = fields_.ratio("threshold", Decimal("0.5"))
    if not Decimal("0.5") <= threshold < 1:
        top.faults.add(
            "E46",
            fields_.at("threshold"),
            f"a majority is at least 0.5 and less than 1, not {threshold}",
            str(threshold),
        )
        return base
    return Fraction(threshold)


def _read_undecided(top: Fields, base: tuple[str, ...]) -> tuple[str, ...]:
    chain = top.raw("undecided")
    if not isinstance(chain, list | tuple) or not chain:
        top.wrong("undecided", "an array of " + ", ".join(UNDECIDED))
        return base
    for place, word in enumerate(chain):
        if word not in UNDECIDED:
            top.faults.add(
                "E46",
                f"{top.at('undecided')}.{place}",
                f"undecided cannot hold {word!r}",
                word,
                nearest(word, UNDECIDED),
            )
    return tuple(map(str, chain))


def _read_precision(top: Fields, base: Precision) -> Precision:
    raw = top.raw("precision")
    if isinstance(raw, Precision):
        return raw
    if isinstance(raw, str):
        raw = {"profile": raw}
    fields_ = Fields(top.faults, raw, top.at("precision"), PRECISION_KEYS)
    if not fields_.is_object:
        return base
    if "profile" in fields_:
        base = PROFILES.get(fields_.choice("profile", tuple(PROFILES), base.profile), base)
    changes: dict[str, Any] = {}
    if "goal" in fields_:
        changes["goal"] = fields_.choice("goal", ("money", "points", "trials"), base.goal)
    if "materiality_minor" in fields_:
        changes["materiality_minor"] = fields_.integer("materiality_minor", base.materiality_minor)
    for key in ("materiality_rate", "z_stop"):
        if key in fields_:
            changes[key] = fields_.ratio(key, getattr(base, key))
    if "plies" in fields_:
        plies = fields_.integer("plies", base.plies)
        if plies not in (0, 1):
            top.faults.add("E46", fields_.at("plies"), f"plies must be 0 or 1, not {plies}", plies)
        else:
            changes["plies"] = plies
    checkpoints = list(base.checkpoints)
    if "checkpoints" in fields_:
        raw_points = fields_.raw("checkpoints")
        if (
            not isinstance(raw_points, list | tuple)
            or not raw_points
            or any(isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= MOST_TRIALS for n in raw_points)
            or list(raw_points) != sorted(set(raw_points))
        ):
            fields_.wrong("checkpoints", f"a rising array of whole numbers from 2 to {MOST_TRIALS}")
        else:
            checkpoints = list(raw_points)
    if "max_trials" in fields_:
        most = fields_.integer("max_trials", checkpoints[-1])
        if most is not None and not 2 <= most <= MOST_TRIALS:
            top.faults.add("E46", fields_.at("max_trials"), f"max_trials must be 2 to {MOST_TRIALS}, not {most}", most)
        elif most is not None:
            checkpoints = [*(n for n in checkpoints if n < most), most]
    return replace(base, checkpoints=tuple(checkpoints), **changes)


def _seconds(milliseconds: int) -> int | str:
    """Whole seconds as a number, anything else as text with three decimals."""
    if milliseconds % 1000 == 0:
        return milliseconds // 1000
    return f"{milliseconds // 1000}.{milliseconds % 1000:03d}"
