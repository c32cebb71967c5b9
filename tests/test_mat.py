"""Match files: what is read, what is kept though it is irregular, and what is refused by line."""

import io
import random
import re

import pytest

from bgcore import Position, legal_plays
from bgcore.codecs.mat import format_mat, iter_mat, read_mat
from bgcore.codecs.match import CubeAction, Unread
from bgcore.errors import BgcoreError, NotationError, UnsupportedError

HEAD = " 5 point match\n\n Game 1\n anna : 0                        ben : 0\n"


def game(*rows, head=HEAD):
    return head + "\n".join(rows) + "\n"


def row(left="", right="", number=1):
    return f"{number:3d}) {left}".ljust(34) + right


def codes(match):
    return [item.code for item in match.irregularities]


OPENING = row("31: 8/5 6/5", "42: 8/4 6/4")


def test_illegal_plays_are_kept_and_named():
    match = read_mat(game(row("31: 8/4 6/5", "42: 8/4 6/4"), row("65: 24/13", "")))
    first, second, third = match.games[0].turns
    assert (first.kind, first.written, first.play) == ("illegal", "8/4 6/5", None)
    assert first.after.board[4] == 1  # the board goes on as written
    assert (second.kind, third.kind) == ("play", "play")
    assert codes(match) == ["illegal-play"]
    assert match.irregularities[0].line == 5
    assert "8/4 6/5" in match.irregularities[0].message


def test_a_play_that_cannot_be_carried_out_leaves_the_board_unknown():
    match = read_mat(game(row("31: 20/17 6/5", "42: 8/4 6/4"), row("65: 24/13")))
    assert [turn.kind for turn in match.games[0].turns] == ["illegal", "unchecked", "unchecked"]
    assert codes(match) == ["illegal-play", "unknown-board"]
    assert match.games[0].standing.position is None


def test_a_play_written_with_other_dice_is_not_read_as_another():
    # 8/4 6/5 and 8/5 6/4 leave the same board, but 31 can play neither 8/4 nor 6/4.
    match = read_mat(game(row("32: 8/4 6/5", "")))
    assert match.games[0].turns[0].kind == "illegal"


def test_double_take_drop_and_the_cube():
    match = read_mat(
        game(
            OPENING,
            row(" Doubles => 2", " Takes", 2),
            row("65: 24/13", " Doubles => 4", 3),
            row(" Drops", "Wins 2 points", 4),
        )
    )
    actions = [action for action in match.games[0].actions if isinstance(action, CubeAction)]
    assert [(action.player, action.action, action.value) for action in actions] == [
        (0, "double", 2),
        (1, "take", 2),
        (1, "double", 4),
        (0, "drop", 4),
    ]
    result = match.games[0].result
    assert (result.winner, result.points, result.how, result.cube, result.level) == (1, 2, "dropped", 2, "single")
    assert codes(match) == []


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([OPENING, row(" Doubles => 4", " Takes")], "cube-value"),
        ([OPENING, row(" Doubles => 2", " Takes"), row(" Doubles => 4", " Takes")], "cube-owner"),
        ([OPENING, row(" Takes")], "stray-take"),
        ([OPENING, row(" Doubles => 2"), row("65: 24/13")], "missing-take"),
        ([OPENING, row(" Doubles => 2"), "      Wins 1 point"], "missing-drop"),
        ([OPENING, row(" Doubles => 2"), " " * 34 + "Wins 1 point"], "unanswered-double"),
        ([OPENING, row("65:", "31: 8/5 6/5")], "unplayed-roll"),
        ([OPENING, row("65: ????", "31: 8/5 6/5")], "unrecorded-play"),
        ([OPENING, row("65: Cannot Move", "31: 8/5* 6/5")], "illegal-play"),
        ([OPENING, row("65: 24/18* 24/19")], "illegal-play"),
        ([OPENING, row("65: 24/18*/13")], "hit-mark"),
        ([OPENING, row("", "65: 24/13")], "turn-order"),
        ([row("33: 8/5(2) 6/3(2)")], "opening-double"),
        ([OPENING, "      Wins 4 points"], "wrong-points"),
        ([OPENING, "      Wins 2 points and the match"], "match-not-over"),
        ([OPENING, "      Wins 1 point", " " * 34 + "Wins 1 point"], "second-result"),
        ([OPENING, "      Wins 1 point", row("65: 24/13")], None),
    ],
)
def test_irregularities(rows, code):
    match = read_mat(game(*rows))
    if code:
        assert code in codes(match)
        assert all(4 < item.line <= 4 + len(rows) and item.game == 1 for item in match.irregularities)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([row(" Beavers")], "records with beavers are not supported"),
        ([row("71: 8/1 6/5")], "71 is no roll"),
        ([row("62: 24/18 30/11")], "no point 30"),
        ([row("62: 24/18 13/x")], "'13/x' is not a move"),
        ([row("Wins the match")], "how many points"),
        ([row("Something odd")], "neither dice nor a cube action nor a result"),
        ([row("31: 8/5 6/5", "42: 8/4 6/4") + "  65: 24/13"], "3 cells"),
        (["  what is this"], "not a line of a game"),
        ([row(" Takes it")], "no answer"),
    ],
)
def test_lines_that_cannot_be_read(rows, words):
    text = game(*rows)
    with pytest.raises(BgcoreError, match=f"^line 5: .*{words}"):
        read_mat(text)
    match = read_mat(text, strict=False)
    assert codes(match) == ["unreadable"]
    assert isinstance(match.games[0].actions[-1], Unread)


