"""Every reader of something from outside, as a function of bytes that may do one of two things: answer, or refuse.

A refusal is a `BgcoreError`. Any other exception, a crash, a hang or a broken round trip is a finding.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import struct
import tempfile
import zlib
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

import bgcore
import oracle
from adjudication_records import money_record
from bgcore import adjudication, bearoff, met
from bgcore._core import Network
from bgcore.bearoff.files import HEADER_SIZE
from bgcore.cli.__main__ import main
from bgcore.cli._exit import Exit
from bgcore.codecs.sgf import read_sgf
from bgcore.cube import static_action
from bgcore.errors import BgcoreError, NotationError, UnsupportedError
from bgcore.evaluate import Evaluator
from bgcore.notation import parse_moves
from bgcore.rollout import Rollout, rollout
from bgcore.saved import digest_of
from bgcore.stakes import Stakes
from mat_account import SOUND, rewritten, untold
from strategies import KINDS, random_board, seeded_boards

HEADER = 16 + 5 * 4 + 32
SOME_BOARDS = np.array(seeded_boards(12, 1), dtype=np.int8)
SHORT_RACES = [
    bgcore.Position.from_board([0, *mine, *[0] * 18, *theirs, 0])
    for mine in ((1, 0, 0), (1, 1, 1), (0, 0, 3), (3, 0, 0))
    for theirs in ((0, 0, -1), (-1, -1, -1), (-3, 0, 0))
]
ROLLS = list(combinations_with_replacement(range(1, 7), 2))
START = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
MAT = """ 5 point match

 Game 1
 White : 0                         Black : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 64: 24/14                      Doubles => 2
  3) Takes                          66: 24/18(2) 13/7(2)
  4) Resigns                        Wins 4 points
"""
SGF = (
    "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:5][game:0][ws:0][bs:0]PW[White]PB[Black]"
    "RU[Crawford]RE[B+1];W[31hefe];B[52mhxv];W[double];B[drop])"
)
RECORD = money_record(rules={"jacoby": False, "beavers": False, "gammon_rule": "standard"})
MATCH_RECORD = {key: value for key, value in RECORD.items() if key != "money"} | {
    "mode": "match",
    "match": {"length": 5, "score": {"white": 2, "black": 3}, "crawford": "auto"},
}


@dataclass(frozen=True)
class Target:
    """One reader: what it is fed, and whether that is JSON."""

    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    is_json: bool = False


TARGETS: dict[str, Target] = {}


def target(*seeds: str | bytes | dict[str, object], is_json: bool = False):
    """Enter a function in `TARGETS` under its name."""

    def enter(read):
        given = tuple(
            seed if isinstance(seed, bytes) else json.dumps(seed).encode() if isinstance(seed, dict) else seed.encode()
            for seed in seeds
        )
        TARGETS[read.__name__] = Target(read, given, is_json)
        return read

    return enter


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def document_of(data: bytes):
    """The JSON document that a caller would hand on; what is not JSON never reaches a reader of ours."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotationError("not JSON") from error


def same_again(read, write, first) -> None:
    """What was read must survive being written and read once more."""
    second = read(write(first))
    assert second == first, f"{first!r} was written as {write(first)!r} and read back as {second!r}"


@target(START, "sGfwATDgc/ABMA", "AAAAAAAAAAAAAA", "/////////////w")
def position_id(data):
    same_again(
        bgcore.Position.from_position_id, lambda p: p.position_id, bgcore.Position.from_position_id(text_of(data))
    )


@target(bgcore.Position.starting().key, b"\x00" * 10)
def position_key(data):
    same_again(bgcore.Position.from_key, lambda p: p.key, bgcore.Position.from_key(data))


@target(bytes(bgcore.Position.starting().board.tobytes()), b"\x7f" * 26, b"\x01" + b"\x00" * 25)
def board(data):
    numbers = np.frombuffer(data, dtype=np.int8).tolist()
    position = bgcore.Position.from_board(numbers)
    assert position.board.tolist() == numbers
    same_again(bgcore.Position.from_board, lambda p: p.board, position)


@target(
    XGID, "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8", "XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:3:1:1:5:10"
)
def xgid(data):
    same_again(bgcore.parse_xgid, bgcore.format_xgid, bgcore.parse_xgid(text_of(data)))


@target("cAkAAAAAAAAA", "QYkqASAAIAAA", "MAAAAAAAAAAA")
def match_id(data):
    same_again(bgcore.parse_match_id, bgcore.format_match_id, bgcore.parse_match_id(text_of(data)))


@target(f"{START}:cAkAAAAAAAAA", f"{START}:QYkqASAAIAAA")
def gnubg_id(data):
    same_again(bgcore.parse_gnubg_id, bgcore.format_gnubg_id, bgcore.parse_gnubg_id(text_of(data)))


