"""Who left how often: counted by hand beside `adjudication.exits`, and the command over it from outside."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.exits import Amount
from bgcore.cli._exit import Exit
from bgcore.errors import BgcoreError
from tests.adjudication_records import changed, match_record, money_record

ANNA_BEN = {"names": {"white": "anna", "black": "ben"}}
BEN_ANNA = {"names": {"white": "ben", "black": "anna"}}
WHITE_GONE = {"white": {"away": True, "seconds": "200"}, "black": {"away": False}, "cause": "player"}
BOTH_GONE = {"white": {"away": True, "seconds": "200"}, "black": {"away": True, "seconds": "300"}, "cause": "player"}


def money(**changes):
    """White wins 27 of 36 and doubles his own cube out for 2.00, or with Black's cube is worth 1.00; Black is gone."""
    return money_record(**{"meta": ANNA_BEN, **changes})


def case(record, policy=None):
    """A verdict as a file holds it, and its record."""
    return adj.adjudicate(record, policy).to_dict(), record


def only(found, name):
    (player,) = found.players(1, name)
    return player


def test_a_leaver_is_counted_with_his_side_of_the_value_and_the_money():
    found = adj.exits([case(money()), case(money(cube__owner="white")), case(money(absence=WHITE_GONE))])
    assert found.to_dict() == {"verdicts": 3, "exits": 3, "unnamed": 0, "server_faults": 0, "reviews": 0}
    assert only(found, "ben").to_dict() == {
        "player": "ben",
        "exits": 2,
        "ahead": 0,
        "level": 0,
        "behind": 2,
        "unknown": 0,
        "both_away": 0,
        "with_points": 2,
        "mean_points": -1.5,
        "with_mwc": 0,
        "mean_mwc": None,
        "paid": [{"currency": "EUR", "minor_digits": 2, "units": 300}],
        "received": [],
    }
    anna = only(found, "anna")
    assert (anna.exits, anna.ahead, anna.mean_points, anna.paid) == (1, 1, 1.0, ())
    assert anna.received == (Amount("EUR", 2, 100),)


def test_the_seat_does_not_matter():
    record = adj.Record.from_dict(money())
    swapped = replace(record.mirrored(), meta=BEN_ANNA)
    one = adj.exits([(adj.adjudicate(record), record)])
    other = adj.exits([(adj.adjudicate(swapped), swapped)])
    assert one.players(1) == other.players(1)


def test_a_match_counts_by_the_chance_to_win_it():
    verdict, record = case(match_record(meta=ANNA_BEN))
    ben = only(adj.exits([(verdict, record)]), "ben")
    assert (ben.behind, ben.with_mwc, ben.with_points, ben.mean_points) == (1, 1, 0, None)
    assert ben.mean_mwc == pytest.approx(1 - float(Fraction(verdict["mwc_white"])), abs=1e-15)
    assert ben.paid == ben.received == ()


def test_an_even_game_is_level_and_so_is_an_estimate_that_cannot_tell():
    verdict = adj.adjudicate(money())
    record = verdict.record

    def standing(**changes):
        one = only(adj.exits([(replace(verdict, value=replace(verdict.value, **changes)), record)]), "ben")
        return one.ahead, one.level, one.behind

    assert standing(number=Fraction(0)) == (0, 1, 0)
    assert standing(number=-0.01, low=-0.03, high=0.01) == (0, 1, 0)
    assert standing(number=-0.02, low=-0.03, high=-0.01) == (1, 0, 0)
    assert standing(number=0.02, low=0.01, high=0.03) == (0, 0, 1)


def test_a_value_nobody_asked_for_is_unknown():
    ben = only(adj.exits([case(money(), "forfeit"), case(money(), "refund"), case(money(), "claim")]), "ben")
    assert (ben.exits, ben.unknown, ben.mean_points) == (3, 3, None)
    assert ben.paid == (Amount("EUR", 2, 200),)


