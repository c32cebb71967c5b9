"""Stakes: caps, limits, Jacoby and scores come out as the numbers of each cube level."""

from decimal import Decimal
from fractions import Fraction

import pytest

from bgcore.errors import RulesError, UnsupportedError
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import COLUMNS, Stakes


class FlatTable:
    """A made-up equity table: my chance is the share of the points that the opponent needs."""

    def mwc(self, mine_away, theirs_away, *, is_post_crawford=False):
        if mine_away <= 0:
            return Fraction(1)
        if theirs_away <= 0:
            return Fraction(0)
        return Fraction(theirs_away, mine_away + theirs_away) + (Fraction(1, 100) if is_post_crawford else 0)


NO_LIMIT = Rules(cube_limit=None)


def test_plain_money_is_one_level_that_rescales():
    stakes = Stakes.money(Cube(4, "mine"), NO_LIMIT)
    (level,) = stakes.levels
    assert level.win == (4, 8, 12) and level.lose == (-4, -8, -12)
    assert (level.pass_mine, level.pass_theirs) == (4, -4)
    assert stakes.is_rescaling and stakes.is_homogeneous and stakes.can_double
    assert stakes.level(3).win == (32, 64, 96) and stakes.level(3).pass_theirs == -32 and stakes.level(3).cube == 32


def test_the_limit_ends_the_levels():
    stakes = Stakes.money()
    assert [level.cube for level in stakes.levels] == [1, 2, 4, 8, 16, 32, 64]
    assert [level.can_double_mine for level in stakes.levels] == [True] * 6 + [False]
    assert stakes.levels[-1].pass_mine is None and not stakes.is_homogeneous
    with pytest.raises(RulesError, match="end at level 6"):
        stakes.level(7)
    assert Stakes.money(Cube(64, "mine")).is_cubeless
    assert Stakes.money(rules=Rules(cube_limit=1)).is_cubeless


def test_a_cap_clips_and_kills_the_cube():
    stakes = Stakes.money(Cube(2, "mine"), NO_LIMIT, cap=3)
    assert [level.win for level in stakes.levels] == [(2, 3, 3), (3, 3, 3)]
    assert stakes.can_double and stakes.levels[0].pass_mine == 2 and not stakes.levels[1].can_double_mine
    assert Stakes.money(Cube(2, "mine"), cap=2).is_cubeless
    top = Fraction(5, 2)
    fractional = Stakes.money(cap=top)
    assert [level.win for level in fractional.levels] == [(1, 2, top), (2, top, top), (top, top, top)]
    assert Stakes.money(cap=Decimal("2.5")) == fractional
    assert Stakes.money(cap=Fraction(1, 2)).levels[0].win == (Fraction(1, 2),) * 3


def test_block_double_forbids_what_the_cap_cannot_cover():
    blocked = Rules(limit_mode="block_double")
    assert Stakes.money(Cube(2, "mine"), blocked, cap=3).is_cubeless
    assert Stakes.money(Cube(2, "mine"), blocked, cap=4).can_double
    assert Stakes.money(Cube(2, "mine"), blocked, cap=3).levels[0].win == (2, 3, 3)


def test_a_cap_out_of_reach_changes_nothing():
    assert Stakes.money(cap=3 * 64) == Stakes.money()


def test_jacoby_counts_singles_until_the_cube_is_turned():
    rules = Rules(jacoby=True)
    centred = Stakes.money(rules=rules)
    assert centred.levels[0].win == (1, 1, 1) and centred.levels[1].win == (2, 4, 6)
    assert Stakes.money(Cube(2, "theirs"), rules).levels[0].win == (2, 4, 6)
    assert Stakes.money(Cube(enabled=False), rules).levels[0].win == (1, 1, 1)
    endless = Stakes.money(rules=Rules(jacoby=True, cube_limit=None))
    assert len(endless.levels) == 2 and endless.is_rescaling and not endless.is_homogeneous
    assert endless.level(2).win == (4, 8, 12)


def test_refusing_can_cost_the_number_shown():
    stakes = Stakes.money(rules=Rules(decline_value="shown_after_double", cube_limit=None))
    assert stakes.levels[0].pass_mine == 2 and stakes.levels[0].pass_theirs == -2
    assert stakes.is_rescaling and not stakes.is_homogeneous
    assert Stakes.money(rules=Rules(decline_value="shown_after_double"), cap=1).is_cubeless


def test_no_cube_no_doubles():
    stakes = Stakes.money(Cube(enabled=False))
    assert stakes.is_cubeless and len(stakes.levels) == 1 and stakes.levels[0].win == (1, 2, 3)


