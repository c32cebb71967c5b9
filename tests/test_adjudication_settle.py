"""From a value to money under every option: the same last roll, settled every way."""

from fractions import Fraction

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.settle import quantise
from tests.adjudication_records import HOME_15, OPENING, match_record, money_record

# White owns a 2-cube with one checker on 6 against one on the ace point: 27 of 36 rolls win.
OWNED = {"value": 2, "owner": "white", "limit": 64}
W_GONE = {"white": {"away": True, "seconds": 200}, "black": {"away": False}, "cause": "player"}
ACE = {"points": {"1": 1}, "bar": 0, "off": 14}
ACE_15 = {"points": {"1": 15}, "bar": 0, "off": 0}
OUTSIDE = {"points": {"7": 1, "1": 14}, "bar": 0, "off": 0}
GARLANDO = {"gammon_rule": "manual_garlando"}


def points(policy, **changes):
    return adj.adjudicate(money_record(cube=OWNED, **changes), policy).equity_points_white


@pytest.mark.parametrize(
    ("expected", "policy", "changes"),
    [
        (2, {}, {}),
        (1, {"leaver_cube": "frozen"}, {}),
        (1, {"leaver_cube": "present_only"}, {"absence": W_GONE}),
        (2, {"leaver_cube": "present_only"}, {}),
        (0, {"leaver": "no_gain"}, {"absence": W_GONE}),
        (2, {"leaver": "no_gain"}, {}),
        (2, {"one_away": "majority"}, {}),
        (2, {"one_away": "majority"}, {"absence": W_GONE}),
        (2, {"one_away": "forfeit", "forfeit_points": "cube"}, {}),
        (-2, {"one_away": "forfeit", "forfeit_points": "cube"}, {"absence": W_GONE}),
        (0, "refund", {}),
        (-2, {"leaver": "leaver_min"}, {"absence": W_GONE}),
        (-2, {"one_away": "leaver_min"}, {"absence": W_GONE}),
        (2, {"one_away": "leaver_min"}, {}),
    ],
)
def test_the_same_last_roll_under_every_option(expected, policy, changes):
    assert points(policy, **changes) == expected


def test_the_limit_of_the_cube_stops_the_redouble():
    record = money_record(cube={"value": 2, "owner": "white", "limit": 2})
    assert adj.adjudicate(record).equity_points_white == 1


@pytest.mark.parametrize(
    ("fee", "expected"),
    [
        ({"rate": "0.1", "of": "cube", "to": "present"}, Fraction(9, 5)),
        ({"rate": 0.1, "of": "stake", "to": "present"}, Fraction(19, 10)),
        ("0.1", Fraction(9, 5)),
        ({"rate": "0.1", "of": "limit", "to": "present"}, Fraction(6, 5)),
    ],
)
def test_a_fee_never_helps_the_leaver(fee, expected):
    verdict = adj.adjudicate(
        money_record(cube=OWNED, absence=W_GONE, money__limit="8.00"), {"leaver": "fee", "leaver_fee": fee}
    )
    assert verdict.equity_points_white == expected
    assert verdict.basis == "exact+rule"


def test_a_fee_to_the_house_leaves_the_transfer_alone():
    fee = {"rate": "0.1", "of": "cube", "to": "house"}
    verdict = adj.adjudicate(money_record(cube=OWNED, money__limit="8.00"), {"leaver": "fee", "leaver_fee": fee})
    assert verdict.transfer == {"from": "black", "to": "white", "amount": "2.00"}
    assert verdict.payouts == {
        "escrow_each": "8.00", "white": "10.00", "black": "5.80", "site": "0.20", "sum": "16.00",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "limit", "expected"),
    [("clip", "3.00", Fraction(3, 2)), ("block_double", "3.00", 1), ("block_double", "4.00", 2), ("clip", "2.00", 1)],
)
def test_a_loss_limit_changes_the_value_and_not_only_the_sum(mode, limit, expected):
    assert points({}, money__limit=limit, rules={"limit_mode": mode}) == expected


