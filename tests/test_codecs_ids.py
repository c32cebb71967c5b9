"""XGID, Match ID and GNUBG ID: round trips of every field, and refusals that name the field."""

import base64
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_situations import situations

from bgcore import Position
from bgcore.codecs.identifier import parse_identifier
from bgcore.codecs.match_id import WIDTHS, format_gnubg_id, format_match_id, parse_gnubg_id, parse_match_id
from bgcore.codecs.situation import Context, Situation
from bgcore.codecs.xgid import format_xgid, parse_xgid
from bgcore.errors import BgcoreError, NotationError
from bgcore.rules import Cube, MatchScore, Rules

START = "-b----E-C---eE---c-e----B-"


def xgid(board=START, cube="0", owner="0", turn="1", rolled="00", me="0", them="0", rules="0", length="0", top="10"):
    return f"XGID={board}:{cube}:{owner}:{turn}:{rolled}:{me}:{them}:{rules}:{length}:{top}"


@given(situations())
def test_xgid_round_trip(situation):
    text = format_xgid(situation)
    assert parse_xgid(text) == situation
    assert format_xgid(parse_xgid(text)) == text


@given(situations(), st.sampled_from([0, 1]), st.integers(0, 3))
def test_gnubg_id_round_trip(situation, player, level):
    assume(situation.pending != "raccoon")
    beavers = situation.pending == "beaver"
    changes = {"player": player, "turn": 1, "rules": replace(situation.rules, beavers=beavers, cube_limit=None)}
    if level and situation.pending is None:
        changes |= {"pending": "resign", "pending_by": ("mine", "theirs")[level % 2], "resign_level": level}
    situation = replace(situation, **changes)
    text = format_gnubg_id(situation)
    assert parse_gnubg_id(text) == situation
    assert format_gnubg_id(parse_gnubg_id(text)) == text


@given(situations())
def test_flip_twice(situation):
    assert situation.flip().flip() == situation
    assert situation.flip().points == situation.points[::-1]


@given(st.text(max_size=80) | st.lists(st.text("-AaBbOoPp:01", max_size=30), min_size=10, max_size=10).map(":".join))
def test_junk_is_refused_or_round_trips(text):
    try:
        situation = parse_xgid(text)
    except NotationError:
        return
    assert parse_xgid(format_xgid(situation)) == situation


@given(st.binary(min_size=9, max_size=9))
def test_any_match_id_is_refused_or_round_trips(key):
    import base64

    text = base64.b64encode(key).decode("ascii")
    try:
        context = parse_match_id(text)
    except NotationError:
        return
    assert parse_match_id(format_match_id(context)) == context


@pytest.mark.parametrize(
    ("text", "field", "other"),
    [
        (xgid(board=START[:-1] + "b"), 1, "bottom player"),
        (xgid(board="B" + START[1:]), 1, "top player"),
        (xgid(board=START.replace("C", "?")), 1, "neither"),
        (xgid(cube="x"), 2, "whole number"),
        (xgid(cube="11", owner="1"), 2, "above the limit"),
        (xgid(owner="1"), 3, "centred"),
        (xgid(cube="1", length="7"), 3, "somebody owns it"),
        (xgid(owner="2"), 3, "-1 to 1"),
        (xgid(turn="0"), 4, "gnubg reads 0"),
        (xgid(rolled="5"), 5, "two digits"),
        (xgid(rolled="D", cube="1", owner="-1"), 5, "owns the cube"),
        (xgid(rolled="B"), 5, "beavers"),
        (xgid(rolled="D", me="6", rules="1", length="7"), 5, "Crawford"),
        (xgid(rolled="D", top="0"), 5, "not in use"),
        (xgid(me="-1"), 6, "whole number"),
        (xgid(them="7", length="7"), 7, "over there"),
        (xgid(rules="4"), 8, "0 to 3"),
        (xgid(me="3", them="2", rules="1", length="7"), 8, "gnubg drops the flag where nobody does"),
        (xgid(me="6", them="6", rules="1", length="7"), 8, "exactly one side"),
        (xgid(length="99999"), 9, "whole number"),
        (xgid(top=""), 10, "whole number"),
    ],
)
def test_the_field_is_named(text, field, other):
    with pytest.raises(NotationError, match=rf"^XGID field {field} \(.*{other}"):
        parse_xgid(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("QYkqASAAIAA", "12 characters"),
        ("QYkqASAAIA!A", "letters, digits"),
        ("QYkqASAAIAD/", "behind its last field"),
    ],
)
def test_match_ids_are_refused_with_the_reason(text, words):
    with pytest.raises(NotationError, match=words):
        parse_match_id(text)


def match_id(**fields):
    """The Match ID of a money game before the roll, with some fields (blanks as underscores) changed."""
    bits = {"cube owner": 3, "game state": 1} | {name.replace("_", " "): value for name, value in fields.items()}
    number = shift = 0
    for name, width in WIDTHS.items():
        number |= bits.get(name, 0) << shift
        shift += width
    return base64.b64encode(number.to_bytes(9, "little")).decode()


