"""One record for every numbered fault, all faults of a record at once, and nothing guessed."""

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import adjudication as adj
from bgcore.adjudication.faults import NAMES
from bgcore.errors import BgcoreError
from tests.adjudication_records import CLOSED_AND_BAR, HOME_15, OPENING, match_record, money_record

ONE_ON_6 = {"points": {"6": 1}, "bar": 0, "off": 14}
ACE = {"points": {"1": 1}, "bar": 0, "off": 14}
BEGINNING = {"board": {"white": OPENING, "black": OPENING}, "cube": {"value": 1, "owner": "centre"}}

# code -> records that have it (and, by the test, nothing but it), each with the path it is found at.
FAULTS = {
    "E02": [(money_record(schema="bgcore.adjudication/9"), "schema")],
    "E03": [
        (money_record(stakes="1.00"), "stakes"),
        (money_record(money__limits="2.00"), "money.limits"),
        (money_record(board__white={**ONE_ON_6, "home": 1}), "board.white.home"),
    ],
    "E04": [
        (money_record(money=...), "money"),
        (money_record(cube=...), "cube"),
        (money_record(absence=...), "absence"),
        (money_record(absence__black={"away": True}), "absence.black.seconds"),
        (money_record(pending={"type": "resign", "by": "black"}), "pending.level"),
        (match_record(match=...), "match"),
        (money_record(**BEGINNING, on_roll=None, absence__plies_played=41), "on_roll"),
        (money_record(**{**BEGINNING, "cube": {"value": 2, "owner": "black"}}, on_roll=None), "on_roll"),
        (money_record(cube={"value": 1, "owner": "centre"}, on_roll=None), "on_roll"),
    ],
    "E05": [
        (money_record(money__stake=1.0), "money.stake"),
        (money_record(money__limit=8.5), "money.limit"),
        (money_record(cube__value="2"), "cube.value"),
        (money_record(cube__value=True), "cube.value"),
        (money_record(dice="61"), "dice"),
        (money_record(absence__black__seconds=200.0001), "absence.black.seconds"),
        (money_record(board=[1, 2]), "board"),
        (money_record(schema=None), "schema"),
        (money_record(mode=None), "mode"),
        (money_record(board=None), "board"),
        (money_record(cube=None), "cube"),
        (money_record(money__stake=None), "money.stake"),
        (money_record(money__currency=None), "money.currency"),
        (money_record(money__currency=""), "money.currency"),
        (money_record(money__bankroll={"white": None, "black": "9.00"}), "money.bankroll.white"),
        (money_record(money__rake={"rate": None}), "money.rake.rate"),
        (match_record(match__length=None), "match.length"),
        (match_record(match__score=None), "match.score"),
        (match_record(match__prize={"winner": None}), "match.prize.winner"),
        (match_record(match__prize={"winner": "1.00", "currency": " "}), "match.prize.currency"),
        (money_record(absence__black={"away": "yes", "seconds": 200}), "absence.black.away"),
    ],
    "E06": [
        (money_record(board__white__off=13), "board.white"),
        (money_record(board__white__off=15), "board.white"),
    ],
    "E07": [
        (money_record(board__white__bar=-1), "board.white.bar"),
        (money_record(board__white__points={"6": -1}), "board.white.points.6"),
    ],
    "E08": [
        (money_record(board__white__points={"25": 1}), "board.white.points.25"),
        (money_record(board__white__points={"six": 1}), "board.white.points.six"),
        (money_record(board__white={"points": {"6": 1, "06": 1}, "bar": 0, "off": 13}), "board.white.points.06"),
    ],
    "E09": [(money_record(board__black__points={"19": 1}), "board.white.points.6")],
    "E10": [(money_record(board__black={"points": {}, "bar": 0, "off": 15}), "board.black.off")],
    "E11": [
        (
            money_record(
                board__white={"points": {}, "bar": 0, "off": 15}, board__black={"points": {}, "bar": 0, "off": 15}
            ),
            "board",
        )
    ],
    "E12": [(money_record(board__white=CLOSED_AND_BAR, board__black=CLOSED_AND_BAR), "board")],
    "E14": [
        (money_record(cube__value=3), "cube.value"),
        (money_record(cube__value=0, cube__owner="centre"), "cube.value"),
    ],
    "E15": [
        (money_record(cube__value=128), "cube.value"),
        (money_record(cube__value=2048, cube__limit=None), "cube.value"),
        (money_record(cube__value=2**31, cube__limit=None), "cube.value"),
        (match_record(cube={"value": 2**31, "owner": "white", "limit": None}), "cube.value"),
        (money_record(cube__limit=2**31), "cube.limit"),
    ],
    "E16": [(money_record(cube__limit=50), "cube.limit")],
    "E17": [(money_record(cube__value=1), "cube.owner")],
    "E18": [(money_record(cube__owner="centre"), "cube.owner")],
    "E19": [(money_record(cube__enabled=False), "cube")],
    "E20": [
        (
            match_record(
                match__score={"white": 4, "black": 2}, match__crawford="yes", cube__value=2, cube__owner="white"
            ),
            "cube",
        ),
        (
            match_record(
                match__score={"white": 4, "black": 2},
                match__crawford="yes",
                pending={"type": "double", "by": "white"},
            ),
            "pending",
        ),
    ],
    "E21": [
        (match_record(match__crawford="yes"), "match.crawford"),
        (match_record(match__crawford="post"), "match.crawford"),
        (match_record(match__score={"white": 4, "black": 4}, match__crawford="yes"), "match.crawford"),
    ],
    "E22": [(match_record(match__score={"white": 4, "black": 2}), "match.crawford")],
    "E23": [(match_record(match__score={"white": 5, "black": 2}), "match.score.white")],
    "E24": [(match_record(match__score={"white": -1, "black": 2}), "match.score.white")],
    "E25": [(match_record(match__length=0), "match.length"), (match_record(match__length=65), "match.length")],
    "E26": [
        (match_record(rules={"jacoby": True}), "rules.jacoby"),
        (match_record(rules={"beavers": True}), "rules.beavers"),
        (match_record(money={"currency": "EUR", "stake": "1", "limit": "2"}), "money"),
    ],
    "E27": [(money_record(money__stake="0"), "money.stake"), (money_record(money__stake="-1"), "money.stake")],
    "E28": [(money_record(money__stake="1.001"), "money.stake"), (money_record(money__limit="8.005"), "money.limit")],
    "E29": [
        (money_record(money__minor_digits=5), "money.minor_digits"),
        (money_record(money={"currency": "XYZ", "stake": "1"}), "money.minor_digits"),
    ],
    "E30": [(money_record(money__limit="0.50"), "money.limit")],
    "E31": [(money_record(money__bankroll={"white": "1.50", "black": "9.00"}), "money.bankroll.white")],
    "E32": [
        (money_record(money__rake="1.5"), "money.rake"),
        (money_record(money__rake={"rate": "0.1", "min": "2", "max": "1"}), "money.rake.min"),
    ],
    "E33": [
        (match_record(match__prize={"winner": "10.00", "loser": "11.00"}), "match.prize.loser"),
        (match_record(match__prize={"winner": "10.00", "loser": "-1.00"}), "match.prize.loser"),
    ],
    "E34": [(money_record(dice=[0, 3]), "dice.0"), (money_record(dice=[3, 7]), "dice.1")],
    "E35": [(money_record(dice=[3]), "dice"), (money_record(dice=[3, 1, 1]), "dice")],
    "E36": [
        (
            money_record(
                board={"white": OPENING, "black": OPENING},
                cube={"value": 1, "owner": "centre"},
                dice=[3, 3],
                absence__plies_played=0,
            ),
            "dice",
        )
    ],
    "E37": [(money_record(**BEGINNING, on_roll=None, dice=[3, 1]), "dice")],
    "E38": [
        (
            money_record(cube={"value": 1, "owner": "centre"}, pending={"type": "double", "by": "white"}, dice=[3, 1]),
            "pending",
        )
    ],
    "E39": [(money_record(dice=[3, 1], moved=[[6, 1]]), "moved"), (money_record(moved=["6/5"]), "moved")],
    "E40": [
        (money_record(pending={"type": "double", "by": "white"}), "pending"),
        (money_record(cube={"value": 1, "owner": "centre"}, pending={"type": "double", "by": "black"}), "pending"),
        (money_record(cube={"value": 64, "owner": "white"}, pending={"type": "double", "by": "white"}), "pending"),
        (money_record(cube={"value": 1, "owner": "centre"}, pending={"type": "beaver", "by": "black"}), "pending"),
        (
            money_record(
                cube={"value": 1024, "owner": "white", "limit": None}, pending={"type": "double", "by": "white"}
            ),
            "pending",
        ),
        (
            money_record(
                cube={"value": 512, "owner": "white", "limit": None},
                pending={"type": "beaver", "by": "black"},
                rules={"beavers": True},
            ),
            "pending",
        ),
        (money_record(pending={"type": "resign", "by": "black", "level": 4}), "pending.level"),
        (
            money_record(
                cube={"value": 1, "owner": "centre"}, pending={"type": "double", "by": "white"}, auto_roll=True
            ),
            "pending",
        ),
        (
            money_record(
                cube={"value": 1, "owner": "centre"},
                pending={"type": "double", "by": "white"},
                rules={"limit_mode": "block_double"},
                money__limit="1.50",
            ),
            "pending",
        ),
    ],
    "E41": [
        (money_record(absence__black={"away": True, "returned": True, "seconds": 1}), "absence.black"),
        (money_record(meta={"names": {"white": "one", "black": "one"}}), "meta.names"),
    ],
    "E42": [(money_record(absence__black={"away": False}), "absence")],
    "E43": [(money_record(absence__black__seconds=-1), "absence.black.seconds")],
    "E46": [
        (money_record(rules={"gammon_rule": "standart"}), "rules.gammon_rule"),
        (money_record(rules={"raccoons": True}), "rules.raccoons"),
        (money_record(mode="cash"), "mode"),
    ],
    "E48": [(match_record(match__met="Nobody"), "match.met")],
    "E53": [(money_record(board__gnubg_id_on_roll="DwAA4AEAAAAAAA"), "board.gnubg_id_on_roll")],
}


