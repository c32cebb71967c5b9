"""From a value and a ruling to money: exact arithmetic, rounded once, and not a cent lost or made.

Nothing here evaluates a position. Amounts are whole minor units inside, decimal strings outside.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal

from bgcore._core import Position
from bgcore.adjudication.engine import Number
from bgcore.adjudication.faults import Fault, RecordError
from bgcore.adjudication.policy import Policy
from bgcore.adjudication.proof import certainty, most_possible
from bgcore.adjudication.question import Question, equity_table
from bgcore.adjudication.record import OTHER, Colour, Match, Money, Record
from bgcore.adjudication.ruling import Ruling
from bgcore.adjudication.turn import completions
from bgcore.adjudication.value import Value, counts_dice
from bgcore.rules import outcome_points

Status = Literal["settled", "refunded", "resume", "undecided", "rejected"]
STATUSES: Final[tuple[Status, ...]] = ("settled", "refunded", "resume", "undecided", "rejected")
_HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a settlement comes to, in the record's own terms.

    Parameters
    ----------
    status : str
    basis : str
        ``exact``, ``rollout``, ``rule``, or one of the first two with ``+rule`` where the policy changed
        the number.
    number : Fraction, float or None
        Points for white, or white's share of the match; None where nothing is settled.
    transfer : dict or None
        ``from``, ``to`` and ``amount`` in money play; None if nothing moves.
    payouts : dict or None
        What each side and the site end up with, and their sum.
    residual : Fraction
        What rounding left over: the exact amount less the amount paid, in currency.
    reasons : tuple of str
        Added to those of the ruling.
    """

    status: Status
    basis: str
    number: Number | None
    transfer: dict[str, str] | None = None
    payouts: dict[str, str] | None = None
    residual: Fraction = Fraction(0)
    reasons: tuple[str, ...] = ()


def conclude(record: Record, policy: Policy, ruling: Ruling, value: Value | None) -> Outcome:
    """Turn a ruling, and a value if it needs one, into an outcome.

    Raises
    ------
    RecordError
        E47 where record and policy contradict each other.
    """
    if ruling.form == "resume":
        return Outcome("resume", "rule", None)
    if ruling.form == "undecided":
        return Outcome("undecided", "rule", None)
    if ruling.form == "refund":
        return _refund(record)
    if ruling.form == "forfeit":
        assert ruling.leaver is not None
        return _forfeit(record, policy, ruling)
    assert value is not None
    if ruling.form == "majority":
        return _majority(record, policy, ruling, value)
    return _equity(record, policy, ruling, value)


def _equity(record: Record, policy: Policy, ruling: Ruling, value: Value) -> Outcome:
    match = record.match
    if match is not None and match.bracket and match.next_round_value is None:
        raise RecordError(
            [
                Fault(
                    "E47",
                    "policy.one_away",
                    "a seat in the next round cannot be shared by equity",
                    policy.one_away,
                    "give match.next_round_value, or use majority or forfeit",
                )
            ]
        )
    number, fee = value.number, Fraction(0)
    leaver = ruling.leaver
    if leaver is not None and ruling.leaver_rule != "equity":
        number, fee = _bent(record, policy, ruling.leaver_rule, leaver, value)
    basis = "exact" if value.is_exact else "rollout"
    reasons: tuple[str, ...] = (value.basis.upper(),)
    if number != value.number or fee:
        basis += "+rule"
        reasons = (*reasons, f"LEAVER_{ruling.leaver_rule.upper()}")
    return _paid(record, policy, ruling, number, basis, reasons, house_fee=fee)


def _bent(record: Record, policy: Policy, rule: str, leaver: Colour, value: Value) -> tuple[Number, Fraction]:
    """Return the number after the leaver's rule, and a fee that goes to the house, in points or match share."""
    total = 0 if record.match is None else 1
    own: Number = value.number if leaver == "white" else total - value.number
    fee = Fraction(0)
    if rule == "no_gain":
        own = min(own, _even(record, leaver))
    elif rule == "leaver_min":
        own = min(own, given_up(record, leaver, value))
    else:
        fee = _fee(record, policy)
        if record.match is not None and record.match.prize is None and policy.leaver_fee.to == "house":
            # Where there is no prize, there is nothing that the house could be paid.
            fee = Fraction(0)
        if policy.leaver_fee.to == "present":
            own, fee = max(own - fee, _floor(record)), Fraction(0)
    return (own if leaver == "white" else total - own), fee


def _even(record: Record, side: Colour) -> Fraction:
    """Return what a side had before the game: nothing in money, the score's chance in a match."""
    if record.match is None:
        return Fraction(0)
    score = record.match.seen_by(side)
    return equity_table(record.match.met, score.length).mwc_at(score)