MATCH = {"match_length": 7, "score_of_player_0": 6, "score_of_player_1": 2}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"Crawford": 1}, "'Crawford': .*money play"),
        ({**MATCH, "score_of_player_1": 7}, "'score of player 1': 7, but a match to 7 is over"),
        ({**MATCH, "score_of_player_0": 3, "Crawford": 1}, "'Crawford': .* at 3-2 to 7 .*exactly one side"),
        ({"double": 1, "resignation": 1}, "'resignation': .*cannot both wait"),
        ({"player_to_decide": 1}, "'player to decide': .*no double or resignation waits"),
        ({"game_state": 5}, "'game state': 0 to 4, not 5"),
        ({"cube_owner": 2}, "'cube owner': 0, 1 or 3"),
        ({"cube_owner": 0}, "'cube owner': the cube is at 1"),
        ({**MATCH, "cube": 1}, "'cube owner': the cube is at 2 in a match"),
        ({"first_die": 7, "second_die": 1}, "'first die': 1 to 6.*not 7"),
        ({"first_die": 3}, "'second die': 1 to 6.*not 0"),
        ({"double": 1, "player_to_decide": 1, "first_die": 2, "second_die": 1}, "'double': set, but there are dice"),
        ({**MATCH, "double": 1}, "'player to decide': .*beaver, but this is a match"),
        ({**MATCH, "Crawford": 1, "double": 1, "player_to_decide": 1}, "'double': .*Crawford game"),
    ],
)
def test_the_field_of_a_match_id_is_named(fields, words):
    assert parse_match_id(match_id()).cube == Cube()
    with pytest.raises(NotationError, match=f"^Match ID field {words}"):
        parse_match_id(match_id(**fields))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"cube": Cube(1 << 16, "mine"), "rules": Rules(cube_limit=None)}, "at most 2\\^15"),
        ({"session": (40_000, 0)}, "up to 32767"),
        ({"pending": "raccoon", "pending_by": "mine", "rules": Rules(beavers=True, raccoons=True)}, "write an XGID"),
        ({"pending": "double", "pending_by": "theirs"}, "flip"),
    ],
)
def test_what_a_match_id_cannot_hold_is_said(changes, words):
    with pytest.raises(NotationError, match=words):
        format_match_id(Context(), **changes)


CRAWFORD = MatchScore(7, 6, 2, is_crawford=True)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"dice": (7, 1)}, "dice show 1 to 6"),
        ({"pending": "double"}, "come together"),
        ({"resign_level": 2}, "while a resignation is pending"),
        ({"pending": "double", "pending_by": "mine", "dice": (2, 1)}, "come before the roll"),
        ({"score": MatchScore(7, 1, 2), "rules": Rules(jacoby=True)}, "belong to money play"),
        ({"score": MatchScore(7, 1, 2), "session": (3, 1)}, "session points"),
        ({"cube": Cube(4)}, "centred cube at 4"),
        ({"score": CRAWFORD, "cube": Cube(2, "mine")}, "cannot be at 2 in the Crawford game"),
        ({"score": CRAWFORD, "pending": "double", "pending_by": "mine"}, "nobody may double"),
        ({"cube": Cube(2, "theirs"), "pending": "double", "pending_by": "mine"}, "does not hold the cube"),
        ({"pending": "beaver", "pending_by": "theirs"}, "beavers are off"),
        ({"cube": Cube(128, "mine")}, "above the limit of 64"),
    ],
)
def test_fields_that_contradict_each_other_are_named(fields, words):
    with pytest.raises(NotationError, match=f"^game context: .*{words}"):
        Context(**fields)


def test_gnubg_id_as_gnubg_prints_it():
    plain = parse_gnubg_id("4HPwATDgc/ABMA:cAmgABAAGAAE")
    for text in (
        "Position ID: 4HPwATDgc/ABMA Match ID: cAmgABAAGAAE",
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAmgABAAGAAE\n",
    ):
        assert parse_gnubg_id(text) == parse_identifier(text) == plain


def test_a_match_id_alone_is_named_as_one():
    with pytest.raises(NotationError, match="looks like a Match ID"):
        parse_identifier("cAmgABAAGAAE")


def test_gnubg_id_needs_two_halves():
    with pytest.raises(NotationError, match="a colon and a Match ID"):
        parse_gnubg_id("4HPwATDgc/ABMA")
    with pytest.raises(BgcoreError, match="14 characters"):
        parse_gnubg_id("4HPwATDgc/ABM:cAkAAAAAAAAA")


def test_pending_resignation_has_no_xgid():
    situation = Situation(position=Position.starting(), pending="resign", pending_by="mine", resign_level=2)
    with pytest.raises(NotationError, match="no field for a pending resignation"):
        format_xgid(situation)
    assert parse_gnubg_id(format_gnubg_id(situation)).resign_level == 2


def test_format_from_a_position_and_changes():
    text = format_xgid(Position.starting(), dice=(3, 1), score=MatchScore(7, 2, 1))
    assert text == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:6"
    with pytest.raises(NotationError, match="Crawford game"):
        format_xgid(Position.starting(), cube=Cube(2, "mine"), score=MatchScore(7, 6, 1, is_crawford=True))


def test_unpacks_as_position_and_context():
    position, context = Position.from_xgid(xgid(rolled="13"))
    assert position == Position.starting()
    assert context.dice == (3, 1)
    assert context.to_dict()["dice"] == [3, 1]
