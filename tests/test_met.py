"""The shipped match equity table, gnubg's XML form, conversions, and the rule beyond the table."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import met
from bgcore.errors import DataError, RulesError, UnsupportedError
from bgcore.rules import Cube, MatchScore
from bgcore.stakes import Stakes

TABLE = met.default()
SCORE = MatchScore(7, 3, 4)

XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met><info><name>Small</name><length>2</length></info>
<pre-crawford-table type="explicit">
<row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.50</me></row>
</pre-crawford-table>
<post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.4880</me></row></post-crawford-table>
</met>"""


def test_shipped_table():
    assert (TABLE.name, TABLE.length) == ("Kazaross-XG2", 25)
    assert TABLE.digest == "sha256:affe9732af96b7d842b079a9eefdb6c329dd6981edbc41ad8118779652a49b8b"
    assert TABLE.mwc(1, 2) == Fraction("0.67736") and TABLE.mwc(6, 7) == Fraction("0.56261")
    assert met.default() is TABLE and met.available() == ("Kazaross-XG2",) and met.load("kazaross-xg2") == TABLE


def test_post_crawford_row():
    chances = [TABLE.mwc(away, 1, is_post_crawford=True) for away in range(1, 7)]
    assert chances == [Fraction(text) for text in ("0.5", "0.48803", "0.32264", "0.31002", "0.19012", "0.18072")]
    assert TABLE.mwc(1, 3, is_post_crawford=True) == 1 - Fraction("0.32264")
    assert TABLE.mwc_at(MatchScore(7, 5, 6)) == Fraction("0.48803")
    assert TABLE.mwc_at(MatchScore(7, 5, 6, is_crawford=True)) == Fraction("0.32264")


@given(st.integers(1, 25), st.integers(1, 25), st.booleans())
def test_the_two_sides_share_one_match(mine, theirs, is_post):
    is_post = is_post and 1 in (mine, theirs)
    chance = TABLE.mwc(mine, theirs, is_post_crawford=is_post)
    assert chance + TABLE.mwc(theirs, mine, is_post_crawford=is_post) == 1
    assert 0 < chance < 1


def test_won_and_impossible_scores():
    assert TABLE.mwc(0, 3) == 1 and TABLE.mwc(3, -2) == 0
    with pytest.raises(RulesError, match="both sides"):
        TABLE.mwc(0, 0)
    with pytest.raises(RulesError, match="still to come"):
        TABLE.mwc(3, 4, is_post_crawford=True)


def test_equity_and_mwc():
    score = MatchScore(7, 0, 0)
    chances = [TABLE.equity_to_mwc(equity, score) for equity in (-1, 0, Fraction(1, 2), 1)]
    assert chances == [Fraction(text) for text in ("0.43739", "0.5", "0.531305", "0.56261")]
    assert float(TABLE.mwc_to_equity(Fraction(3, 5), score)) == pytest.approx(1.597189, abs=1e-6)


@given(st.integers(0, 6), st.integers(0, 6), st.sampled_from([1, 2, 4]), st.fractions(-3, 3, max_denominator=64))
def test_equity_round_trip(mine, theirs, cube, equity):
    score = MatchScore(7, mine, theirs)
    assert TABLE.mwc_to_equity(TABLE.equity_to_mwc(equity, score, cube), score, cube) == equity


def test_gammon_prices():
    assert TABLE.gammon_prices(MatchScore(7, 6, 6)) == (0, 0, 0, 0)
    crawford = TABLE.gammon_prices(MatchScore(5, 3, 4, is_crawford=True))
    assert crawford.win_gammon == 2 and crawford.lose_gammon == 0
    assert crawford.values.win_gammon == 1
    level = TABLE.gammon_prices(MatchScore(25, 0, 0))
    assert 0.9 < level.win_gammon == level.lose_gammon < 1.1


def test_beyond_the_table():
    with pytest.raises(UnsupportedError, match=r"64-away 64-away lies beyond .* extended\(64\)"):
        TABLE.mwc(64, 64)
    wide = TABLE.extended(64)
    assert wide.length == 64 and wide.mwc(64, 64) == Fraction(1, 2) and wide.mwc(6, 7) == TABLE.mwc(6, 7)
    assert wide.name == "Kazaross-XG2 extended to 64" and wide.digest != TABLE.digest
    assert 0.5 < wide.mwc(63, 64) < 0.53 and 0.999 < wide.mwc(1, 26) < 1
    assert TABLE.extended(20) is TABLE
    stakes = Stakes.match(Cube(), None, MatchScore(64, 0, 0), wide)
    assert [level.cube for level in stakes.levels] == [1, 2, 4, 8, 16, 32, 64]
    for length in (0, 65, 26.0):
        with pytest.raises(RulesError, match="extends to 1 to 64"):
            TABLE.extended(length)


