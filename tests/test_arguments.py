"""Arguments of types that mean nothing: one clear sentence each, from the library itself."""

from importlib.resources import files

import numpy as np
import pytest

import bgcore
from bgcore import adjudication as adj
from bgcore._core import Network
from bgcore.errors import (
    ArgumentError,
    BgcoreError,
    DataError,
    DiceError,
    NotationError,
    PositionError,
    RulesError,
    UnsupportedError,
)
from tests.adjudication_records import money_record

START = bgcore.Position.starting()
SITUATION = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
NO_TEXTS = (None, 1, 1.5, b"abc", [], object())
READERS = (
    bgcore.parse_xgid,
    bgcore.parse_match_id,
    bgcore.parse_gnubg_id,
    bgcore.parse_ogid,
    bgcore.parse_fibs,
    bgcore.parse_identifier,
    adj.Record.from_xgid,
)
WRITERS = (
    bgcore.format_xgid,
    bgcore.format_match_id,
    bgcore.format_gnubg_id,
    bgcore.format_ogid,
    bgcore.format_fibs,
    lambda what: bgcore.format_identifier(what, "xgid"),
)
USERS = (
    bgcore.evaluate,
    bgcore.race,
    bgcore.analyze,
    bgcore.rollout,
    bgcore.cube_action,
    bgcore.Evaluator,
    adj.verify,
    lambda what: bgcore.cube_action(START, what or 1),
    lambda what: bgcore.cube_action(START, None, what or 1),
    lambda what: bgcore.rollout(START, trials=1, stakes=what or 1),
    lambda what: bgcore.rollout(START, trials=1, settings=what or 1),
    lambda what: bgcore.rollout(START, trials=1, progress=what or 1),
    lambda what: bgcore.rollout(START, trials=1).extend(1, progress=what or 1),
    lambda what: bgcore.rollout(START, trials=1).merge(what),
    lambda what: bgcore.compare_plays(START, (3, 1), progress=what or 1),
    lambda what: bgcore.compare_plays(START, (2, 1), settings=bgcore.RolloutSettings(trials=1)).merge(what),
    lambda what: bgcore.rank_plays(START, (3, 1), stakes=what or 1),
    lambda what: bgcore.rank_plays(START, (3, 1), 1, filters=what),
    lambda what: bgcore.cube_action(START, met=what or 1),
    lambda what: bgcore.cube_action(START, evaluator=what or 1),
    bgcore.Rollout.load,
    bgcore.Comparison.load,
    lambda what: bgcore.bearoff.default().two_sided(bgcore.Position.from_position_id("DwAA4AEAAAAAAA"), what or 1),
)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("value", NO_TEXTS)
def test_identifiers_are_text(read, value):
    with pytest.raises(ArgumentError, match=f"not {type(value).__name__}$"):
        read(value)


@pytest.mark.parametrize("write", [*WRITERS, *USERS])
@pytest.mark.parametrize("value", [None, 1, object()])
def test_other_arguments_are_what_they_are_named_for(write, value):
    with pytest.raises(ArgumentError, match=f"not ({type(value).__name__}|int)$"):
        write(value)


TABLES = bgcore.bearoff.default()
POSITIONS = (
    lambda what: bgcore.legal_plays(what, (3, 1)),
    lambda what: bgcore.perft(what, 1),
    lambda what: bgcore.parse_play("8/5 6/5", what, (3, 1)),
    lambda what: bgcore.rank_plays(what, (3, 1)),
    lambda what: what in TABLES.one,
    lambda what: what in TABLES.two,
    TABLES.one_sided,
    TABLES.two_sided,
    TABLES.side,
    TABLES.one.rows,
    TABLES.one.outcomes,
    TABLES.two.entry,
    bgcore.bearoff.solve,
    bgcore.Position.from_position_id,
    bgcore.Position.from_key,
    bgcore.Position.from_xgid,
    bgcore.bearoff.open_table,
    bgcore.bearoff.Tables(TABLES.one, TABLES.two).two_sided,
    lambda what: bgcore.bearoff.Tables(what, TABLES.two),
    lambda what: bgcore.parse_play(what, START, (3, 1)),
)


@pytest.mark.parametrize("use", POSITIONS)
@pytest.mark.parametrize("value", [None, 1, object(), START.board])
def test_compiled_entries_refuse_in_our_words(use, value):
    with pytest.raises(ArgumentError, match=f"not {type(value).__name__}$"):
        use(value)