def test_bankrolls_are_limits_too():
    verdict = adj.adjudicate(money_record(cube=OWNED, money__bankroll={"white": "3.00", "black": "90.00"}))
    assert verdict.equity_points_white == Fraction(3, 2)
    assert verdict.payouts["escrow_each"] == "3.00"


@pytest.mark.parametrize(("stake", "expected"), [("0.01", None), ("0.03", "0.02"), ("0.05", "0.02"), ("0.07", "0.04")])
def test_half_even_rounds_once(stake, expected):
    record = money_record(cube={"enabled": False, "value": 1, "owner": "centre"}, money__stake=stake)
    transfer = adj.adjudicate(record).transfer
    assert (transfer and transfer["amount"]) == expected


def test_roundings():
    half = Fraction(1, 2)
    assert [quantise(n + half, "half_even", None, "white") for n in range(4)] == [0, 2, 2, 4]
    assert [quantise(n + half, "half_up", None, "white") for n in range(4)] == [1, 2, 3, 4]
    assert quantise(Fraction(7, 3), "to_present", "white", "white") == 3
    assert quantise(Fraction(7, 3), "to_present", "black", "white") == 2
    assert quantise(Fraction(8, 3), "to_payer", None, "white") == 2
    assert quantise(Fraction(3), "to_present", "white", "white") == 3


def test_half_up_and_residual():
    record = money_record(cube={"enabled": False, "value": 1, "owner": "centre"}, money__stake="0.01")
    up = adj.adjudicate(record, {"rounding": "half_up"})
    assert up.transfer == {"from": "black", "to": "white", "amount": "0.01"}
    assert up.to_dict()["residual"] == "-0.005"
    assert adj.adjudicate(record).to_dict()["residual"] == "0.005"


@pytest.mark.parametrize(
    ("rake", "site"),
    [
        ("0.10", "0.10"),
        ({"rate": "0.10", "base": "net_winner", "min": "0.25"}, "0.25"),
        ({"rate": "0.10", "max": "0.05"}, "0.05"),
        ({"rate": "0.105"}, "0.10"),
        ({"rate": "1", "min": "5.00"}, "1.00"),
        ("0", "0.00"),
    ],
)
def test_rake_on_the_net_winner_is_rounded_down(rake, site):
    payouts = adj.adjudicate(money_record(money__rake=rake, money__limit="4.00")).payouts
    assert payouts["site"] == site
    assert sum(Fraction(payouts[name]) for name in ("white", "black", "site")) == Fraction(payouts["sum"]) == 8


def test_without_a_limit_the_pot_is_what_the_loser_hands_over():
    payouts = adj.adjudicate(money_record(money__rake="0.10")).payouts
    assert payouts == {"white": "0.90", "black": "0.00", "site": "0.10", "sum": "1.00"}


def test_refund_gives_everything_back():
    verdict = adj.adjudicate(money_record(money__limit="8.00", money__rake="0.10"), "refund")
    assert (verdict.status, verdict.basis, verdict.equity_points_white) == ("refunded", "rule", 0)
    assert verdict.payouts == {
        "escrow_each": "8.00", "white": "8.00", "black": "8.00", "site": "0.00", "sum": "16.00",
    }  # fmt: skip
    match = adj.adjudicate(match_record(), "refund")
    assert match.payouts == {"white": "10.00", "black": "10.00", "sum": "20.00"}


def test_prizes_are_shared_by_the_chance_of_the_match():
    record = match_record(match__score={"white": 4, "black": 4}, match__prize={"winner": "20.00", "loser": "5.00"})
    verdict = adj.adjudicate(record)
    assert verdict.mwc_white == Fraction(3, 4)
    assert verdict.equity_points_white is None
    assert verdict.payouts == {"white": "16.25", "black": "8.75", "sum": "25.00"}