@target("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0:", "11jjjjjhhhccccc:ooddddd88866666:N0N:65:W:IW:2:3:5:0:9")
def ogid(data):
    same_again(bgcore.parse_ogid, bgcore.format_ogid, bgcore.parse_ogid(text_of(data)))


@target(
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)
def fibs(data):
    bgcore.parse_fibs(text_of(data))


@target(START, XGID, f"{START}:cAkAAAAAAAAA", "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0:")
def identifier(data):
    bgcore.parse_identifier(text_of(data))


@target("8/5 6/5", "bar/20*(2) 13/7", "24/18*/13", "Dances", "bar/off")
def notation(data):
    text = text_of(data)
    parse_moves(text)
    bgcore.parse_play(text, bgcore.Position.starting(), (3, 1))


@target(MAT, MAT.replace("5 point match", "0 point match"), MAT.replace("Resigns", "Drops"), SOUND)
def mat(data):
    match = bgcore.read_mat(data, strict=False)
    assert untold(data, [match]) == []
    rewritten(match)
    bgcore.unfinished_case(match)


@target(SGF, SGF.replace("double", "66xrxrmgmg").replace("drop", "take"))
def sgf(data):
    read_sgf(data, strict=False)


def file_of(data: bytes, suffix: str) -> Path:
    path = Path(tempfile.gettempdir()) / f"bgcore-fuzz-{id(data)}{suffix}"
    path.write_bytes(data)
    return path


@target(
    '<?xml version="1.0"?><met><info><name>x</name><length>2</length></info><pre-crawford-table type="explicit"><row>'
    "<me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row></pre-crawford-table>"
    '<post-crawford-table player="both" type="explicit"><row><me>0.5</me><me>0.3</me></row></post-crawford-table>'
    "</met>",
    '<!DOCTYPE met [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><met>&b;</met>',
)
def equity_table_xml(data):
    path = file_of(data, ".xml")
    try:
        met.load(path)
    finally:
        path.unlink()


@target("# a comment\n0.5,0.7\n0.3,0.5\n", (Path(bgcore.__file__).parent / "data/met/Kazaross-XG2.csv").read_bytes())
def equity_table_csv(data):
    path = file_of(data, ".csv")
    try:
        met.load(path)
    finally:
        path.unlink()


@target((Path(bgcore.__file__).parent / "data/weights.bin").read_bytes()[:600])
def weights(data):
    Network.from_bytes(data)