@pytest.mark.parametrize(
    ("changes", "policy", "exits", "server"),
    [
        ({"absence__black__seconds": "180"}, None, 0, 0),  # resumed
        ({"absence": BOTH_GONE}, "resume_only", 0, 0),
        ({"absence__cause": "server"}, "forfeit", 0, 1),
        ({"absence__cause": "unknown"}, None, 1, 0),
        ({"absence": BOTH_GONE}, None, 2, 0),
        ({"absence__clock_expired": "white"}, None, 0, 0),  # Black was away, but White's clock ended the game
        ({"absence__clock_expired": "black"}, None, 1, 0),
    ],
)
def test_what_is_an_exit(changes, policy, exits, server):
    found = adj.exits([case(money(**changes), policy)])
    assert (found.verdicts, found.exits, found.server_faults) == (1, exits, server)
    assert sum(one.exits for one in found.players(1)) == exits
    assert all(one.both_away == (exits == 2) for one in found.players(1))


def test_a_rejected_verdict_is_no_exit():
    rejected = list(adj.adjudicate_many([money(cube__value=3)]))
    found = adj.exits((verdict, None) for verdict in rejected)
    assert (rejected[0].status, found.verdicts, found.exits) == ("rejected", 1, 0)


def test_without_names_nothing_is_guessed():
    verdict, record = case(money())
    for given in (None, money_record(), changed(record, {"meta": {"names": {"white": "anna", "black": " "}}})):
        found = adj.exits([(verdict, given)] * 2)
        assert (found.exits, found.unnamed, found.players(1), found.one_way()) == (2, 2, [], [])


def test_currencies_and_decimals_are_never_summed():
    stakes = [("EUR", 2, "1.00"), ("EUR", 2, "0.33"), ("USD", 2, "1.00"), ("FUN", 0, "7"), ("EUR", 4, "1.0000")]
    cases = [
        case(money(money={"currency": currency, "minor_digits": digits, "stake": stake}))
        for currency, digits, stake in stakes
    ]
    paid = only(adj.exits(cases), "ben").paid
    assert paid == (Amount("EUR", 2, 133), Amount("EUR", 4, 10_000), Amount("FUN", 0, 7), Amount("USD", 2, 100))
    assert [str(amount) for amount in paid] == ["1.33 EUR", "1.0000 EUR", "7 FUN", "1.00 USD"]


def test_pairs_whose_money_went_one_way():
    leaves = money(absence=WHITE_GONE)  # the winner goes, and is paid all the same
    pays_back = case(money(meta=BEN_ANNA))
    other = {"names": {"white": "anna", "black": "cleo"}}
    cases = [case(money()), case(leaves), case(money(), "refund"), case(money(meta=other))]
    (pair,) = adj.exits(cases).one_way()
    assert (pair.payer, pair.payee, pair.settlements, pair.payer_left, pair.payee_left) == ("ben", "anna", 2, 1, 1)
    assert pair.moved == (Amount("EUR", 2, 200),)
    assert adj.exits(cases[:1]).one_way() == []
    assert adj.exits([*cases, pays_back]).one_way() == []
    assert adj.exits([pays_back, *cases, *cases]).one_way("ben") == []
    assert [found.payer for found in adj.exits([*cases, cases[-1]]).one_way("cleo")] == ["cleo"]


def test_a_settlement_laid_to_the_server_still_moved_money():
    (pair,) = adj.exits([case(money(absence__cause="server"), "portal_m2p")] * 3).one_way()
    assert (pair.payer, pair.settlements, pair.payer_left) == ("ben", 3, 0)


def test_the_order_of_the_cases_does_not_matter():
    names = ["dora", "anna", "ben", "cleo"]
    cases = []
    for number in range(40):
        white, black = random.Random(number).sample(names, 2)
        gone = WHITE_GONE if number % 3 else BOTH_GONE
        board = {"points": {str(1 + number % 6): 1}, "bar": 0, "off": 14}
        meta = {"names": {"white": white, "black": black}}
        cases.append(case(money(meta=meta, absence=gone, board__black=board, cube__owner="white")))
    results = []
    for seed in range(3):
        random.Random(seed).shuffle(cases)
        found = adj.exits(cases)
        results.append((found.players(), found.one_way(), found.to_dict()))
    assert results[0] == results[1] == results[2]
    players = results[0][0]
    assert players == sorted(players, key=lambda one: (-one.exits, one.player))
    assert sum(one.exits for one in players) == found.exits


