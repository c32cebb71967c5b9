"""Arguments of types that mean nothing: one clear sentence each, from the library itself."""

import pytest

import bgcore
from bgcore import adjudication as adj
from bgcore.errors import ArgumentError, BgcoreError

START = bgcore.Position.starting()
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


@pytest.mark.parametrize("read", [bgcore.read_mat, bgcore.read_sgf, bgcore.read_match, adj.Record.from_mat])
@pytest.mark.parametrize("value", [None, 1, object(), (3, 1), "\0", "A" * 10_000_000])
def test_sources_of_records(read, value):
    with pytest.raises(BgcoreError) as refusal:
        read(value)
    assert len(str(refusal.value)) < 400


def test_a_wrong_type_is_a_type_error_and_a_value_error():
    assert issubclass(ArgumentError, TypeError)
    assert issubclass(ArgumentError, BgcoreError)