def test_an_odd_cent_that_nobody_earned_stays_with_the_site():
    record = match_record(
        board={"white": OPENING, "black": OPENING}, on_roll=None, match__prize={"winner": "0.25", "loser": "0.00"}
    )
    assert adj.adjudicate(record).payouts == {"white": "0.12", "black": "0.12", "site": "0.01", "sum": "0.25"}


def test_a_match_without_a_prize_has_a_share_and_no_money():
    verdict = adj.adjudicate(match_record(match__prize=None))
    assert verdict.mwc_white == Fraction(8467, 12500)
    assert (verdict.transfer, verdict.payouts) == (None, None)
    assert verdict.shares == {"white": "67.74", "black": "32.26", "sum": "100.00"}


def test_a_leaver_who_is_asked_gives_up_by_refusing():
    offered = {"cube": {"value": 1, "owner": "centre"}, "pending": {"type": "double", "by": "white"}}
    shown = money_record(**offered, rules={"decline_value": "shown_after_double"})
    assert adj.adjudicate(shown).equity_points_white == Fraction(1, 2)
    assert adj.adjudicate(shown, {"leaver": "leaver_min"}).equity_points_white == 2
    assert adj.adjudicate(money_record(**offered), {"leaver": "leaver_min"}).equity_points_white == 1


def test_a_fee_to_the_house_comes_out_of_the_leavers_prize():
    fee = {"leaver": "fee", "leaver_fee": {"rate": "0.1", "of": "cube", "to": "house"}}
    verdict = adj.adjudicate(match_record(), fee)
    assert verdict.mwc_white == Fraction(8467, 12500)
    assert verdict.payouts == {"white": "13.55", "black": "4.45", "site": "2.00", "sum": "20.00"}
    lost = adj.adjudicate(
        match_record(pending={"type": "resign", "by": "black", "level": 2}),
        {**fee, "leaver_fee": {"rate": "0.9", "to": "house"}},
    )
    assert (lost.payouts["black"], lost.payouts["sum"]) == ("0.00", "20.00")
    unpaid = adj.adjudicate(match_record(match__prize=None), fee)
    assert (unpaid.basis, "LEAVER_FEE" in unpaid.reasons) == ("exact", False)


def test_the_interval_of_a_prize_holds_the_prize_with_its_seat():
    seat = {"board": {"white": OPENING, "black": OPENING}, "match__bracket": True, "match__next_round_value": "50.00"}
    verdict = adj.adjudicate(match_record(**seat), {"precision": {"profile": "draft", "max_trials": 36}})
    low, high = map(float, verdict.interval_money)
    assert low < float(verdict.payouts["white"]) < high


def test_a_forfeited_match_is_lost():
    verdict = adj.adjudicate(match_record(), "portal_m2p")
    assert (verdict.mwc_white, verdict.basis) == (1, "rule")
    assert verdict.payouts == {"white": "20.00", "black": "0.00", "sum": "20.00"}


def test_no_gain_in_a_match_is_measured_against_the_score():
    verdict = adj.adjudicate(match_record(absence=W_GONE), {"leaver": "no_gain"})
    assert (verdict.mwc_white, verdict.basis) == (Fraction(1, 2), "exact+rule")


