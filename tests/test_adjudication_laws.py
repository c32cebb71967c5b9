"""Laws that hold for every record, over a thousand random ones: mirrors, scale, bounds, the pot, fees, answers."""

import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.turn import completions
from tests.adjudication_records import money_record

RECORDS = 1_000


def random_side(rng, home_only=True):
    checkers = rng.randint(1, 4)
    points = {}
    for _ in range(checkers):
        point = str(rng.randint(1, 6 if home_only else 9))
        points[point] = points.get(point, 0) + 1
    return {"points": points, "bar": 0, "off": 15 - checkers}


def random_cube(rng):
    if rng.random() < 0.15:
        return {"enabled": False, "value": 1, "owner": "centre", "limit": 64}
    value = 1 << rng.randint(0, 4)
    owner = "centre" if value == 1 else rng.choice(["white", "black"])
    return {"value": value, "owner": owner, "limit": rng.choice([64, 64, None, 16])}


def random_absence(rng):
    away = rng.choice([("white",), ("black",), ("white", "black")])
    sides = {side: {"away": True, "seconds": rng.randint(181, 900)} for side in away}
    return {**sides, "cause": rng.choice(["player", "player", "player", "unknown"])}


def random_money(rng, cube):
    stake = rng.choice(["0.01", "0.25", "1.00", "10.00", "3.33"])
    limit = None
    if rng.random() < 0.5:
        limit = str(Decimal(stake) * cube["value"] * rng.choice([1, 2, 3, 5]) + Decimal(rng.randint(0, 99)) / 100)
    return {"currency": "EUR", "stake": stake, "limit": limit, "rake": rng.choice(["0", "0.10", "0.025"])}


def random_match(rng):
    length = rng.choice([1, 3, 5, 7])
    score = {"white": rng.randrange(length), "black": rng.randrange(length)}
    leaders = [side for side in score if length - score[side] == 1]
    crawford = rng.choice(["yes", "post"]) if len(leaders) == 1 else "auto"
    prize = {"winner": rng.choice(["20.00", "0.05", "100.00"]), "loser": rng.choice(["0.00", "0.05"])}
    return {"length": length, "score": score, "crawford": crawford, "prize": prize}


def random_pending(rng, record):
    mover, kind = record["on_roll"], rng.choice(["double", "resign", None, None])
    if kind == "resign":
        return {"type": "resign", "by": rng.choice(["white", "black"]), "level": rng.randint(1, 2)}
    cube = record["cube"]
    can = cube.get("enabled", True) and cube["owner"] in ("centre", mover)
    if kind == "double" and can and (cube["limit"] is None or cube["value"] * 2 <= cube["limit"]):
        return {"type": "double", "by": mover}
    return None


def random_record(rng):
    cube = random_cube(rng)
    home_only = rng.random() < 0.8
    record = money_record(
        board={"white": random_side(rng, home_only), "black": random_side(rng)},
        on_roll=rng.choice(["white", "black"]),
        cube=cube,
        absence=random_absence(rng),
        rules={"jacoby": rng.random() < 0.2, "limit_mode": rng.choice(["clip", "clip", "block_double"])},
        money=random_money(rng, cube),
    )
    if rng.random() < 0.3:
        del record["money"]
        record["mode"], record["match"], record["rules"] = "match", random_match(rng), {}
        if record["match"]["crawford"] == "yes":
            record["cube"] = {"value": 1, "owner": "centre", "limit": 64}
    record["pending"] = random_pending(rng, record)
    if record["pending"] is None and rng.random() < 0.3:
        record["dice"] = [rng.randint(1, 6), rng.randint(1, 6)]
    return record


def legal_records(seed, count):
    """Random records that pass every check, as they would come from a server."""
    rng = random.Random(seed)
    records = []
    while len(records) < count:
        try:
            records.append(adj.Record.from_dict(random_record(rng)))
        except adj.RecordError:
            continue
    return records


@pytest.fixture(scope="module")
def judged():
    """Every record with its verdict."""
    return [(record, adj.adjudicate(record)) for record in legal_records(20_26, RECORDS)]


def mirrored(document):
    swap = {"white": "black", "black": "white"}
    if document is None:
        return None
    return {swap.get(key, key): swap.get(value, value) for key, value in document.items()}


def test_all_are_settled_exactly(judged):
    assert {verdict.status for _, verdict in judged} == {"settled"}
    assert {verdict.basis for _, verdict in judged} == {"exact"}
    assert all(isinstance(verdict.number, Fraction) for _, verdict in judged)


def test_the_mirrored_record_gets_the_mirrored_verdict(judged):
    for record, verdict in judged:
        other = adj.adjudicate(record.mirrored())
        total = 0 if record.money else 1
        assert other.number == total - verdict.number
        assert other.payouts == mirrored(verdict.payouts)
        assert other.transfer == mirrored(verdict.transfer)
        assert (other.value.seed, other.value.basis) == (verdict.value.seed, verdict.value.basis)


