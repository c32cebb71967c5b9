"""OGID, FIBS boards, and identifiers told apart by their shape."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_situations import situations

from bgcore import Position
from bgcore.codecs.fibs import format_fibs, parse_fibs
from bgcore.codecs.identifier import KINDS, format_identifier, kind_of, parse_identifier
from bgcore.codecs.ogid import format_ogid, parse_ogid
from bgcore.codecs.situation import Situation
from bgcore.errors import BgcoreError, NotationError, UnsupportedError
from bgcore.rules import Rules

START = "11jjjjjhhhccccc:ooddddd88866666"
FIBS = (
    "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0"
    ":0:0:2:0:0:0"
)


def plain(situation):
    """Drop what neither string can say."""
    return replace(situation, rules=Rules(cube_limit=None))


@given(situations())
def test_ogid_round_trip(situation):
    assume(situation.pending in (None, "double"))
    text = format_ogid(situation)
    assert parse_ogid(text) == plain(situation)
    assert format_ogid(parse_ogid(text)) == text
    assert kind_of(text) == "ogid"


@given(situations())
def test_fibs_round_trip(situation):
    assume(situation.pending in (None, "double"))
    if situation.pending:
        situation = replace(situation, turn=-1)
    if situation.score is not None:
        # FIBS says only whether the Crawford game is behind: at one point away it is, or this is it.
        assume(situation.score.mine_away > 1 or situation.score.theirs_away > 1)
        assume(situation.match_length > 1)
    text = format_fibs(situation)
    assert parse_fibs(text) == plain(situation)
    assert format_fibs(parse_fibs(text)) == text
    assert kind_of(text) == "fibs"


def test_ogid_examples():
    assert parse_ogid(f"{START}:N0N").position == Position.starting()
    assert parse_ogid(f"{START}:N0N::W:IW:0:0:1:0").turn == 1
    # Black acted last, so white plays the roll; his checker has gone from 12 to 15.
    black = parse_ogid("03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:3")
    assert (black.turn, black.dice, black.points) == (-1, (3, 3), (1, 0))
    assert black.board[0] == -1
    offered = parse_ogid("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11")
    assert (offered.turn, offered.pending, offered.pending_by) == (-1, "double", "mine")
    owned = parse_ogid("11jjjjjhhhccccq:ooddddd88866666:W1N::W:C:2:0:7L:9")
    assert (owned.cube.value, owned.cube.owner, owned.position.off) == (2, "theirs", (0, 1))
    assert parse_ogid(f"{START}:N0N::B:C:6:5:7C:0").is_crawford


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (f"{START.replace('c', 'z')}:N0N", "field 1"),
        ("p1:ood:N0N", "field 1 .*bar of the other"),
        ("11:11:N0N", "field 2 .*both players"),
        (f"{START}:X0N", "field 3"),
        (f"{START}:W0N", "field 3 .*nobody owns"),
        (f"{START}:N0P", "field 3 .*passed"),
        (f"{START}:N0N:70", "field 4"),
        (f"{START}:N0O:65:W", "field 4 .*before the roll"),
        (f"{START}:N0N::X", "field 5"),
        (f"{START}:N0N::W:iw", "field 6"),
        (f"{START}:N0N::W:C:7:0:7", "field 7 .*over there"),
        (f"{START}:N0N::W:C:0:0:7X", "field 9"),
        (f"{START}:N0N::W:C:0:0:7C", "field 9 .*Crawford"),
        (f"{START}:N0N::W:C:0:0:0C", "field 9 .*money"),
        (f"{START}:N1N::W:C:0:0:7", "field 3 .*somebody owns"),
        (f"{START}:N0N::W:C:0:0:7:x", "field 10"),
    ],
)
def test_ogid_names_the_field(text, field):
    with pytest.raises(NotationError, match=f"OGID {field}"):
        parse_ogid(text)


def test_ogid_supports_standard_backgammon_only():
    with pytest.raises(UnsupportedError, match="field 11"):
        parse_ogid(f"{START}:N0N::W:C:0:0:7:0:20")


def test_fibs_example():
    situation = parse_fibs(FIBS)
    assert situation.position == Position.starting()
    assert (situation.dice, situation.points, situation.match_length) == ((6, 2), (0, 1), 3)
    assert not situation.is_crawford


def changed(number, value):
    fields = FIBS.removeprefix("board:").split(":")
    fields[number - 1] = value
    return "board:" + ":".join(fields)


@pytest.mark.parametrize(
    ("number", "value"),
    [(3, "0"), (4, "x"), (5, "3"), (7, "-3"), (32, "0"), (33, "7"), (37, "3"), (38, "0"), (40, "2"), (41, "0")],
)
def test_fibs_names_the_field(number, value):
    with pytest.raises(NotationError, match=r"FIBS board field \d+ \("):
        parse_fibs(changed(number, value))


@given(st.integers(1, 52), st.integers(-30, 30).map(str) | st.text(max_size=3))
def test_fibs_fields_are_refused_or_round_trip(number, value):
    try:
        situation = parse_fibs(changed(number, value))
    except BgcoreError:
        return
    assert situation.position.flip().flip() == situation.position


def test_offers_that_have_no_field():
    resign = Situation(position=Position.starting(), pending="resign", pending_by="mine", resign_level=1)
    for write in (format_ogid, format_fibs):
        with pytest.raises(NotationError, match="pending"):
            write(resign)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_told_by_its_shape(kind):
    situation = Situation(position=Position.starting())
    text = format_identifier(situation, kind)
    assert kind_of(text) == kind
    assert parse_identifier(text).position == situation.position


def test_no_identifier():
    for text in ("", "hello", "a:b:c", "4HPwATDgc/ABM"):
        with pytest.raises(NotationError, match="looks like no identifier"):
            parse_identifier(text)
    with pytest.raises(NotationError, match="identifiers are"):
        format_identifier(Situation(position=Position.starting()), "xg")


@given(st.text(max_size=120))
def test_any_text_is_refused_with_our_error(text):
    with contextlib.suppress(BgcoreError):
        parse_identifier(text)