@pytest.mark.parametrize(
    ("forfeit_points", "changes", "expected"),
    [
        ("cube", {"board__black": HOME_15}, 2),
        ("certain_level", {"board__black": HOME_15, "board__white": ACE}, 4),
        ("certain_level", {"board__black": HOME_15}, 2),
        ("most_still_possible", {"board__black": HOME_15}, 4),
        ("most_still_possible", {}, 2),
        ("most_still_possible", {"board": {"white": OPENING, "black": OPENING}}, 6),
        # No gammon is possible any more: black takes a checker off with every roll, with this one, or in time; or is
        # surely home in time, where a checker outside would make it three points.
        ("most_still_possible", {"board__black": ACE_15, "board__white": HOME_15, "on_roll": "black"}, 2),
        ("most_still_possible", {"board__black": HOME_15, "on_roll": "black", "dice": [6, 5]}, 2),
        ("most_still_possible", {"board__black": OUTSIDE, "board__white": HOME_15, "rules": GARLANDO}, 4),
        ("most_still_possible", {"board__black": HOME_15, "board__white": HOME_15, "rules": GARLANDO}, 2),
        ("limit", {"money__limit": "5.00"}, 5),
        ("most_still_possible", {"board": {"white": OPENING, "black": OPENING}, "money__limit": "5.00"}, 5),
    ],
)
def test_what_a_forfeit_costs(forfeit_points, changes, expected):
    policy = {"one_away": "forfeit", "forfeit_points": forfeit_points}
    verdict = adj.adjudicate(money_record(cube=OWNED, **changes), policy)
    assert (verdict.equity_points_white, verdict.basis) == (expected, "rule")


def test_a_forfeit_of_the_limit_needs_a_limit():
    verdict = adj.adjudicate(money_record(), {"one_away": "forfeit", "forfeit_points": "limit"})
    assert (verdict.status, verdict.errors[0].code) == ("rejected", "E47")


def test_jacoby_makes_gammons_of_an_unturned_cube_single():
    record = money_record(
        board__black=HOME_15, board__white=ACE, cube={"value": 1, "owner": "centre"}, rules={"jacoby": True}
    )
    assert adj.adjudicate(record).equity_points_white == 1
    assert adj.adjudicate(record, "forfeit").equity_points_white == 1


def test_ties_are_ties():
    record = money_record(
        board={"white": OPENING, "black": OPENING}, on_roll=None, cube={"value": 1, "owner": "centre"}
    )
    verdict = adj.adjudicate(record, {"one_away": "majority"})
    assert (verdict.status, verdict.equity_points_white, verdict.transfer) == ("settled", 0, None)
    assert "MAJORITY_TIE" in verdict.reasons


@pytest.mark.parametrize(
    ("chain", "status", "paid"),
    [
        (["refund", "equity"], "refunded", None),
        (["equity"], "settled", "white"),
        (["human", "refund"], "undecided", None),
    ],
)
def test_a_majority_within_the_error_follows_the_chain(chain, status, paid):
    """36 games of the opening do not show whether white wins more than 52.5 % of them."""
    record = money_record(board={"white": OPENING, "black": OPENING}, cube={"value": 1, "owner": "centre"})
    policy = {"one_away": "majority", "majority": {"threshold": "0.525"}, "undecided": chain}
    verdict = adj.adjudicate(record, policy, precision={"max_trials": 36})
    assert verdict.status == status
    assert "INTERVAL_STRADDLES" in verdict.reasons
    assert (verdict.transfer or {}).get("to") == paid


# Where a refusal costs the number shown, the taker cashes 4 after a miss: (29 * 2 - 7 * 4) / 36.
@pytest.mark.parametrize(
    ("decline", "expected", "answers"),
    [
        ("previous", 1, {"take": Fraction(11, 9), "pass": 1}),
        ("shown_after_double", Fraction(5, 6), {"take": Fraction(5, 6), "pass": 2}),
    ],
)
def test_what_a_refused_double_pays(decline, expected, answers):
    record = money_record(
        board__white={"points": {"4": 1, "1": 1}, "bar": 0, "off": 13},
        cube={"value": 1, "owner": "centre"},
        pending={"type": "double", "by": "white"},
        rules={"decline_value": decline},
    )
    verdict = adj.adjudicate(record)
    assert verdict.equity_points_white == expected
    assert verdict.sensitivity == answers


