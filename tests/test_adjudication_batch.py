"""Batches: order, faults line by line, one process kept open, and the same bytes after any number of kills."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.batch import Journal, verdict_line
from bgcore.errors import BgcoreError, DataError, RulesError
from tests.adjudication_records import OPENING, match_record, money_record
from tests.test_adjudication_laws import legal_records

RUN = (
    "import sys; from bgcore import adjudication as adj;"
    "adj.run_batch(sys.argv[1], sys.argv[2], 'play65', resume=True, workers=1)"
)


def mixed_lines(count, seed=1):
    """Good records with names of their own, and now and then one that is bad in its own way."""
    bad = ["", "{", "[1]", '{"schema": 3}', "nonsense", json.dumps(money_record(money__stake=1.5, case_id="bad"))]
    lines = []
    for place, record in enumerate(legal_records(seed, count)):
        document = {**record.to_dict(), "case_id": f"C{place}"}
        lines.append(json.dumps(document) if place % 50 else bad[(place // 50) % len(bad)])
    return lines


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    return path


def killed_and_resumed(source, target, kills, seed):
    """Run the batch in a child process; kill it at random moments, then let it end."""
    rng = random.Random(seed)
    journal = target.with_name(target.name + ".journal")
    command = [sys.executable, "-c", RUN, str(source), str(target)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = 0
    for _ in range(kills):
        child = subprocess.Popen(command, env=environment)
        size = journal.stat().st_size if journal.exists() else 0
        while child.poll() is None and (not journal.exists() or journal.stat().st_size <= size):
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.15))
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            done += 1
        child.wait()
    subprocess.run(command, env=environment, check=True)
    return done


@pytest.mark.parametrize(
    "count", [250, pytest.param(5_000, marks=pytest.mark.slow)], ids=["250 records", "5000 records"]
)
def test_killed_and_resumed_to_the_same_bytes(tmp_path, count):
    source = write(tmp_path / "cases.jsonl", mixed_lines(count))
    undisturbed, disturbed = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    progress = adj.run_batch(source, undisturbed, "play65", sync=False)
    assert progress.done == progress.total == count
    assert progress.exit_code == 3
    assert killed_and_resumed(source, disturbed, kills=3 if count < 1000 else 5, seed=count) >= 1
    assert disturbed.read_bytes() == undisturbed.read_bytes()


def test_one_line_for_each_line_in_order(tmp_path):
    lines = mixed_lines(120)
    source = write(tmp_path / "cases.jsonl", lines)
    adj.run_batch(source, tmp_path / "v.jsonl", sync=False)
    verdicts = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text("utf-8").splitlines()]
    assert len(verdicts) == 120
    for place, verdict in enumerate(verdicts):
        assert verdict["status"] == ("settled" if place % 50 else "rejected")
        if place % 50:
            assert verdict["case_id"] == f"C{place}"
    assert [fault["code"] for fault in verdicts[50]["errors"]] == ["E01"]
    assert "line 51, column 2" in verdicts[50]["errors"][0]["message"]


def test_many_equals_one_by_one():
    records = [replace(record, case_id=None) for record in legal_records(5, 60)]
    together = [verdict.to_dict() for verdict in adj.adjudicate_many(records, "play65")]
    assert together == [adj.adjudicate(record, "play65").to_dict() for record in records]


def test_cheap_records_are_judged_first_and_order_is_kept():
    contact = {"white": OPENING, "black": OPENING}
    quick = {"precision": {"profile": "draft", "max_trials": 36}}
    dear = money_record(case_id="dear", board=contact, cube={"value": 1, "owner": "centre"})
    cheap = [money_record(case_id=f"cheap{n}", cube__value=2 << n) for n in range(3)]
    seen = []
    verdicts = list(adj.adjudicate_many([dear, *cheap], quick, progress=lambda p: seen.append(p.trials_done)))
    assert [verdict.case_id for verdict in verdicts] == ["dear", "cheap0", "cheap1", "cheap2"]
    assert seen[:3] == [0, 0, 0]
    assert seen[3] > 0


def test_a_case_is_given_once():
    first, other = money_record(), money_record(money__stake="2.00")
    verdicts = list(adj.adjudicate_many([first, first, other]))
    assert [verdict.status for verdict in verdicts] == ["settled", "settled", "rejected"]
    assert verdicts[0].verdict_id == verdicts[1].verdict_id
    assert [fault.code for fault in verdicts[2].errors] == ["E50"]


def test_a_journal_is_not_mistaken_for_another(tmp_path):
    source = write(tmp_path / "cases.jsonl", [json.dumps(money_record())])
    target = tmp_path / "v.jsonl"
    adj.run_batch(source, target, "play65")
    before = target.read_bytes()
    assert adj.run_batch(source, target, "play65", resume=True).done == 1
    assert target.read_bytes() == before
    with pytest.raises(adj.RecordError, match="another policy"):
        adj.run_batch(source, target, "refund", resume=True)
    write(source, [json.dumps(money_record(cube__value=4))])
    with pytest.raises(adj.RecordError, match="not the one"):
        adj.run_batch(source, target, "play65", resume=True)
    assert adj.run_batch(source, target, "play65").done == 1


def test_a_torn_line_is_done_again(tmp_path):
    path = tmp_path / "journal"
    log = Journal(path, "p", resume=False)
    log.add(1, b"\1" * 32, {"status": "settled"})
    log.add(2, b"\2" * 32, {"status": "settled"})
    log.close()
    path.write_bytes(path.read_bytes()[:-5])
    again = Journal(path, "p", resume=True)
    with path.open("rb") as file:
        assert again.finished(1, b"\1" * 32, file) == {"status": "settled"}
        assert again.finished(2, b"\2" * 32, file) is None
    again.close()


def test_policies_are_refused_before_the_first_record(tmp_path):
    source = write(tmp_path / "cases.jsonl", [json.dumps(money_record())])
    with pytest.raises(adj.RecordError, match="E46"):
        adj.run_batch(source, tmp_path / "v.jsonl", {"one_away": "maybe"})
    assert not (tmp_path / "v.jsonl").exists()


def test_a_server_keeps_one_process_open():
    answers = []
    lines = [json.dumps(money_record()), "{", json.dumps(money_record(case_id="T2", cube__value=4))]
    progress = adj.serve((line + "\n" for line in lines), answers.append)
    assert [json.loads(answer)["status"] for answer in answers] == ["settled", "rejected", "settled"]
    assert all(answer.endswith("\n") and answer.count("\n") == 1 for answer in answers)
    assert answers[0] == verdict_line(adj.adjudicate(money_record())) + "\n"
    assert progress.to_dict()["done"] == 3


def test_a_server_may_ask_a_case_again():
    """First too early, then with the new time; only a file of cases holds each id to one record."""
    lines = [json.dumps(money_record(absence__black__seconds=str(seconds))) for seconds in (100, 200, 100)]
    for is_batch, statuses in ((False, ["resume", "settled", "resume"]), (True, ["resume", "rejected", "resume"])):
        answers = []
        adj.serve(lines, answers.append, is_batch=is_batch)
        assert [json.loads(answer)["status"] for answer in answers] == statuses


def test_a_byte_order_mark_may_stand_before_the_first_line(tmp_path):
    source = tmp_path / "cases.jsonl"
    lines = [json.dumps(money_record(case_id=f"T{n}")) for n in range(2)]
    source.write_text("".join(f"\ufeff{line}\n" for line in lines), "utf-8")
    assert adj.run_batch(source, tmp_path / "v.jsonl", sync=False).counts == {"settled": 1, "rejected": 1}
    assert [verdict.status for verdict in adj.adjudicate_many("\ufeff" + line for line in lines[:1])] == ["settled"]


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_number_of_thousands_of_digits_is_refused_in_our_words(sign):
    line = json.dumps(money_record()).replace('"value": 2', f'"value": {sign}{"7" * 5000}')
    (verdict,) = adj.adjudicate_many([line])
    assert [fault.code for fault in verdict.errors] == ["E01"]
    assert "digits" in verdict.errors[0].message
    assert "sys." not in verdict.errors[0].message


def test_a_verdict_on_another_case_is_not_verified():
    verdict = adj.adjudicate(money_record())
    (reason,) = adj.verify(verdict, money_record(case_id="T2")).reasons
    assert "'T1'" in reason
    assert "'T2'" in reason


def test_a_verdict_with_more_or_fewer_fields_is_not_verified():
    document = adj.adjudicate(money_record()).to_dict()
    assert adj.verify({**document, "x_ticket": 7}).bit_equal
    assert adj.verify({**document, "appeal": "lost"}).reasons == ("appeal is no field of a verdict",)
    del document["interval_money"]
    assert adj.verify(document).reasons == ("interval_money is missing",)


CONTACT = {"white": OPENING, "black": OPENING}
TOO_HIGH = [
    money_record(cube={"value": 2**31, "owner": "black", "limit": None}),
    money_record(cube__limit=2**31),
    money_record(cube={"value": 2**30, "owner": "white", "limit": None}, pending={"type": "double", "by": "white"}),
    match_record(cube={"value": 2**31, "owner": "black", "limit": None}),
    money_record(board=CONTACT, cube={"value": 2**29, "owner": "black", "limit": None}),
]


def test_what_no_evaluator_can_carry_stops_only_its_own_record(tmp_path):
    """Whoever refuses it, the reader or an evaluator: a verdict with faults, and the other records are answered."""
    sound = money_record(case_id="sound")
    lines = [json.dumps(record | {"case_id": f"T{n}"}) for n, record in enumerate(TOO_HIGH)] + [json.dumps(sound)]
    statuses = ["rejected"] * len(TOO_HIGH) + ["settled"]
    source, target, answers = write(tmp_path / "cases.jsonl", lines), tmp_path / "v.jsonl", []
    quick = {"precision": {"profile": "draft", "max_trials": 36}}
    adj.run_batch(source, target, quick, sync=False)
    adj.serve(lines, answers.append, quick)
    for found in (target.read_text("utf-8").splitlines(), answers):
        verdicts = [json.loads(line) for line in found]
        assert [verdict["status"] for verdict in verdicts] == statuses
        assert all(verdict["errors"] for verdict in verdicts[:-1])
    assert [verdict.status for verdict in adj.adjudicate_many(map(json.loads, lines), quick)] == statuses
    for record in TOO_HIGH[:4]:
        with pytest.raises(adj.RecordError, match="E"):
            adj.estimate(record)


@pytest.mark.parametrize("place", ["verdict.value", "record.Record.from_dict"])
def test_a_refusal_without_a_number_is_that_of_one_record(monkeypatch, place):
    """Reader and evaluators refuse in numbered faults; should one not, the batch goes on all the same."""

    def refuse(*_, **__):
        raise RulesError("the cube is too high")

    monkeypatch.setattr(f"bgcore.adjudication.{place}", refuse)
    first, second = adj.adjudicate_many([money_record(), money_record(case_id="T2")])
    for verdict in (first, second):
        assert [(fault.code, fault.message) for fault in verdict.errors] == [("E51", "the cube is too high")]


def test_data_that_is_missing_stops_the_batch(monkeypatch):
    def refuse(*_, **__):
        raise DataError("no weights")

    monkeypatch.setattr("bgcore.adjudication.verdict.value", refuse)
    with pytest.raises(adj.RecordError, match="E49"):
        list(adj.adjudicate_many([money_record()]))


def test_an_estimate_refuses_in_numbered_faults(monkeypatch):
    def refuse(*_, **__):
        raise RulesError("the cube is too high")

    monkeypatch.setattr(sys.modules["bgcore.adjudication.estimate"], "open_questions", refuse)
    with pytest.raises(adj.RecordError, match=r"E51 \$: the cube is too high"):
        adj.estimate(money_record())


def test_a_wrong_argument_is_no_fault_of_a_record():
    with pytest.raises(BgcoreError, match="workers"):
        adj.adjudicate(money_record(), workers=0)


def test_estimates():
    assert adj.estimate(money_record(), "refund").to_dict() == {
        "basis": "rule", "trials": 0, "most_trials": 0, "seconds": 0.0,
    }  # fmt: skip
    assert adj.estimate(money_record()).basis == "exact"
    contact = money_record(board={"white": OPENING, "black": OPENING}, cube={"value": 1, "owner": "centre"})
    guess = adj.estimate(contact, trials_per_second=1000)
    assert guess.basis == "rollout"
    assert 0 < guess.trials <= guess.most_trials
    assert guess.seconds == guess.trials / 1000
    verdict = adj.adjudicate(contact, precision={"max_trials": 144})
    assert verdict.value.trials <= adj.estimate(contact, {"precision": {"max_trials": 144}}).most_trials


def test_memory_stays_flat(tmp_path):
    source = write(tmp_path / "cases.jsonl", mixed_lines(40) * 25)
    code = (
        "import resource, sys; from bgcore import adjudication as adj\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "lines = open(sys.argv[1]).read().splitlines()\n"
        "for verdict in adj.adjudicate_many(lines): pass\n"
        "first = peak()\n"
        "for verdict in adj.adjudicate_many(line for _ in range(4) for line in lines): pass\n"
        "print(peak() - first)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(source)], capture_output=True, text=True, check=True, env=environment
    )
    assert int(done.stdout) < 8_000, "four times the records must not need 8 MB more"