def given_up(record: Record, side: Colour, value: Value) -> Number:
    """Return what a side gets if it gives up now: by refusing the cube if it is asked, else as a single game."""
    pending = record.pending
    is_asked = pending is not None and pending.type != "resign" and pending.by != side
    refused = value.sensitivity.get("pass", value.sensitivity.get("refuse")) if is_asked else None
    if refused is not None:
        total = 0 if record.match is None else 1
        return refused if side == "white" else total - refused
    question = Question.of(record, record.position, record.on_roll or "white")
    stakes = question.stakes if side == (record.on_roll or "white") else question.stakes.flip()
    return stakes.levels[0].lose[0]


def _floor(record: Record) -> Fraction:
    """Return the least a side can be left with: minus the cap, or no chance at all."""
    if record.money is None:
        return Fraction(0)
    cap = cap_points(record.money)
    return Fraction(-(1 << 60)) if cap is None else -cap


def _fee(record: Record, policy: Policy) -> Fraction:
    """Return the leaver's fee in points, or as a share of the match."""
    rate = Fraction(policy.leaver_fee.rate)
    if record.money is None:
        # A match has neither stake nor limit: the fee is a share of what the match is about.
        return min(rate, Fraction(1))
    if policy.leaver_fee.of == "cube":
        return rate * record.cube.value
    if policy.leaver_fee.of == "stake":
        return rate
    return rate * _limit_points(record.money)


def _limit_points(money: Money) -> Fraction:
    cap = cap_points(money)
    if cap is None:
        raise RecordError(
            [
                Fault(
                    "E47",
                    "money.limit",
                    "the policy counts in loss limits, but this game has none",
                    None,
                    "give money.limit",
                )
            ]
        )
    return cap


def cap_points(money: Money) -> Fraction | None:
    """Return the most points that can change hands, if there is a limit or a bankroll."""
    return None if money.cap is None else Fraction(money.cap) / Fraction(money.stake)


def _majority(record: Record, policy: Policy, ruling: Ruling, value: Value) -> Outcome:
    """Give the favourite the cube, or the match; an exact tie is a tie and never a coin flip."""
    threshold = policy.majority_threshold
    if value.unit == "mwc":
        chance: Number = value.number
        error: float = value.std_error or 0.0
    elif value.chances is not None:
        chance, error = value.chances.win, float(value.win_error)
    elif value.is_certain:
        # A certain win whose points are not, and do not matter under the cap.
        chance, error = Fraction(value.number > 0), 0.0
    else:
        raise RecordError([Fault("E51", "policy.one_away", "the chance to win this game is not known")])
    reach = 2.58 * error
    basis = "exact" if value.is_exact else "rollout"
    favourite: Colour | None = None
    if not value.is_exact and any(abs(float(chance - bound)) <= reach for bound in (threshold, 1 - threshold)):
        return _fallback(record, policy, ruling, value)
    if chance > threshold:
        favourite = "white"
    elif 1 - chance > threshold:
        favourite = "black"
    if record.match is not None:
        share = _HALF if favourite is None else Fraction(favourite == "white")
        return _paid(record, policy, ruling, share, basis, (value.basis.upper(), _majority_code(favourite)))
    cap = cap_points(record.money) if record.money is not None else None
    points = Fraction(record.cube.value) if cap is None else min(Fraction(record.cube.value), cap)
    number = Fraction(0) if favourite is None else points if favourite == "white" else -points
    return _paid(record, policy, ruling, number, basis, (value.basis.upper(), _majority_code(favourite)))


def _majority_code(favourite: Colour | None) -> str:
    return "MAJORITY_TIE" if favourite is None else f"MAJORITY_{favourite.upper()}"


def _fallback(record: Record, policy: Policy, ruling: Ruling, value: Value) -> Outcome:
    """Follow the policy's chain, because the interval straddles the threshold."""
    for choice in policy.undecided:
        if choice == "refund":
            return replace(_refund(record), reasons=("INTERVAL_STRADDLES",))
        if choice == "human":
            break
        if not (record.match is not None and record.match.bracket and record.match.next_round_value is None):
            outcome = _equity(record, policy, ruling, value)
            return replace(outcome, reasons=(*outcome.reasons, "INTERVAL_STRADDLES"))
    return Outcome("undecided", "rollout", None, reasons=("INTERVAL_STRADDLES",))


