"""Matches saved as SGF, and records of any format in a folder."""

import io
import tracemalloc

import pytest

from bgcore import Position
from bgcore.codecs.mat import format_mat, read_mat
from bgcore.codecs.records import find_records, iter_matches, iter_records, read_match
from bgcore.codecs.sgf import parse_trees, read_sgf
from bgcore.errors import BgcoreError, NotationError, UnsupportedError

ROOT = "FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:3][game:{game}][ws:{ws}][bs:0]PW[anna]PB[ben]RU[{rules}]RE[{result}]"


def tree(*nodes, game=0, ws=0, rules="Crawford", result=""):
    return "(;" + "\n;".join([ROOT.format(game=game, ws=ws, rules=rules, result=result), *nodes]) + ")\n"


def test_a_match():
    text = tree("W[31hefe]", "B[42qudd]".replace("qudd", "qusu"), "W[double]", "B[take]", "W[65xrrm]", result="W+2R")
    text += tree("B[31qtst]", ws=2, game=1, rules="Crawford:CrawfordGame", result="B+1")
    match = read_sgf(text)
    first, second = match.games
    assert match.length == 3
    assert [str(turn.play) for turn in first.turns] == ["8/5 6/5", "8/4 6/4", "24/13"]
    assert (first.result.winner, first.result.points, first.result.how, first.result.cube) == (0, 2, "resigned", 2)
    assert (second.score, second.is_crawford, second.result.winner) == ((2, 0), True, 1)
    assert match.irregularities == ()
    again = read_mat(format_mat(match))
    assert [game.turns[-1].after for game in again.games] == [game.turns[-1].after for game in match.games]


def test_a_long_comment_takes_memory_of_its_own_size():
    text = tree("W[31hefe]C[" + "a" * 500_000 + "]")
    tracemalloc.start()
    try:
        assert len(read_sgf(text).games[0].turns) == 1
        assert tracemalloc.get_traced_memory()[1] < 10 * len(text)
    finally:
        tracemalloc.stop()


def test_a_roll_that_was_not_played():
    standing = read_sgf(tree("W[31hefe]", "PL[B]DI[65]")).games[0].standing
    assert (standing.player, standing.dice) == (1, (6, 5))


def test_names_with_escapes_and_variations():
    text = tree("W[31hefe]").replace("PW[anna]", r"PW[an\]na\\]").replace(")\n", "(;B[65xrrm];W[21])(;B[11]))")
    match = read_sgf(text.replace("B[65xrrm]", "B[65aggl]"))
    assert match.games[0].names[0] == "an]na\\"
    assert len(match.games[0].turns) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "not an SGF|no such file"),
        ("(;FF[4]", "ends inside"),
        ("(;GM[1])", r"GM\[6\]"),
        ("(;)", r"GM\[6\]"),
        ("()", r"GM\[6\]"),
        (tree("W[77aa]"), "line 2: '77aa' is neither"),
        (tree("W[31hefe]", "B[dance]"), "line 3: 'dance' is neither"),
        (tree("AW[a]"), "set"),
        (tree("W[double]", "B[double]"), "beavers"),
        (tree("DI[31]"), "no roll of a player"),
        (tree(rules="Nackgammon"), "only standard backgammon"),
        (tree() + "x", "outside"),
        ("(;GM[6]MI[length:x])", "whole number"),
        ("(" * 100, "deeper"),
        ("(;GM[6]))", "closing"),
        ("(;GM[6][)", "closing bracket"),
    ],
)
def test_refusals(text, words):
    with pytest.raises(BgcoreError, match=words):
        read_sgf(text)


def test_a_node_that_cannot_be_read_is_kept_when_asked():
    match = read_sgf(tree("W[31hefe]", "B[dance]"), strict=False)
    assert [item.code for item in match.irregularities] == ["unreadable"]


def test_trees():
    assert [[node.line for node in nodes] for nodes in parse_trees("(;A[1]\n;B[2])\n(;C[3])")] == [[1, 2], [3]]


def test_sources(tmp_path):
    text = tree("W[31hefe]")
    path = tmp_path / "match.sgf"
    path.write_text(text)
    expected = read_sgf(text)
    for source in (path, str(path), text.encode(), io.StringIO(text), io.BytesIO(text.encode())):
        assert read_sgf(source).games == expected.games
    with pytest.raises(NotationError, match="no such file"):
        read_sgf(tmp_path / "missing.sgf")
    with pytest.raises(UnsupportedError, match="read_sgf"):
        read_mat(path)


def test_a_folder_goes_on_after_a_bad_file(tmp_path):
    (tmp_path / "1.sgf").write_text(tree("W[31hefe]"))
    (tmp_path / "2.mat").write_bytes(b"RGMH....")
    (tmp_path / "3.mat").write_text(format_mat(read_match(tmp_path / "1.sgf")))
    (tmp_path / "4.png").write_bytes(b"not read")
    (tmp_path / "5.txt").write_text("Dear diary,\n")
    (tmp_path / "6.txt").write_bytes((tmp_path / "3.mat").read_bytes())
    found = {path.name: answer for path, answer in iter_records([tmp_path])}
    assert {path.name for path, _ in iter_records(str(tmp_path))} == set(found)
    assert list(found) == ["1.sgf", "2.mat", "3.mat", "6.txt"]
    assert [path.name for path in find_records([tmp_path]).passed_over] == ["5.txt"]
    assert read_match((tmp_path / "1.sgf").read_bytes()).games == found["1.sgf"].games
    assert [match.games for match in iter_matches((tmp_path / "3.mat").read_bytes())] == [found["3.mat"].games]
    assert isinstance(found["2.mat"], UnsupportedError)
    assert found["1.sgf"].games[0].turns[0].before == found["3.mat"].games[0].turns[0].before == Position.starting()
    missing = list(iter_records([tmp_path / "missing.mat"]))
    assert isinstance(missing[0][1], NotationError)