def test_unsupported_has_its_own_error():
    with pytest.raises(UnsupportedError):
        read_mat(game(OPENING, row(" Doubles => 2", " Beavers")))
    with pytest.raises(UnsupportedError, match="Nackgammon"):
        read_mat('; [Variation "Nackgammon"]\n' + game(OPENING))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"RGMH\x01\x02", r"\.xg"),
        (b"PK\x03\x04", "zip"),
        (b"(;FF[4]GM[6])\n", r"\.sgf"),
        ("\ufeff 5 point match\n".encode("utf-16"), "UTF-16"),
        (b" 5 point match\n\0\n", "binary"),
        (b"a text\nof two lines\n", "no match file"),
        (b" Game 1\n anna : 0   ben : 0\n", "starts before"),
        (b" 5 point match\n Game 1\n  1) 31: 8/5 6/5\n", "names and the score"),
    ],
)
def test_other_files_are_refused_by_kind(content, words):
    with pytest.raises(BgcoreError, match=words):
        read_mat(content)


def test_paths_and_files(tmp_path):
    text = game(OPENING, "      Wins 1 point")
    path = tmp_path / "record.mat"
    path.write_text(text)
    expected = read_mat(text)
    for source in (path, str(path), text.encode(), io.StringIO(text), io.BytesIO(text.encode())):
        match = read_mat(source)
        assert match.games == expected.games
    assert read_mat(path).source == str(path)
    for name in ("missing.mat", "."):
        with pytest.raises(NotationError, match=r"(no such file|is a directory)"):
            read_mat(str(tmp_path / name))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings_and_line_ends(encoding, end):
    text = game(OPENING, "      Wins 1 point", head=HEAD.replace("anna", "Zoë, la première")).replace("\n", end)
    match = read_mat(text.encode(encoding))
    assert match.games[0].names[0] == "Zoë, la première"
    assert match.encoding == encoding
    assert match.games[0].result.line == 6


def test_the_whole_match_given_up():
    rows = [OPENING, row("", "Resigned Match", 2), " " * 34 + "Wins 5 points and the match"]
    match = read_mat(game(*rows))
    result = match.games[0].result
    assert (result.winner, result.points, result.how) == (1, 5, "resigned")
    assert codes(match) == []
    assert codes(read_mat(game(*rows).replace("Match", "Game"))) == ["wrong-points"]
    standing = read_mat(game(*rows[:2])).games[0].standing
    assert (standing.player, standing.pending, standing.pending_by) == (0, "resign", "mine")


def test_headers_comments_and_rules():
    head = '; [Site "here"]\n; [Jacoby "On"]\n; [CubeLimit "64"]\n; a remark\n 0 point match\n'
    match = read_mat(head + game(OPENING, head=" Game 1\n a : 0    b : 0\n"))
    assert match.header("site") == "here"
    assert (match.rules.jacoby, match.rules.cube_limit) == (True, 64)
    assert match.stated == {"jacoby", "cube_limit"}
    assert [comment for _, comment in match.comments] == ["; a remark"]


