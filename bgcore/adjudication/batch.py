"""Many records: one verdict line for each input line, in order, safe against being killed at any moment.

A batch keeps a journal beside its output: one line for each finished record, appended and forced to disk
before the next is begun. The output is put together from the journal at the end, so that a batch that was
killed and started again leaves the same bytes as one that was not.
"""

import hashlib
import json
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from bgcore.adjudication.canonical import utf8
from bgcore.adjudication.document import parse_document
from bgcore.adjudication.estimate import estimate
from bgcore.adjudication.faults import Fault, RecordError, numbered
from bgcore.adjudication.policy import Policy, load_policy
from bgcore.adjudication.record import Record
from bgcore.adjudication.settle import STATUSES
from bgcore.adjudication.verdict import PolicyLike, Verdict, adjudicate, rejected
from bgcore.errors import BgcoreError, require
from bgcore.wholefile import require_distinct, write_whole

WINDOW: Final = 512
"""Records looked at together: within a window the cheap ones are judged first."""


@dataclass
class Progress:
    """How far a batch has come; what a progress display needs."""

    total: int | None = None
    done: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    trials_done: int = 0
    trials_ahead: int = 0

    def note(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.done += 1
        self.counts[verdict.status] += 1
        self.trials_done += 0 if verdict.value is None else verdict.value.trials

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "done": self.done,
            "total": self.total,
            **{status: self.counts[status] for status in STATUSES},
            "trials_done": self.trials_done,
            "trials_ahead": self.trials_ahead,
        }

    @property
    def exit_code(self) -> int:
        """Return 3 if a record was rejected, 4 if one was left undecided, else 0."""
        return 3 if self.counts["rejected"] else 4 if self.counts["undecided"] else 0


@dataclass(frozen=True, slots=True)
class _Item:
    """One input line, read: a record, or the fault that stopped it."""

    number: int
    record: Record | None
    case_id: str | None
    fault: RecordError | None


class _Cases:
    """Which case ids were seen, with which record: a second, different record of one case is refused.

    Both by the first 128 bits of their SHA-256, so that a case takes some hundred bytes, however long its id is.
    """

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}

    def check(self, case_id: str | None, digest: str) -> RecordError | None:
        """Note a case; the fault if its id stands for another record already."""
        if case_id is None:
            return None
        name = int.from_bytes(hashlib.sha256(case_id.encode("utf-8", "surrogatepass")).digest()[:16], "big")
        record = int(digest.removeprefix("sha256:")[:32], 16)
        if self._seen.setdefault(name, record) == record:
            return None
        return RecordError(
            [
                Fault(
                    "E50",
                    "case_id",
                    f"case {case_id!r} was given before with another record",
                    case_id,
                    "give every case its own case_id",
                )
            ]
        )


def read_line(line: str, number: int = 1) -> Record:
    """Read a record from one line of JSON.

    Raises
    ------
    RecordError
        E01 with line and column if it is no JSON, else as `Record.from_dict`.
    """
    return Record.from_dict(parse_line(line, number))


def parse_line(line: str, number: int = 1) -> Any:
    """Read one line of JSON, still unchecked; a byte order mark may stand before the first.

    Raises
    ------
    RecordError
        E01 with line and column.
    """
    try:
        return parse_document(line.removeprefix("\ufeff") if number == 1 else line)
    except ValueError as error:
        column = error.colno if isinstance(error, json.JSONDecodeError) else 1
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise RecordError(
            [Fault("E01", "$", f"line {number}, column {column} is not JSON: {reason}", line[:80])]
        ) from error


def _item(source: Record | Mapping[str, Any] | str, number: int, cases: _Cases | None) -> _Item:
    case_id: str | None = None
    try:
        document = parse_line(source, number) if isinstance(source, str) else source
        if isinstance(document, Record):
            record = document
        else:
            named = document.get("case_id") if isinstance(document, Mapping) else None
            case_id = named if isinstance(named, str) else None
            record = Record.from_dict(document)
    except BgcoreError as error:
        # Its traceback would keep the whole window in memory, in a circle that is collected late.
        return _Item(number, None, case_id, numbered(error).with_traceback(None))
    fault = None if cases is None else cases.check(record.case_id, record.digest)
    return _Item(number, None if fault else record, record.case_id, fault)


