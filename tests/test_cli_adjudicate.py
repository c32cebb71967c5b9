"""``bgcore adjudicate`` from outside: rulings in words and JSON, exit codes, and every kind of bad input."""

import json

import pytest

from bgcore.cli._exit import Exit
from tests.adjudication_records import money_record

LAST_ROLL = ("--position-id", "AQAAgAAAAAAAAA")
GONE = ("--away", "black", "--absent", "200")
EUR = ("--stake", "1.00", "--currency", "EUR")
RECORD = money_record(case_id="G123")


@pytest.fixture
def one(run):
    return lambda *args, **kwargs: run("adjudicate", "one", *args, **kwargs)


def test_the_board_and_the_ruling_of_an_identifier(one):
    code, out, err = one(*LAST_ROLL, "--cube", "2:black", *EUR, *GONE)
    assert (code, err) == (0, "")
    assert out.startswith(" +13-14-")
    assert "White wins 1.00 EUR from Black." in out
    assert "equity for White +0.500 per cube × 2 · 27 of 36 rolls win" in out
    assert "BLACK_ABSENT_200S_OVER_180S" in out


@pytest.mark.parametrize(
    ("flags", "ruling"),
    [
        (("--cube", "2:white"), "White wins 2.00 EUR from Black."),
        (("--cube", "2:white", "--limit", "2.00"), "White wins 1.00 EUR from Black."),
        (("--cube", "2:black", "--dice", "61"), "White wins 2.00 EUR from Black."),
        (("--cube", "2:white", "--dice", "21"), "Black wins 2.00 EUR from White."),
        (("--cube", "2:white", "--pending", "double:white"), "White wins 2.00 EUR from Black."),
        (("--cube", "2:black", "--pending", "resign:black:1"), "White wins 2.00 EUR from Black."),
        (("--cube", "2:black", "--policy", "refund"), "Both stakes are returned."),
        (("--cube", "2:black", "--policy", "forfeit"), "White wins 2.00 EUR from Black."),
        (("--cube", "2:black", "--on-roll", "black"), "Black wins 2.00 EUR from White."),
        (
            (
                "--cube",
                "none",
            ),
            "White wins 0.50 EUR from Black.",
        ),
    ],
)
def test_flags_change_the_ruling(one, flags, ruling):
    assert one(*LAST_ROLL, *flags, *EUR, *GONE, "--no-board")[1].startswith(ruling)


def test_a_match(one):
    flags = ("--match", "5", "--score", "3-3", "--prize", "20/0", "--currency", "EUR")
    code, out, _ = one("--gnubg", "AQAAgAAAAAAAAA", *flags, "--away", "white", "--absent", "200")
    assert code == 0
    assert "White has 67.74 % of the match, Black 32.26 %. White is paid 13.55 EUR, Black 6.45 EUR." in out
    assert "match to 5: White 3, Black 3" in out


def test_back_in_time_is_resumed(one):
    code, out, _ = one(*LAST_ROLL, *EUR, "--away", "black", "--absent", "180", "--no-board")
    assert (code, out.splitlines()[0]) == (0, "Nothing is settled: the game goes on.")


def test_a_value_without_an_absence(one):
    code, out, _ = one(*LAST_ROLL, "--value-only", "--json")
    assert code == 0
    assert json.loads(out)["points_white"] == "1"


def test_a_record_from_a_file_and_from_standard_input(one, tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(RECORD))
    from_file = one(path, "--json")
    assert from_file[0] == 0
    verdict = json.loads(from_file[1])
    assert verdict["transfer"] == {"from": "black", "to": "white", "amount": "1.00"}
    assert verdict["case_id"] == "G123"
    assert one("-", "--json", stdin=json.dumps(RECORD)) == from_file


def test_a_rejected_record_names_every_fault(one):
    wrong = RECORD | {"cube": {"value": 3, "owner": "black"}, "dice": [7, 1], "typo": 1}
    code, out, err = one("-", stdin=json.dumps(wrong))
    assert (code, out) == (Exit.REJECTED, "")
    for fault in ("E14 cube.value", "E34 dice.0", "E03 typo"):
        assert fault in err
    code, out, _ = one("-", "--json", stdin=json.dumps(wrong))
    assert code == Exit.REJECTED
    assert {fault["code"] for fault in json.loads(out)["errors"]} >= {"E03", "E14", "E34"}


def test_an_ambiguous_crawford_game_is_asked_for(one):
    flags = (*LAST_ROLL, "--match", "5", "--score", "4-2", *GONE)
    code, _, err = one(*flags)
    assert code == Exit.REJECTED
    assert "E22" in err
    assert one(*flags, "--crawford", "yes")[0] == 0