WHOLE = {
    "perft": (lambda n: bgcore.perft(START, n), 1),
    "evaluate": (lambda n: bgcore.evaluate(START, n), 0),
    "evaluate_batch": (lambda n: bgcore.evaluate_batch([START.board], workers=n), 1),
    "rank_plays": (lambda n: bgcore.rank_plays(START, (3, 1), plies=n), 0),
    "analyze": (lambda n: bgcore.analyze(bgcore.read_mat(" 1 point match\n"), plies=n), 0),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_are_whole(name):
    use, good = WHOLE[name]
    use(np.int64(good))
    for value in (1.0, 1.5, True, "1", None, -1, 10**40, 10**5000):
        with pytest.raises(RulesError, match="is a whole number from") as refusal:
            use(value)
        assert len(str(refusal.value)) < 200


def test_an_efficiency_is_a_number():
    with pytest.raises(ArgumentError, match="an efficiency is a number from 0 to 1, not str"):
        bgcore.cube_action(START, efficiency="x")


def test_a_truth_value_is_no_die():
    for dice in ((True, 1), (1, True), (np.True_, 1)):
        with pytest.raises(DiceError, match="two whole numbers"):
            bgcore.legal_plays(START, dice)


def test_rows_of_unequal_length():
    with pytest.raises(PositionError, match="unequal length"):
        bgcore.legal_plays_batch([[1], [1, 2]], (3, 1))
    with pytest.raises(DiceError, match="unequal length"):
        bgcore.legal_plays_batch([START.board], [[1], [1, 2]])


@pytest.mark.parametrize("boards", [[], (), np.empty((0, 26)), np.empty((0, 26), np.int8)], ids=repr)
def test_no_boards_have_no_answers(boards):
    assert bgcore.evaluate_batch(boards).shape == bgcore.evaluate_batch(boards, workers=2).shape == (0, 5)
    for dice in ((3, 1), [], np.empty((0, 2), np.int8)):
        batch = bgcore.legal_plays_batch(boards, dice)
        assert (len(batch), batch.results.shape, batch.offsets.tolist()) == (0, (0, 26), [0])
    with pytest.raises(DiceError, match=r"a \(1, 2\) array"):
        bgcore.legal_plays_batch([START.board], [])


def test_masked_numbers_are_none():
    boards = np.ma.array([START.board] * 2, mask=False)
    assert len(bgcore.evaluate_batch(boards)) == 2
    boards[1, 6] = np.ma.masked
    for use in (bgcore.evaluate_batch, lambda boards: bgcore.legal_plays_batch(boards, (3, 1))):
        with pytest.raises(PositionError, match="not one with masked numbers"):
            use(boards)
    with pytest.raises(DiceError, match="not one with masked numbers"):
        bgcore.legal_plays_batch([START.board], np.ma.array([3, 1], mask=[0, 1]))


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_every_kind(kind):
    assert bgcore.Position.from_key(kind(START.key)) == START
    weights = (files("bgcore") / "data" / "weights.bin").read_bytes()
    assert Network.from_bytes(kind(weights)) == Network.default()
    with pytest.raises(DataError, match="not a bgcore weights file"):
        Network.from_bytes(kind(b"abc"))


def test_plays_of_a_batch_by_number():
    batch = bgcore.legal_plays_batch([START.board] * 3, [(3, 1), (6, 5), (1, 1)])
    expected = [len(bgcore.legal_plays(START, dice)) for dice in ((3, 1), (6, 5), (1, 1))]
    assert [len(batch[at]) for at in (-3, -2, -1)] == [len(plays) for plays in batch] == expected
    for at in (3, -4):
        with pytest.raises(IndexError, match="3 boards"):
            batch[at]


@pytest.mark.parametrize(
    "read",
    [
        bgcore.MatchEquityTable.load,
        bgcore.Rollout.load,
        bgcore.bearoff.open_table,
        lambda name: bgcore.MatchEquityTable.load(name + ".csv"),
    ],
)
@pytest.mark.parametrize("name", ["A" * 10_000_000, "a\0b"])
def test_a_long_name_is_not_quoted_in_full(read, name):
    with pytest.raises(DataError) as refusal:
        read(name)
    assert len(str(refusal.value)) < 500


@pytest.mark.parametrize("read", [bgcore.read_mat, bgcore.read_sgf, bgcore.read_match, adj.Record.from_mat])
@pytest.mark.parametrize("value", [None, 1, object(), (3, 1), "\0", "A" * 10_000_000])
def test_sources_of_records(read, value):
    with pytest.raises(BgcoreError) as refusal:
        read(value)
    assert len(str(refusal.value)) < 400


HUGE, LONG = 10**5000, "A" * 1_000_000
UNSPEAKABLE = {
    "plies of a cube": lambda: bgcore.cube_action(START, plies=HUGE),
    "efficiency": lambda: bgcore.cube_action(START, efficiency=HUGE),
    "extended": lambda: bgcore.met.default().extended(HUGE),
    "score": lambda: bgcore.met.default().mwc(HUGE, 1),
    "filter": lambda: bgcore.MoveFilter(-HUGE, 1),
    "margin": lambda: bgcore.MoveFilter(1, -HUGE),
    "margin in words": lambda: bgcore.MoveFilter(1, LONG),
    "board": lambda: bgcore.Position.from_board([HUGE] * 13 + [-HUGE] * 13),
    "die": lambda: bgcore.legal_plays(START, (HUGE, 1)),
    "gammon rule": lambda: bgcore.Rules(gammon_rule=LONG),
    "flag": lambda: bgcore.Rules(jacoby=HUGE),
    "owner": lambda: bgcore.Cube(2, LONG),
    "kind of identifier": lambda: bgcore.format_identifier(bgcore.parse_xgid(SITUATION), LONG),
    "play": lambda: bgcore.parse_play("13/12 " * 10_000, START, (3, 1)),
}


@pytest.mark.parametrize("name", UNSPEAKABLE)
def test_what_cannot_be_written_out_is_refused_in_a_sentence(name):
    with pytest.raises(BgcoreError) as refusal:
        UNSPEAKABLE[name]()
    assert len(str(refusal.value)) < 4000


def test_a_wrong_type_is_a_type_error_and_a_value_error():
    assert issubclass(ArgumentError, TypeError)
    assert issubclass(ArgumentError, BgcoreError)


JUDGED = money_record()
STATE = adj.absence((), now=0)
ADJUDICATION = {
    "settle": lambda: adj.settle(5, JUDGED),
    "settle a record": lambda: adj.settle(None, 5),
    "value": lambda: adj.value(5),
    "countdown": lambda: adj.countdown(STATE, "red"),
    "countdown of nothing": lambda: adj.countdown(None, "white"),
    "absence": lambda: adj.absence(None),
    "adjudicate_many": lambda: list(adj.adjudicate_many(5)),
    "estimate": lambda: adj.estimate(JUDGED, trials_per_second=0),
    "estimate in words": lambda: adj.estimate(JUDGED, trials_per_second="fast"),
    "names": lambda: adj.explain(adj.adjudicate(JUDGED), names="ab"),
    "names of others": lambda: adj.explain(adj.adjudicate(JUDGED), names={"red": "A"}),
}


@pytest.mark.parametrize("name", ADJUDICATION)
def test_adjudication_refuses_in_our_words(name):
    with pytest.raises(BgcoreError, match=r"is |are |must be "):
        ADJUDICATION[name]()


@pytest.mark.parametrize("workers", [0, -1, "2", 1.5, True])
@pytest.mark.parametrize("use", [adj.adjudicate, adj.value])
def test_workers_are_looked_at_before_the_position_is(use, workers):
    with pytest.raises(RulesError, match="workers must be a whole number above 0"):
        use(JUDGED, workers=workers)


def test_a_dict_is_valued_and_settled_like_its_record():
    record = adj.Record.from_dict(JUDGED)
    assert adj.value(JUDGED) == adj.value(record)
    assert adj.settle(adj.value(record), JUDGED) == adj.adjudicate(record)


def test_no_text_is_an_empty_record():
    for empty in ("", b""):
        with pytest.raises(NotationError, match="the file is empty"):
            bgcore.read_mat(empty)
        with pytest.raises(UnsupportedError, match="not an SGF file"):
            bgcore.read_sgf(empty)


def test_bytes_are_no_number():
    with pytest.raises(BgcoreError, match="must be an object, not bytes"):
        adj.Record.from_dict(b"{}")
    with pytest.raises(BgcoreError, match=r"must be an object, not the number 1\.5"):
        adj.Record.from_dict(1.5)


def test_a_cube_is_named_by_its_owner():
    position = bgcore.Position.from_position_id("DwAA4AEAAAAAAA")
    for owner in ("mine", "theirs"):
        assert TABLES.two_sided(position, owner) == TABLES.two_sided(position, bgcore.Cube(2, owner))
        assert bgcore.cube_action(position, owner) == bgcore.cube_action(position, bgcore.Cube(2, owner))
    assert TABLES.two_sided(position, "centre") == TABLES.two_sided(position)
    with pytest.raises(RulesError, match="not 'nobody'"):
        TABLES.two_sided(position, "nobody")


@pytest.mark.parametrize("huge", [10**5000, -(10**5000), "x" * 10**6], ids=["many digits", "many below 0", "text"])
@pytest.mark.parametrize(
    "ask",
    [
        *(
            lambda huge, name=name: bgcore.RolloutSettings(**{name: huge})
            for name in ("trials", "seed", "checkpoint", "plies", "truncation", "least_spread", "gammon_rule")
        ),
        lambda huge: bgcore.StopRule(std_error=huge),
        lambda huge: bgcore.StopRule(material=0.01, stake=huge),
        lambda huge: bgcore.rollout(START, dice=(huge, 1)),
        lambda huge: bgcore.rollout(START, line=huge),
        lambda huge: bgcore.RolloutSettings.from_dict({huge: 1} if isinstance(huge, str) else {"x": huge}),
        lambda huge: bgcore.Stakes.money(cap=huge if isinstance(huge, str) else -abs(huge)),
    ],
)
def test_what_is_rolled_out_is_refused_in_a_sentence(ask, huge):
    """Numbers of thousands of digits, which Python does not write, and megabytes of text."""
    with pytest.raises(BgcoreError) as refusal:
        ask(huge)
    assert len(str(refusal.value)) < 400