def test_scaling_the_stake_scales_the_money(judged):
    for record, verdict in judged:
        if record.money is None:
            continue
        money = record.money
        scaled = replace(record, money=replace(money, stake=money.stake * 7, limit=money.limit and money.limit * 7))
        other = adj.adjudicate(scaled)
        assert other.number == verdict.number
        exact = 7 * abs(verdict.number) * Fraction(money.stake)
        amount = Fraction(other.transfer["amount"]) if other.transfer else 0
        assert abs(amount - exact) <= Fraction(1, 200)


def test_nobody_pays_more_than_was_at_risk(judged):
    for record, verdict in judged:
        if record.money is None:
            assert 0 <= verdict.number <= 1
            continue
        amount = Fraction(verdict.transfer["amount"]) if verdict.transfer else 0
        if record.money.cap is not None:
            assert amount <= Fraction(record.money.cap)
        if record.cube.limit is not None:
            assert amount <= 3 * record.cube.limit * Fraction(record.money.stake)


def test_the_pot_is_conserved(judged):
    for record, verdict in judged:
        payouts = {name: Fraction(text) for name, text in verdict.payouts.items()}
        assert payouts["white"] + payouts["black"] + payouts.get("site", 0) == payouts["sum"]
        assert min(payouts.values()) >= 0
        if record.match is not None:
            assert payouts["sum"] == Fraction(record.match.prize.winner + record.match.prize.loser)
        elif record.money.cap is not None:
            assert payouts["sum"] == 2 * Fraction(record.money.cap)


def test_a_fee_never_helps_the_leaver_and_grows_with_its_rate(judged):
    for record, verdict in judged:
        if len(record.absence.gone) != 1:
            continue
        sign = 1 if record.absence.gone == ("white",) else -1
        before = sign * verdict.number
        for rate in ("0.05", "0.5", "1"):
            fined = adj.adjudicate(record, {"leaver": "fee", "leaver_fee": {"rate": rate}})
            assert sign * fined.number <= before
            before = sign * fined.number


def test_leaver_options_never_help_the_leaver(judged):
    for record, verdict in judged:
        if len(record.absence.gone) != 1:
            continue
        sign = 1 if record.absence.gone == ("white",) else -1
        for leaver in ("no_gain", "leaver_min"):
            assert sign * adj.adjudicate(record, {"leaver": leaver}).number <= sign * verdict.number


def test_the_best_answer_is_one_of_the_answers(judged):
    offered = [pair for pair in judged if pair[0].pending is not None]
    assert len(offered) > 100
    for _, verdict in offered:
        assert verdict.number in set(verdict.sensitivity.values())


def test_a_far_limit_is_no_limit(judged):
    for record, _ in judged[:300]:
        if record.money is None or record.cube.limit is None:
            continue
        free = replace(record, money=replace(record.money, limit=None))
        far = replace(record, money=replace(record.money, limit=record.money.stake * 3 * record.cube.limit))
        assert adj.adjudicate(far).number == adj.adjudicate(free).number


def test_a_forced_play_is_worth_what_it_leads_to(judged):
    checked = 0
    for record, verdict in judged:
        if record.dice is None or record.pending is not None:
            continue
        after = completions(record.position, record.dice, ())
        if len(after) != 1 or after[0].outcome:
            continue
        board = record.board
        slots = after[0].board.tolist()
        side = replace(
            board.side(record.on_roll),
            points=tuple(max(n, 0) for n in slots[1:25]),
            off=15 - sum(n for n in slots if n > 0),
        )
        moved = replace(board, **{record.on_roll: side})
        other = "black" if record.on_roll == "white" else "white"
        resolved = replace(record, board=moved, on_roll=other, dice=None)
        assert adj.adjudicate(resolved).number == verdict.number
        checked += 1
    assert checked > 10


def test_names_and_spelling_do_not_change_the_digest():
    document = money_record()
    digest = adj.Record.from_dict(document).digest
    for changes in (
        {"case_id": "other"},
        {"meta": {"names": {"white": "A", "black": "B"}, "notes": "x"}},
        {"money__stake": "1"},
        {"money__stake": "1.0"},
        {"absence__black__seconds": "200.000"},
        {"money__rake": {"rate": "0.00"}},
    ):
        assert adj.Record.from_dict(money_record(**changes)).digest == digest
    assert adj.Record.from_dict(money_record(money__stake="1.01")).digest != digest


def test_records_verdicts_and_policies_survive_json(judged):
    for record, verdict in judged[:200]:
        assert adj.Record.from_dict(record.to_dict()) == record
        again = adj.Verdict.from_dict(verdict.to_dict())
        assert again.to_dict() == verdict.to_dict()
        assert adj.verify(verdict.to_dict(), record.to_dict()).bit_equal


def test_a_changed_verdict_or_record_is_caught(judged):
    record, verdict = judged[0]
    forged = {**verdict.to_dict(), "transfer": {"from": "white", "to": "black", "amount": "99.00"}}
    found = adj.verify(forged, record)
    assert not found.bit_equal
    assert any("transfer" in reason for reason in found.reasons)
    found = adj.verify(verdict, judged[1][0])
    assert any("not the one that was judged" in reason for reason in found.reasons)