def faults_of(record, **options):
    with pytest.raises(adj.RecordError) as caught:
        adj.Record.from_dict(record, **options)
    return caught.value.errors


@pytest.mark.parametrize(
    ("code", "record", "path"),
    [(code, record, path) for code, records in FAULTS.items() for record, path in records],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_fault_is_found_alone(code, record, path):
    faults = faults_of(record)
    assert [(fault.code, fault.path) for fault in faults] == [(code, path)]
    assert faults[0].name == NAMES[code]
    assert faults[0].message
    json.dumps(faults[0].to_dict())


def test_too_many_on_the_bar_comes_first():
    faults = faults_of(money_record(board__white__bar=16))
    assert [fault.code for fault in faults] == ["E52", "E06"]


def test_warnings_do_not_refuse():
    hit = {"points": {"20": 1, "6": 1}, "bar": 0, "off": 13}
    record = adj.Record.from_dict(money_record(board__white=hit))
    assert [fault.code for fault in record.warnings] == ["W01"]
    resigned = money_record(pending={"type": "resign", "by": "black", "level": 3})
    assert [fault.code for fault in adj.Record.from_dict(resigned).warnings] == ["W02"]
    # With no checker off a gammon is possible, but all are home and out of reach, so a backgammon is not.
    for level, codes in ((2, []), (3, ["W02"])):
        home = money_record(board__black=HOME_15, pending={"type": "resign", "by": "black", "level": level})
        assert [fault.code for fault in adj.Record.from_dict(home).warnings] == codes
    seen_from_the_other_side = money_record(on_roll="black", board__gnubg_id_on_roll="AQAAgAAAAAAAAA")
    assert [fault.code for fault in adj.Record.from_dict(seen_from_the_other_side).warnings] == ["W03"]
    verdict = adj.adjudicate(money_record(finished=True))
    assert (verdict.status, verdict.warnings) == ("settled", ("W04_NOT_FINISHED",))


def test_policy_faults():
    for policy, code in [
        ("play56", "E45"),
        ("missing.toml", "E45"),
        ({"one_away": "equitty"}, "E46"),
        ({"rounding": "up"}, "E46"),
        ({"one_awy": "equity"}, "E03"),
        ({"grace_seconds": "soon"}, "E05"),
        ({"leaver": "fee"}, "E47"),
        ({"deliberate": "fee"}, "E47"),
        ({"leaver_fee": {"rate": "0.1"}}, "E47"),
        ({"name": "truemoneygames", "leaver": "equity", "leaver_fee": "0.2"}, "E47"),
        ({"leaver": "fee", "leaver_fee": {"rate": "2"}}, "E46"),
        ({"leaver": "fee", "leaver_fee": {"rate": "-0.1"}}, "E46"),
        ({"precision": {"max_trials": 10**12}}, "E46"),
        ({"precision": {"max_trials": 1}}, "E46"),
        ({"precision": {"checkpoints": [144, 10**12]}}, "E05"),
    ]:
        with pytest.raises(adj.RecordError) as caught:
            adj.load_policy(policy)
        assert [fault.code for fault in caught.value.errors] == [code]
    with pytest.raises(adj.RecordError, match="equity"):
        adj.load_policy({"one_away": "equitty"})


def test_a_fee_is_turned_off_by_one_word():
    policy = adj.load_policy({"name": "truemoneygames", "leaver": "equity"})
    assert policy.leaver_fee.rate == 0
    assert adj.load_policy(policy.to_dict()) == policy


def test_shares_are_numbers_or_text_and_amounts_are_never_floats():
    written = adj.Record.from_dict(money_record(money__rake={"rate": "0.1", "min": "1"}))
    assert adj.Record.from_dict(money_record(money__rake={"rate": 0.1, "min": 1})).digest == written.digest
    fees = [adj.load_policy({"leaver": "fee", "leaver_fee": rate}).leaver_fee for rate in (0.1, "0.1")]
    assert fees[0] == fees[1]
    (fault,) = faults_of(money_record(money__rake={"rate": 0.1, "min": 1.0}))
    assert (fault.code, fault.path) == ("E05", "money.rake.min")


def test_the_highest_cube_is_judged():
    contact = money_record(**{**BEGINNING, "cube": {"value": 1024, "owner": "black", "limit": None}})
    assert adj.adjudicate(contact, precision={"max_trials": 36}).status == "settled"
    assert adj.adjudicate(money_record(cube={"value": 1024, "owner": "white", "limit": 2**30})).status == "settled"


def test_the_nearest_word_is_named():
    (fault,) = faults_of(money_record(rules={"gammon_rule": "portal_home"}))
    assert "portal_home_only" in fault.hint
    (fault,) = faults_of(money_record(stake="1.00", money__stake="1.00"))
    assert fault.path == "stake"


def test_all_faults_are_reported_at_once_and_sorted_by_path():
    record = money_record(
        board__white__off=13,
        cube__value=3,
        dice=[0, 9],
        money__stake=1.0,
        rules={"jacobi": True},
        absence__black__seconds=-3,
    )
    faults = faults_of(record)
    assert [fault.code for fault in faults] == ["E43", "E06", "E14", "E34", "E34", "E05", "E03"]
    paths = [fault.path for fault in faults]
    assert paths == sorted(paths)


def test_points_are_sorted_as_numbers():
    faults = faults_of(money_record(board__white__points={"13": -1, "6": -1}))
    assert [fault.path for fault in faults] == ["board.white.points.6", "board.white.points.13"]


def test_fields_with_x_are_free():
    assert adj.Record.from_dict(money_record(x_table=7)).money is not None


def test_finished_games_are_settled_only_on_request():
    record = money_record(board__black={"points": {}, "bar": 0, "off": 15}, board__white=HOME_15, on_roll="white")
    (fault,) = faults_of(record)
    assert "4 points" in fault.hint
    verdict = adj.adjudicate({**record, "finished": True})
    assert (verdict.equity_points_white, verdict.certain) == (-4, True)


@pytest.mark.parametrize("document", [None, 3, "x", [], [1], {}, {"schema": None}, {"board": {"white": 3}}])
def test_anything_is_refused_with_sentences(document):
    faults = faults_of(document)
    assert faults
    assert all(fault.message for fault in faults)


def test_errors_are_children_and_pickle():
    error = pickle.loads(pickle.dumps(adj.RecordError(faults_of(money_record(cube__value=3)))))
    assert isinstance(error, BgcoreError)
    assert error.errors[0].code == "E14"
    assert error.to_list()[0]["name"] == "CUBE_NOT_POWER"


def test_value_only_needs_nobody_away():
    record = adj.Record.from_dict(money_record(absence=...), value_only=True)
    assert adj.value(record).points_white == 1
    verdict = adj.adjudicate(record)
    assert (verdict.status, verdict.errors[0].code) == ("rejected", "E42")


def test_bracket_equity_needs_the_value_of_the_seat():
    bracket = match_record(match__bracket=True)
    verdict = adj.adjudicate(bracket)
    assert (verdict.status, [fault.code for fault in verdict.errors]) == ("rejected", ["E47"])
    assert adj.adjudicate(bracket, policy={"one_away": "majority"}).mwc_white == 1
    priced = match_record(match__bracket=True, match__next_round_value="80.00")
    assert adj.adjudicate(priced).payouts == {"white": "67.74", "black": "32.26", "sum": "100.00"}


def test_unsupported_rules_are_never_approximated():
    record = money_record(
        board={"white": OPENING, "black": OPENING},
        cube={"value": 1, "owner": "centre"},
        rules={"bearoff_rule": "highest_first"},
    )
    verdict = adj.adjudicate(record)
    assert (verdict.status, [fault.code for fault in verdict.errors]) == ("rejected", ["E51"])
    assert adj.adjudicate(record, policy="forfeit").status == "settled"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
PLACES = [
    (),
    *((name,) for name in money_record()),
    ("board", "white"),
    ("board", "white", "points"),
    ("cube", "value"),
    ("cube", "owner"),
    ("money", "stake"),
    ("money", "rake"),
    ("absence", "black"),
    ("absence", "clock_expired"),
    ("pending", "by"),
    ("match", "score"),
    ("match", "prize"),
    ("rules", "jacoby"),
]


@settings(max_examples=300)
@given(value=JSON, place=st.sampled_from(PLACES), is_match=st.booleans())
def test_any_json_at_any_place_is_a_record_or_refused(value, place, is_match):
    document = match_record() if is_match else money_record()
    if not place:
        document = value
    else:
        *parents, name = place
        target = document
        for parent in parents:
            if not isinstance(target.get(parent), dict):
                target[parent] = {}
            target = target[parent]
        target[name] = value
    try:
        verdict = adj.adjudicate(document, "forfeit")
    except adj.RecordError as error:
        assert error.errors
        json.dumps(error.to_list())
    else:
        json.dumps(verdict.to_dict())