def test_nobody_away_is_rejected(one):
    record = RECORD | {"absence": {"white": {"away": False}, "black": {"away": False}, "cause": "player"}}
    code, out, err = one("-", stdin=json.dumps(record))
    assert code == Exit.REJECTED
    assert "E42" in out + err


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ((), "--xgid"),
        ((*LAST_ROLL, "--xgid", "x"), "one case"),
        (LAST_ROLL, "--away"),
        ((*LAST_ROLL, "--away", "black"), "--absent"),
        ((*LAST_ROLL, "--absent", "200", "--value-only"), "--away"),
        ((*LAST_ROLL, *GONE, "--stake", "1"), "--currency"),
        ((*LAST_ROLL, *GONE, "--limit", "1"), "--stake"),
        ((*LAST_ROLL, *GONE, "--score", "3-3"), "--match"),
        ((*LAST_ROLL, *GONE, "--prize", "100/0"), "--match"),
        ((*LAST_ROLL, *GONE, "--match", "5", "--score", "x"), "--score"),
        ((*LAST_ROLL, *GONE, "--match", "5", "--stake", "1", "--currency", "EUR"), "--prize"),
        ((*LAST_ROLL, *GONE, "--cube", "2"), "2:white"),
        ((*LAST_ROLL, *GONE, "--pending", "double"), "double:white"),
        ((*LAST_ROLL, *GONE, "--pending", "resign:black"), "resign:black:1"),
        ((*LAST_ROLL, *GONE, "--pending", "double:white:2"), "double:white"),
        ((*LAST_ROLL, *GONE, "--policy", "play56"), "play65"),
        ((*LAST_ROLL, *GONE, "--policy", "missing.toml"), "missing.toml"),
        ((*LAST_ROLL, "--away", "nobody"), "--away"),
        (("--xgid", "rubbish", *GONE), "rubbish"),
    ],
)
def test_a_wrong_flag_is_named(one, args, named):
    code, out, err = one(*args)
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


def test_a_record_says_itself_what_flags_say(one, tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(RECORD))
    code, _, err = one(path, "--stake", "2.00")
    assert code == Exit.USAGE
    assert "--stake" in err


@pytest.fixture
def unreadable(tmp_path):
    """A missing file, a directory, an empty file, a binary file, and a text that is no JSON."""
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "binary.xg").write_bytes(b"RGMH\x18 \x00\x00\xff\xfe\x80" * 40)
    (tmp_path / "text.json").write_text("{'a': 1}")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "folder").mkdir()
    names = ("missing.json", "folder", "empty.json", "binary.xg", "text.json", "deep.json")
    return [tmp_path / name for name in names]


@pytest.mark.parametrize("index", range(6))
@pytest.mark.parametrize("command", [("one",), ("verify",)])
def test_an_unreadable_file_is_named_in_one_line(run, unreadable, index, command):
    path = unreadable[index]
    code, out, err = run("adjudicate", *command, path)
    if (command, path.name) == (("verify",), "empty.json"):
        assert (code, out) == (0, "")  # no verdicts: nothing to verify
        return
    assert (code, out) == (Exit.USAGE, "")
    assert str(path) in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "text", ["[]", "1", '"x"', "null", "{}", '{"schema": 1}', '{"schema": "bgcore.adjudication/2"}']
)
def test_json_that_is_no_record_is_rejected(one, text):
    code, _, err = one("-", stdin=text)
    assert code == Exit.REJECTED
    assert " E0" in err or "\nE0" in err


def test_verify_says_equal_or_what_differs(run, tmp_path):
    verdict = run("adjudicate", "one", "-", "--json", stdin=json.dumps(RECORD))[1]
    assert run("adjudicate", "verify", "-", stdin=verdict)[:2] == (0, "G123: equal to the bit\n")
    changed = json.loads(verdict)
    changed["transfer"]["amount"] = "1.01"
    code, out, _ = run("adjudicate", "verify", "-", "--json", stdin=json.dumps(changed))
    assert code == Exit.MISMATCH
    assert "transfer differs" in json.loads(out)["reasons"][0]
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(RECORD) + "\n")
    assert run("adjudicate", "verify", "-", cases, stdin=verdict)[0] == 0
    cases.write_text(json.dumps(RECORD | {"dice": [6, 1]}) + "\n")
    assert run("adjudicate", "verify", "-", cases, stdin=verdict)[0] == Exit.MISMATCH
    cases.write_text("")
    assert run("adjudicate", "verify", "-", cases, stdin=verdict)[0] == Exit.USAGE


def test_policies_are_listed_and_can_be_copied(run, tmp_path):
    code, out, _ = run("adjudicate", "policies")
    assert code == 0
    assert "portal_m2p" in out
    path = tmp_path / "site.toml"
    path.write_text(run("adjudicate", "policies", "play65")[1].replace("180", "300"))
    assert "a sound policy" in run("adjudicate", "policies", path)[1]
    found = json.loads(run("adjudicate", "policies", path, "--json")[1])
    assert found["grace_seconds"] == 300
    path.write_text("one_away = 'equty'")
    code, _, err = run("adjudicate", "policies", path)
    assert code == Exit.USAGE
    assert "equity" in err


FLAGS = (*LAST_ROLL, "--cube", "2:black", *EUR, *GONE)


