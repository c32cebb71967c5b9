"""Public bug reports about match files, turned into checks; see tests/shared_cases.py."""

import pytest

from bgcore import Position, legal_plays
from bgcore.codecs.mat import format_mat, read_mat
from bgcore.errors import BgcoreError
from shared_cases import ROOT, load, needs_shared, of_area

pytestmark = needs_shared

CASES = {case["id"]: case for case in load("cases.jsonl")}
FILES = [case for case in of_area("mat") if "file" in case.values[0]["input"]]
TEXTS = [case for case in of_area("mat") if "text" in case.values[0]["input"]]
HEAD = " 7 point match\n\n Game 1\n A : 0                           B : 0\n"
HEAD += "  1) 31: 8/5 6/5                 51: 13/8 6/5\n"


def kinds(match, kind):
    return sum(turn.kind == kind for game in match.games for turn in game.turns)


@pytest.mark.parametrize("case", FILES)
def test_file(case):
    given, expected = case["input"], case["expected"]
    match = read_mat(ROOT / given["file"])
    assert match.encoding == given["encoding"]
    assert match.length == expected["match_length"]
    assert len(match.games) == expected["n_games"]
    assert match.plays == expected["plays"]
    assert match.dances == expected["dances"]
    assert kinds(match, "unrecorded") == expected["unrecorded"]
    assert kinds(match, "illegal") == expected["illegal_plays"]
    assert list(match.final_score) == expected["final_score_by_column_of_last_game"]
    assert [[game.result.winner, game.result.points] for game in match.games] == expected["winners_points"]
    last = [turn for turn in match.games[0].turns if turn.after is not None][-1]
    assert last.after.position_id == expected["last_position_id_of_game1"]
    if "game10_points_possible" in expected:
        assert match.games[9].result.max_points == expected["game10_points_possible"]
        assert [item.code for item in match.irregularities if item.game == 10] == ["wrong-points"]
    if "roll_then_resign_line" in expected:
        rolled = match.games[-1].turns[-1]
        assert (rolled.line, rolled.kind) == (expected["roll_then_resign_line"], "unplayed")
        assert match.games[-1].result.how == "resigned"


@pytest.mark.parametrize("path", sorted((ROOT / "mat").glob("*.mat")), ids=lambda path: path.stem)
def test_written_and_read_again(path):
    match = read_mat(path)
    again = read_mat(format_mat(match))
    assert (again.length, again.headers, again.final_score) == (match.length, match.headers, match.final_score)
    for one, other in zip(match.games, again.games, strict=True):
        assert [(turn.dice, turn.kind, turn.before, turn.after) for turn in one.turns] == [
            (turn.dice, turn.kind, turn.before, turn.after) for turn in other.turns
        ]
        assert (one.score, one.names, one.is_crawford) == (other.score, other.names, other.is_crawford)
        assert (one.result.winner, one.result.points, one.result.how) == (
            other.result.winner,
            other.result.points,
            other.result.how,
        )
        assert one.standing == other.standing
    assert [item.code for item in again.irregularities] == [item.code for item in match.irregularities]


@pytest.mark.parametrize("case", TEXTS)
def test_text(case):
    expected = case["expected"]
    match = read_mat(case["input"]["text"])
    game = match.games[0]
    assert game.names[game.result.winner] == expected["winner"]
    assert game.result.points == expected["points"]
    assert game.result.how == "resigned"
    if "how" in expected:
        assert expected["how"] == f"resignation by {game.names[game.result.loser]}"
        assert match.plays == expected["plays"]


def test_comments_before_the_header():
    number = CASES["ma-026"]["input"]["comment_lines"]
    match = read_mat("; something said\n" * number + HEAD + "      Wins 1 point\n")
    assert len(match.comments) == number
    assert match.plays == 2


@pytest.mark.parametrize("line", CASES["ma-029"]["input"]["lines"] if "ma-029" in CASES else [])
def test_bad_records_name_the_line(line):
    with pytest.raises(BgcoreError, match=r"^line 6: .+"):
        read_mat(HEAD + line + "\n")
    match = read_mat(HEAD + line + "\n", strict=False)
    assert [item.line for item in match.irregularities] == [6]
    assert match.games[0].actions[-1].text.strip() == line.strip()


def test_an_unknown_file_is_no_empty_match():
    with pytest.raises(BgcoreError, match=r"eXtreme Gammon \(\.xg\); supported are match files"):
        read_mat(b"RGMH\0\0\1\2")
    with pytest.raises(BgcoreError, match="supported are match files"):
        read_mat("nothing of the kind\n")


def test_an_empty_cell_is_not_always_a_dance():
    given = CASES["mg-037"]["input"]
    turn = read_mat(ROOT / "mat" / "09_gridgammon.mat").games[-1].turns[-1]
    assert turn.before == Position.from_board(given["board"])
    assert len(legal_plays(turn.before, turn.dice)) == CASES["mg-037"]["expected"]["n_results"]


def test_jacoby():
    case = CASES["ru-011"]
    match = read_mat(ROOT / case["input"]["file"])
    game = match.games[case["input"]["game"] - 1]
    assert match.rules.jacoby
    assert abs(game.turns[-1].after.outcome) == case["expected"]["board_outcome"]
    assert (game.result.cube, game.result.points) == (case["expected"]["cube"], case["expected"]["points"])
    assert game.irregularities == ()


def test_resigned_points_never_exceed_three_times_the_cube():
    case = CASES["ru-012"]
    result = read_mat(ROOT / case["input"]["file"]).games[case["input"]["game"] - 1].result
    assert (result.points, result.max_points) == (case["expected"]["recorded_points"], case["expected"]["max_possible"])
    assert result.full_points == case["expected"]["max_possible"]


def test_points_above_the_match_are_capped():
    case = CASES["ru-013"]
    match = read_mat(ROOT / case["input"]["file"])
    game = match.games[case["input"]["game"] - 1]
    assert (game.result.cube, game.result.points) == (case["expected"]["cube"], case["expected"]["recorded_points"])
    assert game.result.full_points == case["expected"]["full_value"]
    assert match.is_over == case["expected"]["match_over"]
    assert game.irregularities == ()