@target(b"\xff\x7f", b"\x00\x80", bytes(range(256)))
def weights_body(data):
    """Any numbers at all, in a file whose checksum is right: chances must still be chances."""
    shipped = (Path(bgcore.__file__).parent / "data/weights.bin").read_bytes()
    size = len(shipped) - HEADER
    body = (data * (size // max(len(data), 1) + 1))[:size] if data else bytes(size)
    body = body[:-64] + shipped[-64:]  # how many plays the filter leaves is checked by itself
    network = Network.from_bytes(shipped[: HEADER - 32] + hashlib.sha256(body).digest() + body)
    chances = Evaluator(network).evaluate_batch(SOME_BOARDS)
    assert np.isfinite(chances).all() and (chances >= 0).all() and (chances <= 1.0001).all(), chances


@target(RECORD, MATCH_RECORD, is_json=True)
def record(data):
    """A record that is read is written and read again; what can be worked out at once is settled."""
    document = document_of(data)
    read = adjudication.Record.from_dict(document)
    assert adjudication.Record.from_dict(read.to_dict()).to_dict() == read.to_dict()
    adjudication.load_policy(read.policy if isinstance(read.policy, dict) else "play65")


def table_bytes(kind: str) -> bytes:
    path = Path(tempfile.gettempdir()) / f"bgcore-fuzz-{os.getpid()}.bearoff"
    bearoff.build(3, 3, kind=kind, path=path)
    data = path.read_bytes()
    path.unlink()
    return data


@target(table_bytes("one-sided"), table_bytes("two-sided"))
def bearoff_table(data):
    """A table whose digests fit what is in it, so that its numbers are reached, and then asked."""
    if len(data) > HEADER_SIZE:
        body = data[HEADER_SIZE:]
        head = data[:48] + struct.pack("<Q", len(body)) + hashlib.sha256(body).digest() + data[88 : HEADER_SIZE - 4]
        data = head + struct.pack("<I", zlib.crc32(head)) + body
    path = file_of(data, ".bearoff")
    try:
        table = bearoff.open_table(path)
    finally:
        path.unlink()
    for position in SHORT_RACES:
        with suppress(UnsupportedError):
            if isinstance(table, bearoff.TwoSidedTable):
                table.entry(position)
            else:
                table.rows(position)
                table.outcomes(position)


@target(adjudication.policy_text("play65"), adjudication.policy_text("forfeit"))
def policy(data):
    path = file_of(data, ".toml")
    try:
        adjudication.load_policy(path)
    finally:
        path.unlink()


@target(adjudication.adjudicate(RECORD).to_dict(), adjudication.adjudicate(RECORD, "refund").to_dict(), is_json=True)
def verdict(data):
    document = document_of(data)
    adjudication.Verdict.from_dict(document)


@target(rollout(bgcore.Position.from_position_id("AQAAgAAAAAAAAA"), trials=36, workers=1).to_dict(), is_json=True)
def saved_rollout(data):
    """With a digest that fits, so that what it protects is reached."""
    document = document_of(data)
    if isinstance(document, dict):
        data = json.dumps(
            document | {"digest": digest_of({k: v for k, v in document.items() if k != "digest"})}
        ).encode()
    path = file_of(data, ".json")
    try:
        Rollout.load(path)
    finally:
        path.unlink()


@target(
    adjudication.adjudicate(RECORD).to_dict(), adjudication.adjudicate(MATCH_RECORD, "refund").to_dict(), is_json=True
)
def explained(data):
    """A verdict that can be read can be explained, and nothing in it becomes markup."""
    read = adjudication.Verdict.from_dict(document_of(data))
    for lang, audience, fmt in (("en", "player", "html"), ("de", "auditor", "markdown"), ("fr", "support", "text")):
        said = adjudication.explain(read, lang, audience=audience, fmt=fmt)
        assert fmt != "html" or "<script" not in said


@target(*(json.dumps(record) + "\n" for record in (RECORD, MATCH_RECORD)), json.dumps(RECORD) + "\nnonsense\n\n")
def served(data):
    """One line of JSON comes back for each that went in, whatever it was."""
    lines, answers = text_of(data).splitlines(keepends=True), []
    adjudication.serve(lines, answers.append, policy="refund")
    assert len(answers) == len(lines), (lines, answers)
    assert all(json.loads(answer)["status"] for answer in answers)


def journal_bytes() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "cases.jsonl")
        source.write_text(json.dumps(RECORD) + "\n" + json.dumps(MATCH_RECORD) + "\n", "utf-8")
        adjudication.run_batch(source, Path(folder, "verdicts.jsonl"), "refund")
        return Path(folder, "verdicts.jsonl.journal").read_bytes()


@target(journal_bytes())
def journal(data):
    """A batch that goes on from a damaged journal ends as one that never stopped, or refuses the journal."""
    with tempfile.TemporaryDirectory() as folder:
        source, kept = Path(folder, "cases.jsonl"), Path(folder, "journal")
        source.write_text(json.dumps(RECORD) + "\n" + json.dumps(MATCH_RECORD) + "\n", "utf-8")
        kept.write_bytes(data)
        out = Path(folder, "out")
        adjudication.run_batch(source, out, "refund", journal=kept, resume=True)
        adjudication.run_batch(source, Path(folder, "fresh"), "refund")
        assert out.read_bytes() == Path(folder, "fresh").read_bytes()


@target(Stakes.money().to_dict(), is_json=True)
def stakes(data):
    read = Stakes.from_dict(document_of(data))
    found = static_action((0.4, 0.1, 0.05, 0.35, 0.08, 0.02), read, efficiency=0.6)
    assert found.action


@target(
    f"plays {START} 31 --json", f"show {XGID}", f"convert {START} --match 5 --score 3-1 --json", f"evaluate {START}"
)
def command_line(data):
    words = text_of(data).split(" ")
    if words[0] in ("man", "completion", "rollout", "adjudicate", "bearoff") or {"-", "--svg"} & set(words):
        return
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
        code = main(words)
    assert code in (Exit.DONE, Exit.USAGE, Exit.REJECTED), (code, said.getvalue())


@target(bytes(12), b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c")
def plays_agree(data):
    """The compiled generator lists the set that the slow, obvious one lists."""
    rng = random.Random(data)
    given = random_board(rng, rng.choice(KINDS))
    roll = rng.choice(ROLLS)
    found = [tuple(play.result.board.tolist()) for play in bgcore.legal_plays(bgcore.Position.from_board(given), roll)]
    assert len(found) == len(set(found)), (given, roll)
    assert set(found) == oracle.legal_results(tuple(given), roll), (given, roll)


def is_fine(name: str, data: bytes) -> bool:
    """Feed one input; return whether it was read (False: refused). Anything else raises."""
    try:
        TARGETS[name].read(data)
    except BgcoreError:
        return False
    return True