@pytest.mark.parametrize(("lang", "ruling"), [("en", "pays"), ("fr", "verse"), ("de", "zahlt")])
def test_a_ruling_is_explained_in_three_languages(run, one, tmp_path, lang, ruling):
    page = tmp_path / "case.html"
    code, out, err = one(*FLAGS, "--explain", lang, "--html", page, "--names", "Anna,Ben")
    assert (code, err) == (0, f"wrote {page}\n")
    assert ruling in out
    assert "Ben" in out
    text = page.read_text("utf-8")
    assert f'<html lang="{lang}">' in text
    assert ruling in text
    verdict = one(*FLAGS, "--json")[1]
    args = ("--lang", lang, "--names", "Anna,Ben")
    assert run("adjudicate", "explain", "-", *args, stdin=verdict) == (0, out, "")


def test_explain_one_case_of_many(run, tmp_path):
    verdicts = tmp_path / "verdicts.jsonl"
    records = [RECORD | {"case_id": name} for name in ("G1", "G2")]
    lines = [run("adjudicate", "one", "-", "--json", stdin=json.dumps(record))[1] for record in records]
    verdicts.write_text("".join(lines))
    code, out, _ = run("adjudicate", "explain", verdicts, "--case", "G2", "--audience", "auditor")
    assert code == 0
    assert json.loads(lines[1])["verdict_id"] in out
    assert json.loads(lines[0])["case_id"] not in out
    page = tmp_path / "g2.html"
    assert run("adjudicate", "explain", verdicts, "--case", "G2", "--html", page)[0] == 0
    assert "G2" in page.read_text("utf-8")
    assert "# " in run("adjudicate", "explain", verdicts, "--format", "markdown")[1]


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("--case", "G9"), "G9"),
        (("--lang", "es"), "--lang"),
        (("--audience", "press"), "--audience"),
        (("--names", "Anna"), "--names"),
        (("--html", "x.html"), "--case"),
    ],
)
def test_a_wrong_flag_of_explain_is_named(run, args, named):
    verdict = run("adjudicate", "one", "-", "--json", stdin=json.dumps(RECORD))[1]
    code, out, err = run("adjudicate", "explain", "-", *args, stdin=verdict * 2)
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


def test_what_is_no_verdict_cannot_be_explained(run):
    assert run("adjudicate", "explain", "-", stdin="{}")[0] == Exit.REJECTED
    assert run("adjudicate", "explain", "-", stdin="")[0] == Exit.USAGE


@pytest.mark.parametrize("name", ["record", "verdict", "policy"])
def test_schemas_are_printed(run, name):
    code, out, err = run("adjudicate", "schema", name)
    assert (code, err) == (0, "")
    assert json.loads(out)["title"] == f"bgcore {name}"


def test_an_explanation_is_not_dropped_for_json(run):
    code, out, err = run("adjudicate", "one", "-", "--json", "--explain", "fr", stdin="{}")
    assert (code, out) == (Exit.USAGE, "")
    assert "--explain" in err


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (("--stake", "1,00", "--currency", "EUR", *GONE), "E05 --stake: "),
        (("--stake", "1.00", "--currency", "EURO", *GONE), "E29 --currency: "),
        ((*EUR, "--limit", "x", *GONE), "E05 --limit: "),
        ((*EUR, "--cube", "3:white", *GONE), "E14 --cube: "),
        ((*EUR, "--cube", "2:white", "--cube-limit", "5", *GONE), "E16 --cube-limit: "),
        ((*EUR, "--pending", "double:pink", *GONE), "E46 --pending: "),
        ((*EUR, "--away", "both", "--absent", "200,soon"), "E05 --absent: "),
        (("--match", "5", "--prize", "1/2", *GONE), "E33 --prize: "),
        (("--match", "5", "--jacoby", *GONE), "E26 --jacoby: "),
    ],
)
def test_a_fault_of_a_flag_names_the_flag(one, flags, named):
    code, _, err = one(*LAST_ROLL, *flags)
    assert code == Exit.REJECTED
    assert named in err


def test_a_fault_of_a_record_names_its_path(run):
    assert "money.stake: " in run("adjudicate", "one", "-", stdin=json.dumps(RECORD | {"money": {"stake": "1,00"}}))[2]


def test_both_absences_may_have_decimals(one):
    code, out, _ = one(*LAST_ROLL, *EUR, "--away", "both", "--absent", "200,10.5", "--json")
    assert code in (0, Exit.UNDECIDED)
    assert json.loads(out)["record"]["absence"]["black"]["seconds"] == "10.500"
    for wrong in ("1,2,3", "200,", ","):
        code, _, err = one(*LAST_ROLL, *EUR, "--away", "both", "--absent", wrong)
        assert code == Exit.USAGE
        assert "200,10.5" in err


def test_a_match_is_no_longer_than_a_record_allows(one):
    assert one(*LAST_ROLL, "--match", "64", *GONE)[0] == 0
    code, _, err = one(*LAST_ROLL, "--match", "65", *GONE)
    assert code == Exit.USAGE
    assert "1<=x<=64" in err