def test_from_how_many_exits_on():
    found = adj.exits([case(money())] * 2)
    assert [[one.player for one in found.players(least)] for least in (1, 2, 3)] == [["ben"], ["ben"], []]
    assert found.players(1, "Ben") == []
    with pytest.raises(BgcoreError, match="least number of exits"):
        found.players(0)


def test_a_review_is_pointed_out():
    first, record = case(money())
    again = case(changed(record, {"meta": {**ANNA_BEN, "previous": first["verdict_id"]}}))
    found = adj.exits([(first, record), again])
    assert (found.exits, found.reviews) == (2, 1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"transfer__amount": "1.005"}, "whole minor units"),
        ({"transfer__amount": "-1.00"}, "whole minor units"),
        ({"transfer__amount": "1e99"}, "a transfer is"),
        ({"transfer__to": "black"}, "no such transfer"),
        ({"transfer": []}, "a transfer is"),
        ({"value__points_white": "nan"}, "no game of money is worth"),
        ({"value__points_white": "9" * 4000}, "no game of money is worth"),
        ({"value__unit": "mwc", "value__mwc_white": "1/2"}, "no game of money is worth"),
        ({"status": "won"}, "a verdict's status is"),
        ({"record": None}, "holds the record"),
        ({"schema": "bgcore.adjudication/1"}, "not a verdict"),
    ],
)
def test_what_no_verdict_can_hold_is_refused_and_not_counted(changes, words):
    verdict, record = case(money())
    found = adj.Exits()
    with pytest.raises(BgcoreError, match=words):
        found.add(changed(verdict, changes), record)
    assert (found.verdicts, found.exits, found.players(1)) == (0, 0, [])


@pytest.mark.parametrize("share", ["-1/3", "4/3"])
def test_no_share_of_a_match_is_below_nothing_or_above_all(share):
    verdict, record = case(match_record(meta=ANNA_BEN))
    with pytest.raises(BgcoreError, match=f"no game of match is worth {share}"):
        adj.exits([(changed(verdict, {"value__mwc_white": share}), record)])


def test_nobody_gets_the_exit_of_another_game():
    verdict, record = case(money())
    with pytest.raises(BgcoreError, match="not the one that was judged"):
        adj.exits([(verdict, changed(record, {"cube__owner": "white"}))])
    with pytest.raises(BgcoreError, match="on the case 'T1', the record on 'T2'"):
        adj.exits([(verdict, changed(record, {"case_id": "T2"}))])
    with pytest.raises(BgcoreError, match="pairs of a verdict"):
        adj.exits(5)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write verdicts and cases; give the names of both."""
    monkeypatch.chdir(tmp_path)

    def inner(cases, name="v"):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(verdict) + "\n" for verdict, _ in cases))
        (tmp_path / f"{name}c.jsonl").write_text("".join(json.dumps(record) + "\n" for _, record in cases))
        return f"{name}.jsonl", f"{name}c.jsonl"

    return inner


TABLES = """\
verdicts: 3, exits: 3

player  exits  both away  ahead  level  behind  unknown  mean points  mean match      paid  received
ben         2          0      0      0       1        1       -1.000           -  3.00 EUR         -