def test_ownership_decides_who_can_double():
    assert not Stakes.money(Cube(2, "theirs")).can_double
    assert not Stakes.money(Cube(2, "theirs")).is_cubeless
    assert Stakes.money(Cube(2, "mine")).can_double


def test_match_levels():
    stakes = Stakes.match(Cube(), None, MatchScore(7, 4, 5), FlatTable())
    assert [level.cube for level in stakes.levels] == [1, 2, 4]
    first, second, last = stakes.levels
    assert first.win == (Fraction(1, 2), Fraction(2, 3), 1) and first.lose == (Fraction(1, 4), 0, 0)
    assert first.pass_mine == Fraction(1, 2) and first.pass_theirs == Fraction(1, 4)
    assert second.can_double_mine and not second.can_double_theirs and second.pass_theirs is None
    assert not (last.can_double_mine or last.can_double_theirs)
    assert stakes.unit == "mwc" and not stakes.is_rescaling


def test_crawford_and_after():
    crawford = Stakes.match(Cube(), None, MatchScore(7, 5, 6, is_crawford=True), FlatTable())
    assert crawford.is_cubeless
    assert crawford.levels[0].win[0] == Fraction(1, 2) + Fraction(1, 100)
    after = Stakes.match(Cube(), None, MatchScore(7, 5, 6), FlatTable())
    assert after.can_double and not after.levels[0].can_double_theirs
    assert not after.flip().can_double and not after.flip().is_cubeless
    with pytest.raises(RulesError, match="Crawford game nobody may double"):
        Stakes.match(Cube(2, "mine"), None, MatchScore(7, 5, 6, is_crawford=True), FlatTable())


def test_match_refuses_money_rules():
    with pytest.raises(RulesError) as caught:
        Stakes.match(Cube(), Rules(jacoby=True, beavers=True), MatchScore(5, 0, 0), FlatTable())
    assert "Jacoby belongs" in str(caught.value) and "beavers belong" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"cap": 0}, ["more than 0"]),
        ({"cap": 2.5}, ["exact number"]),
        ({"cap": True}, ["exact number"]),
        ({"cap": Decimal("NaN")}, ["more than 0"]),
        ({"cube": Cube(128, "mine")}, ["above its limit 64"]),
        ({"cube": Cube(128), "cap": -1}, ["above its limit", "automatic doubles", "more than 0"]),
    ],
)
def test_money_faults(arguments, words):
    with pytest.raises(RulesError) as caught:
        Stakes.money(**arguments)
    assert all(word in str(caught.value) for word in words)


def test_a_cap_that_needs_endless_levels_is_refused():
    with pytest.raises(UnsupportedError, match="needs a cube limit"):
        Stakes.money(rules=NO_LIMIT, cap=1 << 31)
    assert len(Stakes.money(cap=1 << 31).levels) == 7
    assert Stakes.money(Cube(2), Rules(automatic_doubles=True)).levels[0].win == (2, 4, 6)


SAMPLES = [
    Stakes.money(Cube(2, "mine"), NO_LIMIT),
    Stakes.money(cap=Fraction(7, 3)),
    Stakes.money(rules=Rules(jacoby=True, beavers=True, raccoons=True, cube_limit=None)),
    Stakes.match(Cube(2, "theirs"), None, MatchScore(7, 2, 4), FlatTable()),
]


@pytest.mark.parametrize("stakes", SAMPLES)
def test_flip_and_round_trip(stakes):
    flipped = stakes.flip()
    assert flipped.flip() == stakes
    total = 0 if stakes.unit == "points" else 1
    for mine, theirs in zip(stakes.levels, flipped.levels, strict=True):
        assert all(a + b == total for a, b in zip(mine.win, theirs.lose, strict=True))
        assert (mine.can_double_mine, mine.can_double_theirs) == (theirs.can_double_theirs, theirs.can_double_mine)
    assert Stakes.from_dict(stakes.to_dict()) == stakes


def test_table_is_the_levels_in_float():
    stakes = Stakes.money(Cube(2, "mine"), cap=3)
    assert stakes.table.shape == (2, len(COLUMNS)) and not stakes.table.flags.writeable
    assert stakes.table.tolist() == [[2, 3, 3, -2, -3, -3, 2, -2, 1, 1], [3, 3, 3, -3, -3, -3, 0, 0, 0, 0]]


@pytest.mark.parametrize("data", [{}, {**SAMPLES[0].to_dict(), "levels": []}, {**SAMPLES[0].to_dict(), "unit": "euro"}])
def test_from_dict_refuses_strangers(data):
    with pytest.raises(RulesError, match="not stakes"):
        Stakes.from_dict(data)