def _forfeit(record: Record, policy: Policy, ruling: Ruling) -> Outcome:
    """Make the leaver lose: in money what the policy says, in a match the match."""
    loser = ruling.leaver
    assert loser is not None
    winner = OTHER[loser]
    if record.match is not None:
        return _paid(
            record, policy, ruling, Fraction(winner == "white"), "rule", (f"FORFEIT_{loser.upper()}", "FORFEIT_MATCH")
        )
    assert record.money is not None
    cap = cap_points(record.money)
    if ruling.points == "limit":
        points = _limit_points(record.money)
    else:
        kinds = {"cube": 1, "certain_level": _level(record, policy, winner, is_most=False)}.get(
            ruling.points, _level(record, policy, winner, is_most=True)
        )
        points = Fraction(record.cube.value * kinds)
    if cap is not None:
        points = min(points, cap)
    number = points if winner == "white" else -points
    return _paid(
        record, policy, ruling, number, "rule", (f"FORFEIT_{loser.upper()}", f"FORFEIT_{ruling.points.upper()}")
    )


def _level(record: Record, policy: Policy, winner: Colour, *, is_most: bool) -> int:
    """Return the highest kind of win the winner can still reach, or the lowest that is certain, at least 1."""
    if record.rules.jacoby and record.cube.owner == "centre":
        return 1
    mover = record.on_roll or "white"
    gammon_rule, bearoff_rule = record.rules.gammon_rule, record.rules.bearoff_rule

    def level(position: Position, is_mine: bool) -> int:
        proved = certainty(position, gammon_rule, bearoff_rule)
        if proved is not None:
            # Where the other side is sure to win, the leaver still forfeits the game, but no gammon was possible.
            return (proved.most if is_most else proved.least) if proved.is_mine == is_mine else 1
        return most_possible(position, is_mine, gammon_rule, bearoff_rule) if is_most else 1

    is_mine = mover == winner
    if not counts_dice(record, policy) or outcome_points(record.position, gammon_rule):
        return level(record.position, is_mine)
    assert record.dice is not None
    after = completions(record.position, record.dice, record.moved, bearoff_rule)
    return (max if is_mine else min)([level(result.flip(), not is_mine) for result in after])


def _refund(record: Record) -> Outcome:
    """Everybody gets back what they put up."""
    if record.match is not None:
        prize = record.match.prize
        if prize is None:
            return Outcome("refunded", "rule", _HALF)
        return Outcome("refunded", "rule", _HALF, None, _prize_payouts(record.match, _HALF, None, "half_even"))
    assert record.money is not None
    return Outcome("refunded", "rule", Fraction(0), None, _payouts(record.money, None, 0, 0, 0))


def _paid(
    record: Record,
    policy: Policy,
    ruling: Ruling,
    number: Number,
    basis: str,
    reasons: tuple[str, ...],
    *,
    house_fee: Fraction = Fraction(0),
) -> Outcome:
    """Quantise once, rake, and lay the pot out."""
    present = OTHER[ruling.leaver] if ruling.leaver is not None else None
    if record.match is not None:
        payouts = None
        if record.match.prize is not None:
            payouts = _prize_payouts(record.match, number, present, policy.rounding, house_fee, ruling.leaver)
        return Outcome("settled", basis, number, None, payouts, reasons=reasons)
    money = record.money
    assert money is not None
    winner: Colour = "white" if number > 0 else "black"
    unit = 10**money.minor_digits
    points, of_points = number.as_integer_ratio()
    stake, of_stake = money.stake.as_integer_ratio()
    exact = Fraction(abs(points) * stake * unit, of_points * of_stake)
    if money.cap is not None:
        # The cap in points may be no float, and an estimate at the cap then a trifle above it.
        exact = min(exact, Fraction(money.cap) * unit)
    units = quantise(exact, policy.rounding, present, winner)
    residual = (exact - units) / unit
    if not isinstance(number, Fraction):
        residual = round(residual, 9)
    transfer = None
    if units:
        transfer = {"from": OTHER[winner], "to": winner, "amount": amount_text(units, money.minor_digits)}
    rake = _rake(money, units)
    fee = quantise(house_fee * Fraction(money.stake) * unit, "half_even", None, winner) if house_fee else 0
    payouts = _payouts(money, winner if units else None, units, rake, fee, payer=ruling.leaver)
    return Outcome("settled", basis, number, transfer, payouts, residual, reasons)


def quantise(exact: Fraction, rounding: str, present: Colour | None, winner: Colour) -> int:
    """Round a non-negative amount to whole minor units.

    ``half_even`` and ``half_up`` round to the nearest; ``to_present`` in favour of the side that stayed;
    ``to_payer`` down. With nobody to favour, ``to_present`` is ``half_even``.
    """
    whole, rest = divmod(exact.numerator, exact.denominator)
    if not rest or rounding == "to_payer":
        return whole
    if rounding == "to_present" and present is not None:
        return whole + 1 if present == winner else whole
    if 2 * rest == exact.denominator:
        return whole + 1 if rounding == "half_up" else whole + whole % 2
    return whole + (2 * rest > exact.denominator)