@pytest.mark.parametrize(
    ("answer", "absent", "expected"),
    [
        ("best", "black", 1),
        ("take", "black", Fraction(11, 9)),
        ("pass", "black", 1),
        ("leaver_worst", "black", Fraction(11, 9)),
        ("leaver_worst", "white", 1),
        ("void", "black", 1),
    ],
)
def test_answers_to_an_open_double(answer, absent, expected):
    record = money_record(
        board__white={"points": {"4": 1, "1": 1}, "bar": 0, "off": 13},
        cube={"value": 1, "owner": "centre"},
        pending={"type": "double", "by": "white"},
        absence={absent: {"away": True, "seconds": 200}},
    )
    assert adj.adjudicate(record, {"pending_double": answer}).equity_points_white == expected


@pytest.mark.parametrize(
    ("level", "answer", "expected"), [(1, "best", 4), (2, "best", 4), (3, "best", 6), (1, "accept", 2), (1, "void", 4)]
)
def test_answers_to_an_open_resignation(level, answer, expected):
    record = money_record(
        board__white=ACE, board__black=HOME_15, cube=OWNED, pending={"type": "resign", "by": "black", "level": level}
    )
    assert adj.adjudicate(record, {"pending_resign": answer}).equity_points_white == expected


def test_an_open_raccoon():
    record = money_record(
        board__white={"points": {"3": 2}, "bar": 0, "off": 13},
        cube={"value": 1, "owner": "centre"},
        pending={"type": "raccoon", "by": "white"},
        rules={"beavers": True, "raccoons": True},
    )
    verdict = adj.adjudicate(record)
    # 17 of 36 rolls win: black takes the raccoon at 8, which is worth -8/18 to white.
    assert verdict.equity_points_white == Fraction(-4, 9)
    assert verdict.sensitivity == {"accept": Fraction(-4, 9), "refuse": 4}


def test_crawford_and_after():
    behind = {"match__score": {"white": 3, "black": 4}, "match__crawford": "yes"}
    assert adj.adjudicate(match_record(**behind)).mwc_white == Fraction(3, 8)
    after = adj.adjudicate(match_record(**{**behind, "match__crawford": "post"}))
    # After the Crawford game the trailer doubles at once, and the leader drops for nothing: 4-4.
    assert after.mwc_white == Fraction(1, 2)
    assert "WHITE_DOUBLE_PASS" in after.reasons


def test_finished_dice_and_half_made_plays():
    assert points({}, dice=[6, 1]) == 2
    assert points({}, dice=[2, 1]) == -2
    assert points({"dice": "reroll"}, dice=[2, 1]) == 2
    assert points({"dice": "reroll_server_fault"}, dice=[2, 1]) == -2
    board = {"points": {"4": 1, "2": 1}, "bar": 0, "off": 13}
    four_two = {"board__white": board, "dice": [4, 2]}
    assert points({}, **four_two) == 2
    assert points({}, **four_two, moved=["4/2"]) == -2


def test_forced_plays_are_worth_what_they_lead_to():
    forced = adj.adjudicate(money_record(dice=[2, 1]))
    after = adj.adjudicate(
        money_record(board__white={"points": {"3": 1}, "bar": 0, "off": 14}, on_roll="black", cube__owner="black")
    )
    assert forced.equity_points_white == after.equity_points_white == -2


def test_a_roller_without_a_double_gave_it_up():
    assert points({}, auto_roll=True) == 1
    assert points({}, auto_roll=True, rules={"auto_roll_waives_double": False}) == 2


def test_highest_first_bears_off_more_slowly():
    record = money_record(
        board={
            "white": {"points": {"6": 1, "2": 1, "1": 1}, "bar": 0, "off": 12},
            "black": {"points": {"1": 4}, "bar": 0, "off": 11},
        },
        cube={"enabled": False, "value": 1, "owner": "centre"},
    )
    standard = adj.adjudicate(record).value.chances.win
    assert standard == Fraction(2093, 2592)
    strict = adj.adjudicate({**record, "rules": {"bearoff_rule": "highest_first"}})
    assert strict.basis == "exact"
    assert float(strict.value.chances.win) == pytest.approx(0.675, abs=5e-4)
    assert strict.transfer["amount"] == "0.35"