def test_the_rule_beyond_the_table_continues_what_is_known():
    cut = met.MatchEquityTable("cut", tuple(row[:18] for row in TABLE.pre[:18]), TABLE.post[:18]).extended(25)
    assert max(abs(cut.pre[i][j] - TABLE.pre[i][j]) for i in range(25) for j in range(25)) < 0.004
    assert max(abs(a - b) for a, b in zip(cut.post, TABLE.post, strict=True)) < 0.0001


def test_reads_gnubg_xml(tmp_path):
    path = tmp_path / "small.xml"
    path.write_text(XML)
    table = met.load(path)
    assert (table.name, table.length) == ("Small", 2)
    assert table.mwc(1, 2) == Fraction(7, 10) and table.mwc(2, 1, is_post_crawford=True) == Fraction("0.488")


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (XML.replace('"explicit">\n', '"zadeh">\n'), UnsupportedError, "computed"),
        (XML.replace("0.7<", "0.8<"), DataError, "do not add up"),
        (XML.replace("0.7<", "seven<"), DataError, "no number"),
        (XML.replace("<me>0.7</me>", ""), DataError, "as many columns"),
        (XML.replace("0.4880", "1.5"), DataError, "between 0 and 1"),
        (XML[:200], DataError, "not readable XML"),
        ("<met/>", DataError, "lacks its"),
        ('<!DOCTYPE met [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><met>&b;</met>', DataError, "declares the entity"),
    ],
)
def test_refuses_bad_xml(tmp_path, text, error, words):
    path = tmp_path / "bad.xml"
    path.write_text(text)
    with pytest.raises(error, match=words):
        met.load(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pre,1,0.5,0.7\npre,2,0.3,0.5\n", "as many post-Crawford"),
        ("pre,2,0.5\n", "line 1: pre,2 is not expected"),
        ("pre,1,half\npost,1,0.5\n", "CSV form"),
        ("pre\n", "CSV form"),
        ("", "as many columns"),
    ],
)
def test_refuses_bad_csv(tmp_path, text, words):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=words):
        met.load(path)


def listed(rows, post):
    def row(entries):
        return "<row>" + "".join(f"<me>{entry}</me>" for entry in entries) + "</row>"

    return (
        f'<met><name>listed</name><pre-crawford-table type="explicit">{"".join(map(row, rows))}</pre-crawford-table>'
        f'<post-crawford-table type="explicit" player="both">{row(post)}</post-crawford-table></met>'
    )


def test_the_last_entry_after_the_crawford_game_may_be_left_out(tmp_path):
    """No match of the table's length leads there; it is completed by the rule that continues a table."""
    path = tmp_path / "short.xml"
    rows, post = [[float(value) for value in row] for row in TABLE.pre], [float(value) for value in TABLE.post]
    path.write_text(listed(rows, post[:-1]))
    table = met.load(path)
    assert table.pre == TABLE.pre and table.post[:-1] == TABLE.post[:-1]
    assert table.post[-1] == round((7 * TABLE.post[22] + 3 * TABLE.post[20]) / 20, 9)
    assert abs(table.post[-1] - TABLE.post[-1]) < Fraction(1, 10_000)
    path.write_text(listed(rows, post[:-2]))
    with pytest.raises(DataError, match="as many post-Crawford entries"):
        met.load(path)


@pytest.mark.parametrize("cube", [0, -1, 1.0, True, "x", None, 1 << 31])
def test_a_cube_is_checked_before_it_divides(cube):
    def prices(number):
        return TABLE.gammon_prices(SCORE, number)

    for ask in (lambda n: TABLE.mwc_to_equity(0, SCORE, n), lambda n: TABLE.equity_to_mwc(0, SCORE, n), prices):
        with pytest.raises(RulesError, match="the number on a cube is a whole number from 1"):
            ask(cube)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), "x", None])
def test_a_number_is_finite(number):
    for ask in (TABLE.mwc_to_equity, TABLE.equity_to_mwc):
        with pytest.raises(RulesError, match="is a finite number, not"):
            ask(number, SCORE)


def test_names_what_there_is(tmp_path):
    with pytest.raises(DataError, match="there are Kazaross-XG2"):
        met.load("woolsey")
    with pytest.raises(DataError, match="cannot be read"):
        met.load(tmp_path / "none.csv")


def test_real_stakes_at_two_away_two_away():
    stakes = Stakes.match(Cube(), None, MatchScore(3, 1, 1), TABLE)
    assert [level.cube for level in stakes.levels] == [1, 2]
    assert stakes.levels[0].pass_mine == Fraction("0.67736") and stakes.levels[1].win == (1, 1, 1)
    after = Stakes.match(Cube(), None, MatchScore(7, 5, 6), TABLE)
    assert after.levels[0].pass_mine == Fraction(1, 2) and after.levels[0].lose == (0, 0, 0)