def _rake(money: Money, units: int) -> int:
    """Return the site's part of a transfer, rounded down, within its bounds, never more than the transfer."""
    rake = money.rake
    if not units or (not rake.rate and not rake.min):
        return 0
    unit = 10**money.minor_digits
    taken = int(units * Fraction(rake.rate))
    if rake.min is not None:
        taken = max(taken, int(Fraction(rake.min) * unit))
    if rake.max is not None:
        taken = min(taken, int(Fraction(rake.max) * unit))
    return min(taken, units)


def _payouts(
    money: Money, winner: Colour | None, units: int, rake: int, fee: int, payer: Colour | None = None
) -> dict[str, str]:
    """Return what everybody ends up with; with neither limit nor bankroll the pot is what the loser hands over."""
    cap = money.cap
    unit = 10**money.minor_digits
    escrow = None if cap is None else int(Fraction(cap) * unit)
    held = {"white": escrow, "black": escrow} if escrow is not None else {"white": 0, "black": 0}
    if escrow is None and winner is not None:
        held[OTHER[winner]] = units
    if fee and payer is not None:
        if escrow is None:
            held[payer] = (held[payer] or 0) + fee
        else:
            lost = units if winner == OTHER[payer] else -units if winner == payer else 0
            fee = min(fee, escrow - lost)
    parts = {colour: amount or 0 for colour, amount in held.items()}
    pot = sum(parts.values())
    if winner is not None:
        parts[winner] += units - rake
        parts[OTHER[winner]] -= units
    site = rake
    if fee and payer is not None:
        parts[payer] -= fee
        site += fee
    assert parts["white"] + parts["black"] + site == pot, "the pot must be conserved"
    assert min(parts.values()) >= 0, "nobody can pay more than was put up"
    text = {colour: amount_text(amount, money.minor_digits) for colour, amount in parts.items()}
    return {
        **({} if escrow is None else {"escrow_each": amount_text(escrow, money.minor_digits)}),
        "white": text["white"],
        "black": text["black"],
        "site": amount_text(site, money.minor_digits),
        "sum": amount_text(pot, money.minor_digits),
    }


def _prize_units(match: Match) -> tuple[int, int]:
    """Return what the winner and the loser of a match get in minor units, a seat in the next round included."""
    prize = match.prize
    assert prize is not None
    unit = 10**prize.minor_digits
    seat = int((match.next_round_value or 0) * unit)
    return int(prize.winner * unit) + seat, int(prize.loser * unit)


def _prize_payouts(
    match: Match,
    share: Number,
    present: Colour | None,
    rounding: str,
    fee: Fraction = Fraction(0),
    payer: Colour | None = None,
) -> dict[str, str]:
    """Split the prizes by white's share of the match; the favourite's part is rounded, the rest is the other's.

    A ``fee`` for the house, a share of what the match is about, comes out of the payer's part.
    """
    prize = match.prize
    assert prize is not None
    winner_units, loser_units = _prize_units(match)
    pot = winner_units + loser_units
    white = Fraction(share)
    favourite: Colour = "white" if white >= _HALF else "black"
    own = white if favourite == "white" else 1 - white
    if own == _HALF:
        # Nobody is favoured: an odd unit that cannot be halved stays with the site.
        parts = {"white": pot // 2, "black": pot // 2}
    else:
        units = quantise(loser_units + own * (winner_units - loser_units), rounding, present, favourite)
        parts = {favourite: units, OTHER[favourite]: pot - units}
    if fee and payer is not None:
        owed = quantise(fee * (winner_units - loser_units), "half_even", None, payer)
        parts[payer] -= min(owed, parts[payer])
    site = pot - sum(parts.values())
    digits = prize.minor_digits
    return {
        "white": amount_text(parts["white"], digits),
        "black": amount_text(parts["black"], digits),
        **({"site": amount_text(site, digits)} if site else {}),
        "sum": amount_text(pot, digits),
    }


def amount_text(units: int, digits: int) -> str:
    """Minor units as a decimal string with the currency's decimals."""
    return format(Decimal(units).scaleb(-digits), "f")


def money_interval(record: Record, value: Value | None) -> list[str] | None:
    """Return the 95 % interval of an estimate in money (white's gain), or of white's prize; None if it is exact."""
    if value is None or value.low is None or value.high is None:
        return None
    if record.money is not None:
        digits = record.money.minor_digits
        scale, base = Fraction(record.money.stake) * 10**digits, 0
    elif record.match is not None and record.match.prize is not None:
        digits = record.match.prize.minor_digits
        most, base = _prize_units(record.match)
        scale = Fraction(most - base)
    else:
        return None
    return [amount_text(round(base + Fraction(bound) * scale), digits) for bound in (value.low, value.high)]