def test_the_crawford_game():
    head = " 3 point match\n\n Game 1\n a : 0    b : 0\n"
    second, third = " Game 2\n a : 2    b : 0\n", " Game 3\n a : 2    b : 1\n"
    parts = [
        game(OPENING, row(" Doubles => 2", " Takes"), "      Wins 2 points", head=head),
        game(OPENING, " " * 34 + "Wins 1 point", head=second),
        game(OPENING, head=third),
    ]
    match = read_mat("".join(parts))
    assert [item.is_crawford for item in match.games] == [False, True, False]
    cut = read_mat(" 3 point match\n\n" + parts[1])
    assert cut.games[0].is_crawford is None  # the record does not tell
    double = read_mat("".join(parts[:1]) + game(OPENING, row(" Doubles => 2", " Takes"), head=second))
    assert "crawford-double" in codes(double)


def test_score_names_and_missing_results_between_games():
    first = game(OPENING)
    second = game(OPENING, head=" Game 2\n anna : 1                        carl : 0\n")
    assert sorted(codes(read_mat(first + second))) == ["missing-result", "names", "score"]


def test_several_matches_in_one_file():
    text = game(OPENING, "      Wins 1 point")
    matches = list(iter_mat('; [Site "one"]\n' + text + '\n; [Site "two"]\n' + text))
    assert [match.header("Site") for match in matches] == ["one", "two"]
    assert [len(match.games) for match in matches] == [1, 1]
    with pytest.raises(NotationError, match="more than one match"):
        read_mat(text + text)


def test_where_an_unfinished_game_stands():
    def standing(*rows):
        match = read_mat(game(*rows))
        assert match.unfinished is match.games[-1]
        return match.games[-1].standing

    now = standing(OPENING)
    assert (now.player, now.dice, now.pending, now.cube.value) == (0, None, None, 1)
    assert now.position == read_mat(game(OPENING)).games[0].turns[-1].after.flip()
    now = standing(OPENING, row("65:"))
    assert (now.player, now.dice) == (0, (6, 5))
    now = standing(OPENING, row(" Doubles => 2"))
    assert (now.player, now.pending, now.pending_by, now.cube.value) == (0, "double", "mine", 1)
    now = standing(OPENING, row(" Doubles => 2", " Takes"))
    assert (now.player, now.cube.value, now.cube.owner) == (0, 2, "theirs")
    now = standing()
    assert (now.player, now.position) == (None, Position.starting())


def test_writing_and_reading_again():
    text = game(OPENING, row(" Doubles => 2", " Takes"), row("65: 24/13", "55:"), row("31: 30/1"))
    match = read_mat(text, strict=False)
    written = format_mat(match)
    assert "; line 8:" in written
    assert [turn.kind for turn in read_mat(written).games[0].turns] == ["play", "play", "play", "unplayed"]


def random_record(rng, form):
    """A random game of 60 rolls in a match file, and the positions that it goes through."""
    cells, truth, position = [], [], Position.starting()
    for number in range(60):
        roll = (3, 1) if number == 0 else (rng.randint(1, 6), rng.randint(1, 6))
        plays = legal_plays(position, roll)
        play = rng.choice(plays) if plays else None
        cells.append(f"{roll[0]}{roll[1]}: {form(play) if play else 'Cannot Move'}")
        after = play.result if play else position
        truth.append(after)
        if after.outcome:
            break
        position = after.flip()
    rows = [row(cells[at], "".join(cells[at + 1 : at + 2]), at // 2 + 1) for at in range(0, len(cells), 2)]
    return game(*rows), truth


@pytest.mark.parametrize("seed", range(30))
def test_merged_moves_with_every_hit_marked(seed):
    text, truth = random_record(random.Random(seed), str)
    match = read_mat(text)
    assert [turn.after for turn in match.games[0].turns] == truth
    assert set(codes(match)) <= {"missing-result"}


@pytest.mark.parametrize("seed", range(60))
def test_merged_moves_without_hit_marks_are_never_misread_in_silence(seed):
    text, truth = random_record(random.Random(seed), merged)
    match = read_mat(text)
    found = [turn.after for turn in match.games[0].turns]
    assert found == truth or "ambiguous-play" in codes(match)
    assert "illegal-play" not in codes(match)


def merged(play):
    """The play without the points that its checkers touch on the way."""
    return " ".join(re.sub(r"/.*/", "/", word.replace("*", "")) for word in str(play).split())
