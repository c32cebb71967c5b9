"""Documents from strangers: what JSON allows and a record must not hold."""

import json

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication import document as documents
from tests.adjudication_records import money_record


def deep(levels=100_000):
    document = {}
    for _ in range(levels):
        document = {"a": document}
    return document


def errors(document):
    with pytest.raises(adj.RecordError) as refusal:
        adj.adjudicate(adj.Record.from_dict(document))
    return [(error.code, error.path) for error in refusal.value.errors]


@pytest.mark.parametrize(
    "record",
    [
        deep(),
        money_record(board=deep()),
        money_record(meta=deep()),
        money_record(x_note=deep()),
        money_record(x_note=[[[deep()]]]),
        money_record(cube__value=10**5000),
        money_record(board__white__points={"6": -(10**5000)}),
        money_record(dice=[10**5000, 1]),
    ],
)
def test_documents_without_end_are_refused_by_name(record):
    assert errors(record) == [("E01", "$")]


@pytest.mark.parametrize("policy", [[], 5, {"note": deep()}, {"min_plies": 10**5000}, "x" * 10_000_000])
def test_policies_that_are_none(policy):
    with pytest.raises(adj.RecordError) as refusal:
        adj.load_policy(policy)
    assert [error.code for error in refusal.value.errors] == ["E45"]
    assert len(str(refusal.value)) < 500


def test_a_key_that_stands_twice_is_found_in_one_pass():
    compared = 0

    class Key(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other):
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    pairs = [(Key(number), None) for number in (*range(3000), 2999)]
    with pytest.raises(ValueError, match="'2999' stands twice"):
        documents._object(pairs)
    assert compared < 3 * len(pairs)


def test_a_document_is_not_longer_than_any_record_needs():
    documents.parse_document('"' + "x" * (documents.LONGEST - 2) + '"')
    with pytest.raises(ValueError, match="longer than 16,777,216 characters"):
        documents.parse_document('"' + "x" * (documents.LONGEST - 1) + '"')


def test_one_bad_line_spoils_no_batch(tmp_path):
    good = json.dumps(money_record())
    twice = good.replace('"stake": "1.00"', '"stake": "1.00", "stake": "100.00"')
    note = json.dumps(money_record(**{"x" * 1_000_000: "y" * 1_000_000}))
    cases = tmp_path / "cases.jsonl"
    cases.write_text("\n".join([twice, note, "[" * 100_000, good]))
    adj.run_batch(cases, tmp_path / "verdicts.jsonl")
    lines = (tmp_path / "verdicts.jsonl").read_text("utf-8").splitlines()
    verdicts = [json.loads(line) for line in lines]
    assert [verdict["status"] for verdict in verdicts] == ["rejected"] * 3 + ["settled"]
    assert [verdict["errors"][0]["code"] for verdict in verdicts[:3]] == ["E01", "E03", "E01"]
    assert "'stake' stands twice" in verdicts[0]["errors"][0]["message"]
    assert all(len(line) < 5_000 for line in lines)


def test_a_move_of_two_dice_is_refused_with_its_spelling():
    record = money_record(dice=[2, 1], moved=["6/3"], board__white={"points": {"6": 2}, "bar": 0, "off": 13})
    with pytest.raises(adj.RecordError, match="moves of one die each"):
        adj.Record.from_dict(record)


def test_a_wrong_text_is_quoted():
    with pytest.raises(adj.RecordError, match="not the text 'abc'"):
        adj.Record.from_dict(money_record(money__stake="abc"))