def _judge(item: _Item, policy: PolicyLike | None, workers: int | None) -> Verdict:
    if item.record is None:
        assert item.fault is not None
        return rejected(item.fault, case_id=item.case_id)
    try:
        return adjudicate(item.record, policy, workers=workers)
    except RecordError as error:
        if any(fault.code == "E49" for fault in error.errors):
            raise
        return rejected(error, item.record)


def _cost(item: _Item, policy: PolicyLike | None) -> int:
    """Return the trials a record will take at most; 0 for what needs no rollout."""
    if item.record is None or _is_short(item.record):
        return 0
    try:
        return estimate(item.record, policy).trials
    except RecordError:
        return 0


def _is_short(record: Record) -> bool:
    """Whether so few checkers are left that the answer is exact, if one is needed at all."""
    position = record.position
    return position.is_race and min(position.off) >= 11


def adjudicate_many(
    records: Iterable[Record | Mapping[str, Any] | str],
    policy: PolicyLike | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Iterator[Verdict]:
    """Judge many records; verdicts come in the order of the records.

    Parameters
    ----------
    records : iterable
        Records, dicts, or lines of JSON. Read lazily, a window of 512 at a time, so memory stays flat.
    policy : Policy, str or dict, optional
        As for `adjudicate`.
    workers : int, optional
        Threads of a rollout.
    progress : callable, optional
        Called after every verdict.

    Yields
    ------
    Verdict
        One for each record; ``rejected`` ones carry their faults.

    Raises
    ------
    RecordError
        E45 to E47 for a policy that cannot be used, E49 where weights are missing: these would hit every
        record alike.
    """
    require(records, Iterable, "what is judged is an iterable of records")
    policy = _checked(policy)
    seen, cases = Progress(), _Cases()
    numbered = enumerate(records, 1)
    while window := [_item(source, number, cases) for number, source in _first(numbered, WINDOW)]:
        verdicts: dict[int, Verdict] = {}
        for item in _cheapest_first(window, policy, seen):
            verdicts[item.number] = _judge(item, policy, workers)
            seen.note(verdicts[item.number])
            if progress is not None:
                progress(seen)
        for item in window:
            yield verdicts[item.number]


def _checked(policy: PolicyLike | None) -> PolicyLike | None:
    """Return the policy read once, so that its faults show before the first record."""
    return None if policy is None else load_policy(policy)


def _first(numbered: Iterator[tuple[int, Any]], count: int) -> Iterator[tuple[int, Any]]:
    for _ in range(count):
        pair = next(numbered, None)
        if pair is None:
            return
        yield pair


def _cheapest_first(window: list[_Item], policy: PolicyLike | None, seen: Progress) -> Iterator[_Item]:
    costs = sorted((_cost(item, policy), item.number, item) for item in window)
    seen.trials_ahead = sum(cost for cost, _, _ in costs)
    for cost, _, item in costs:
        yield item
        seen.trials_ahead -= cost


class Journal:
    """The append-only record of a batch: finished lines by number, forced to disk one by one."""

    def __init__(self, path: Path, policy_digest: str, *, resume: bool, sync: bool = True) -> None:
        self.path = path
        self._sync = sync
        self._offsets = array("q")  # of each line's entry, -1 where there is none: all that is kept in memory
        self.header = {"journal": "bgcore.journal/1", "policy": policy_digest}
        if resume and path.exists():
            self._recover()
        else:
            path.write_bytes(b"")
        self._file: IO[bytes] = path.open("ab")
        if not self._file.tell():
            self._write(self.header)

    def _recover(self) -> None:
        """Read what is there; a last line that was being written is cut off."""
        good = 0
        with self.path.open("rb") as file:
            for place, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                try:
                    entry = json.loads(line)
                    is_sound = entry.pop("check") == _check(utf8(_ENCODER.encode(entry)))
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    is_sound = False
                if not is_sound:
                    raise RecordError([Fault("E01", "$", f"the journal {self.path} is damaged in line {place + 1}")])
                if place == 0 and entry != self.header:
                    raise RecordError(
                        [
                            Fault(
                                "E47",
                                "policy",
                                f"the journal {self.path} belongs to a run under another policy",
                                None,
                                "start afresh, or use the policy it was begun with",
                            )
                        ]
                    )
                if place:
                    self._note(entry["line"], good)
                good += len(line)
        with self.path.open("r+b") as file:
            file.truncate(good)

    def _note(self, number: int, offset: int) -> None:
        while len(self._offsets) <= number:
            self._offsets.append(-1)
        self._offsets[number] = offset

    def _write(self, entry: Mapping[str, Any]) -> None:
        text = utf8(_ENCODER.encode(entry))
        self._file.write(text[:-1] + b',"check":"%s"}\n' % _check(text).encode())
        self._file.flush()
        if self._sync:
            os.fsync(self._file.fileno())

    def finished(self, number: int, key: bytes, file: IO[bytes]) -> dict[str, Any] | None:
        """Return the verdict of a line, read from the open journal ``file``; None if it is not finished.

        Raises
        ------
        RecordError
            E50 if the input was changed since, so that another text has its place.
        """
        if number >= len(self._offsets) or self._offsets[number] < 0:
            return None
        entry = self._read(number, file)
        if entry["sha256"] != key.hex():
            raise RecordError(
                [Fault("E50", "$", f"line {number} of the input is not the one that the journal {self.path} holds")]
            )
        verdict: dict[str, Any] = entry["verdict"]
        return verdict

    def add(self, number: int, key: bytes, verdict: Mapping[str, Any]) -> None:
        """Append one verdict and force it to disk."""
        offset = self._file.tell()
        self._write({"line": number, "sha256": key.hex(), "verdict": verdict})
        self._note(number, offset)

    def verdict(self, number: int, file: IO[bytes]) -> dict[str, Any]:
        """Return the verdict of a finished line, read from the open journal ``file``."""
        verdict: dict[str, Any] = self._read(number, file)["verdict"]
        return verdict

    def _read(self, number: int, file: IO[bytes]) -> dict[str, Any]:
        file.seek(self._offsets[number])
        entry: dict[str, Any] = json.loads(file.readline())
        return entry

    def close(self) -> None:
        """Close the file."""
        self._file.close()


_HEAD: Final = b'{"journal":"bgcore.journal/1",'
"""What a journal begins with."""

_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def _check(text: bytes) -> str:
    """Return what a line of the journal says of the rest of itself, so that a damaged one is noticed."""
    return hashlib.sha256(text).hexdigest()[:16]


def verdict_line(verdict: Verdict | Mapping[str, Any]) -> str:
    """Return a verdict as one line of JSON."""
    document = verdict.to_dict() if isinstance(verdict, Verdict) else verdict
    return utf8(_ENCODER.encode(document)).decode()


def _line_count(path: Path) -> int:
    """Return how many lines a file has; 0 if there is none."""
    if not path.is_file():
        return 0
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _refuse_to_replace(journal: Path, target: Path) -> None:
    """Refuse to begin where a file is no journal, or where a run that did not come to its end left verdicts."""
    if not journal.is_file():
        return
    with journal.open("rb") as file:
        is_journal = _HEAD.startswith(file.read(len(_HEAD)))
    if not is_journal:
        raise BgcoreError(f"{journal} is no journal of a batch: give another name, or remove it first")
    finished = _line_count(journal) - 1  # the first line is the header
    if finished > 0 and finished != _line_count(target):
        raise BgcoreError(
            f"the journal {journal} holds verdicts of a run that did not come to its end: go on with --resume "
            "(resume=True), or remove it to start afresh"
        )


def run_batch(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    policy: PolicyLike | None = None,
    *,
    journal: str | os.PathLike[str] | None = None,
    resume: bool = False,
    sync: bool = True,
    workers: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Progress:
    """Judge a file of JSON lines into a file of verdict lines.

    Parameters
    ----------
    source, target : path
        Input and output, JSON lines. The output appears whole, when everything is done.
    policy : Policy, str or dict, optional
        As for `adjudicate`.
    journal : path, optional
        By default the target's name with ``.journal``.
    resume : bool
        Go on where an earlier run with this journal stopped.
    sync : bool
        Force every journal line to disk. Without it only a crash of the machine, not of the process, can
        lose finished records.
    workers : int, optional
        Threads of a rollout.
    progress : callable, optional
        Called after every verdict.

    Returns
    -------
    Progress
        With the counts of all records, earlier ones included, and ``.exit_code``.

    Raises
    ------
    RecordError
        A policy that cannot be used, missing weights, or a journal that belongs to something else.
    BgcoreError
        If two of the files are one, the journal's name is that of another file, or, without ``resume``, the
        journal holds verdicts of a run that did not come to its end.
    OSError
        If a file cannot be read or written.
    """
    policy = _checked(policy)
    source, target = Path(source), Path(target)
    path = Path(journal) if journal is not None else target.with_name(target.name + ".journal")
    require_distinct({"the input": source, "the output": target, "the journal": path})
    if not resume:
        _refuse_to_replace(path, target)
    digest = policy.digest if isinstance(policy, Policy) else ""
    seen, cases = Progress(), _Cases()
    with source.open("rb") as file:
        seen.total = sum(1 for _ in file)
    log = Journal(path, digest, resume=resume, sync=sync)
    try:
        with source.open("rb") as lines:
            numbered = enumerate(lines, 1)
            while window := list(_first(numbered, WINDOW)):
                _judge_window(window, policy, log, seen, cases, workers, progress)
        _assemble(log, target, seen.total or 0)
    finally:
        log.close()
    return seen


def _judge_window(
    window: list[tuple[int, bytes]],
    policy: PolicyLike | None,
    log: Journal,
    seen: Progress,
    cases: _Cases,
    workers: int | None,
    progress: Callable[[Progress], object] | None,
) -> None:
    keys = {number: hashlib.sha256(line).digest() for number, line in window}
    items = [_item(line.decode("utf-8", "replace").rstrip("\r\n"), number, cases) for number, line in window]
    fresh = []
    with log.path.open("rb") as file:
        for item in items:
            finished = log.finished(item.number, keys[item.number], file)
            if finished is None:
                fresh.append(item)
            else:
                seen.done += 1
                seen.counts[finished["status"]] += 1
    for item in _cheapest_first(fresh, policy, seen):
        verdict = _judge(item, policy, workers)
        log.add(item.number, keys[item.number], verdict.to_dict())
        seen.note(verdict)
        if progress is not None:
            progress(seen)


def _assemble(log: Journal, target: Path, count: int) -> None:
    """Write the verdicts in the order of the input; the target is replaced in one step."""
    with log.path.open("rb") as file:
        write_whole(
            target, (verdict_line(log.verdict(number, file)).encode() + b"\n" for number in range(1, count + 1))
        )


def serve(
    lines: Iterable[str],
    write: Callable[[str], object],
    policy: PolicyLike | None = None,
    *,
    workers: int | None = None,
    is_batch: bool = False,
) -> Progress:
    """Answer records one by one, for a game server that keeps one process open.

    Each answer stands alone: a case may be asked again by a record with what has become of it since, and memory does
    not grow with the cases.

    Parameters
    ----------
    lines : iterable of str
        One record in JSON each; ends with the input.
    write : callable
        Called with one verdict line, newline included, as soon as it is known; must flush.
    policy : Policy, str or dict, optional
    workers : int, optional
    is_batch : bool
        Whether a ``case_id`` may stand for one record only, E50 otherwise: what a file holds is known at once.

    Returns
    -------
    Progress
        The counts at the end of the input.
    """
    policy = _checked(policy)
    seen, cases = Progress(), _Cases() if is_batch else None
    for number, line in enumerate(lines, 1):
        verdict = _judge(_item(line.rstrip("\r\n"), number, cases), policy, workers)
        seen.note(verdict)
        write(verdict_line(verdict) + "\n")
    return seen