two settlements or more, the money one way each time:
payer  payee  settlements  payer left  payee left     moved
ben    anna             3           2           1  4.00 EUR
"""


def test_the_tables(run, files):
    names = files([case(money()), case(money(), "forfeit"), case(money(absence=WHITE_GONE))])
    assert run("adjudicate", "exits", *names) == (Exit.DONE, TABLES, "")
    assert "anna" in run("adjudicate", "exits", *names, "--least", 1)[1].partition("\n\ntwo")[0]
    assert "exits, from 3 on: none" in run("adjudicate", "exits", *names, "--least", 3)[1]
    code, out, _ = run("adjudicate", "exits", *names, "--player", "anna")
    assert out.splitlines()[3].split() == ["anna", *"101000", "+1.000", "-", "-", "1.00", "EUR"]
    code, out, _ = run("adjudicate", "exits", *names, "--player", "cleo")
    assert (code, out.splitlines()[2:]) == (
        Exit.DONE,
        [
            "exits of cleo, from 1 on: none",
            "",
            "two settlements or more, the money one way each time: no pair with cleo",
        ],
    )


def test_json_holds_the_same(run, files):
    cases = [case(money()), case(money())]
    out = run("adjudicate", "exits", *files(cases), "--json")[1]
    totals, player, pair = map(json.loads, out.splitlines())
    found = adj.exits(cases)
    for body, schema, expected in (
        (totals, "bgcore.exits/1", found),
        (player, "bgcore.exits_player/1", *found.players()),
        (pair, "bgcore.exits_one_way/1", *found.one_way()),
    ):
        assert body.pop("schema") == schema
        body.pop("version")
        assert body == expected.to_dict()


def test_several_files_and_verdicts_alone(run, files):
    one, two = files([case(money())], "one"), files([case(money())], "two")
    assert "\nben         2 " in run("adjudicate", "exits", *one, *two)[1]
    out = run("adjudicate", "exits", one[0])[1]
    assert "exits without a name in the record: 1; they are in nobody's count" in out
    out = run("adjudicate", "exits", "-", one[1], "--least", 1, stdin=Path(one[0]).read_text("utf-8"))[1]
    assert "\nben         1 " in out


def test_a_batch_with_rejected_lines_and_a_spreadsheet(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = "case_id,mode,white_6,white_off,black_1,black_off,on_roll,cube_value,cube_owner,money_stake,"
    head += (
        "money_currency,absence_white_away,absence_black_away,absence_black_seconds,meta_names_white,meta_names_black\n"
    )
    row = "{},money,1,14,1,14,white,{},black,1.00,EUR,no,yes,200,anna,ben\n"
    (tmp_path / "c.csv").write_text(head + row.format("G1", 2) + row.format("G2", 3) + row.format("G3", 2))
    assert run("adjudicate", "batch", "c.csv", "-o", "v.jsonl")[0] == Exit.REJECTED
    code, out, err = run("adjudicate", "exits", "v.jsonl", "c.csv")
    assert (code, err) == (Exit.DONE, "")
    assert "verdicts: 3, exits: 2" in out
    assert "\nben         2 " in out


def test_broken_lines_are_named_and_the_others_counted(run, files):
    good, bad = case(money()), case(money())
    bad[0]["transfer"]["amount"] = "x"
    verdicts, cases = files([good, bad, (good[0], None), good])
    code, out, err = run("adjudicate", "exits", verdicts, cases)
    assert code == Exit.REJECTED
    assert "verdicts: 2, exits: 2" in out
    first, second = err.splitlines()
    assert first.startswith("v.jsonl, line 2: a transfer is")
    assert second.startswith("v.jsonl, line 3: E05 $: ")


def test_files_that_do_not_go_together(run, files, tmp_path):
    verdicts, cases = files([case(money()), case(money())])
    for words, arguments in {
        "go in pairs": (verdicts, cases, verdicts),
        "not two": ("-", "-"),
        "v.jsonl holds verdicts": (verdicts, verdicts),
        "differ in number": (verdicts, "short.jsonl"),
        "line 3 is not JSON": ("broken.jsonl", cases),
        "no such file": (verdicts, "none.jsonl"),
    }.items():
        (tmp_path / "short.jsonl").write_text((tmp_path / cases).read_text().splitlines(keepends=True)[0])
        (tmp_path / "broken.jsonl").write_text((tmp_path / verdicts).read_text() + "{")
        code, out, err = run("adjudicate", "exits", *arguments)
        assert (code, out) == (Exit.USAGE, ""), words
        assert words in err.lower() or words in err, err


def test_a_name_stays_in_its_cell(run, files):
    name = "x\n\x1b[2Jben \u202e é"
    meta = {"names": {"white": "anna", "black": name}}
    out = run("adjudicate", "exits", *files([case(money(meta=meta))] * 2))[1]
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert out.count("x\\n\\x1b[2Jben \\u202e é") == 2
    assert run("adjudicate", "exits", "v.jsonl", "vc.jsonl", "--player", name)[1] == out
