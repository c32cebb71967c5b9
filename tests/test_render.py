"""Boards as pictures: what each shows, from either seat, and that an SVG is well formed and self-contained."""

import re
import xml.etree.ElementTree as ET

import pytest

from bgcore import Position, legal_plays
from bgcore.errors import DiceError, RulesError, UnsupportedError
from bgcore.render import page
from bgcore.render.board import svg_board, text_board
from bgcore.render.chart import convergence_svg
from bgcore.rules import Cube, MatchScore

SVG = "{http://www.w3.org/2000/svg}"
BLITZ = Position.from_board((-1, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 0, 2, 1))
STACKS = Position.from_board((0, -7, 0, 0, 0, 0, 0, 8) + (0,) * 18)

OPENING = """\
 +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
 | X           O    |   | O              X |  O
 | X           O    |   | O              X |  pips 167, off 0
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |  cube 1, in the centre
 |                  |BAR|                  |  X to play 6-5
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |
 | O           X    |   | X              O |  X
 +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+  pips 167, off 0"""

FROM_THE_OTHER_SEAT = """\
 +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
 | O           X    |   | X              O |  X White
 | O           X    |   | X              O |  pips 179, off 0
 | O           X    |   | X                |
 | O                |   | X                |  cube 2, owned by White
 | O                | O | X                |
 |                  |BAR|                  |  White to roll
 |                  | X |                  |  match to 7: White 3, Black 6, Crawford game
 | X                |   | O                |
 | X           O    |   | O                |
 | X           O    |   | O              X |
 | X           O    |   | O              X |  O Black
 +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+  pips 186, off 0"""


def test_text_of_the_opening():
    assert text_board(Position.starting(), dice=(6, 5), cube=Cube()) == OPENING


def test_text_from_the_other_seat():
    score = MatchScore(7, 3, 6, is_crawford=True)
    drawn = text_board(BLITZ, seat="theirs", names=("White", "Black"), cube=Cube(2, "mine"), score=score)
    assert drawn == FROM_THE_OTHER_SEAT


def test_tall_stacks_carry_a_number():
    lines = text_board(STACKS).splitlines()
    assert lines[7][17:19] == " 8"
    assert lines[7].split("|")[3].endswith(" 7 ")
    assert lines[12].endswith("pips 56, off 7")


@pytest.mark.parametrize(
    ("board", "status"),
    [
        ((0, -15) + (0,) * 24, "X has won a backgammon"),
        ((0,) * 24 + (-15, 0), "X has won a gammon"),
        ((0,) * 24 + (-1, 0), "X has won a single game"),
        ((0, 1) + (0,) * 24, "O has won a single game"),
    ],
)
def test_a_finished_game_says_who_won(board, status):
    assert status in text_board(Position.from_board(board))
    assert "to roll" not in text_board(Position.from_board(board))


def test_no_line_is_wider_than_a_terminal():
    for seat in ("mine", "theirs"):
        for line in text_board(BLITZ, seat=seat, cube=Cube(64, "theirs"), dice=(4, 4)).splitlines():
            assert len(line) <= 80
            assert line.isascii()


@pytest.mark.parametrize("position", [Position.starting(), BLITZ, STACKS])
@pytest.mark.parametrize("seat", ["mine", "theirs"])
def test_svg_is_well_formed_and_shows_every_checker(position, seat):
    root = ET.fromstring(svg_board(position, seat=seat, dice=(6, 5), cube=Cube(2, "theirs")))
    assert root.tag == f"{SVG}svg"
    shown = [n for n in root.iter(f"{SVG}circle") if n.get("stroke") == "#1c1c1c"]
    assert len(shown) == sum(min(abs(n), 5) for n in position.board.tolist())
    spots = [n for n in root.iter(f"{SVG}circle") if n.get("r") == "3.4"]
    assert len(spots) == 11
    texts = [n.text for n in root.iter(f"{SVG}text")]
    assert {str(n) for n in range(1, 25)} <= set(texts)
    for count in position.board.tolist():
        assert abs(count) <= 5 or str(abs(count)) in texts


def test_svg_is_seen_from_the_seat():
    flipped = svg_board(BLITZ.flip(), names=("Black", "White"), colours=("black", "white"), status="x")
    assert svg_board(BLITZ, seat="theirs", status="x") == flipped


def test_svg_refers_to_nothing_and_escapes_names():
    drawn = svg_board(BLITZ, names=("<script>", 'A&"B'), cube=Cube())
    assert "<script" not in drawn
    assert drawn.count("http") == 1  # the name space
    for part in ("href", "url(", "style=", " id=", "class="):
        assert part not in drawn
    description = ET.fromstring(drawn).findtext(f"{SVG}desc")
    assert description is not None
    assert "1 on the bar" in description


@pytest.mark.parametrize("draw", [text_board, svg_board])
def test_wrong_arguments_are_refused(draw):
    with pytest.raises(DiceError, match="7"):
        draw(BLITZ, dice=(7, 1))
    with pytest.raises(DiceError, match="two numbers"):
        draw(BLITZ, dice=(1,))
    with pytest.raises(RulesError, match="seat"):
        draw(BLITZ, seat="top")


def test_moves_are_arrows():
    for play in legal_plays(BLITZ, (2, 1)):
        for seat in ("mine", "theirs"):
            root = ET.fromstring(svg_board(BLITZ, seat=seat, moves=play.moves))
            assert len(list(root.iter(f"{SVG}line"))) == 2 * len(play.moves)


def test_notebooks_show_pictures():
    assert ET.fromstring(BLITZ._repr_svg_()).get("width") == "440"
    play = legal_plays(Position.starting(), (3, 1))[0]
    figure = ET.fromstring(play._repr_html_())
    assert figure.findtext("figcaption") == f"3-1: {play}"


def test_a_chart_shows_every_point_with_a_standard_error():
    points = [(36, 0.2, float("nan")), (144, 0.11, 0.03), (324, 0.08, 0.02), (1296, 0.097, 0.01)]
    root = ET.fromstring(convergence_svg(points, title="a < b"))
    assert len(list(root.iter(f"{SVG}circle"))) == 3
    assert root.findtext(f"{SVG}title") == "a < b"
    assert root.findtext(f"{SVG}desc") == "+0.0970 ± 0.0196 (1296 trials)"
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert {"500", "1000", "+0.1", "trials"} <= set(texts)


def test_a_chart_of_an_exact_value_is_a_flat_line():
    ET.fromstring(convergence_svg([(36, 1.0, 0.0), (72, 1.0, 0.0)]))


def test_a_chart_needs_a_standard_error():
    with pytest.raises(RulesError, match="standard error"):
        convergence_svg([(1, 0.5, float("inf"))])


def test_a_page_is_well_formed_and_escapes_what_it_is_given():
    text = page.page(
        "A & B",
        [
            page.paragraphs(["<b>x</b>"], "lead"),
            page.section("1 < 2", page.table(("a", "b"), [("<", "2")], numbers=(1,))),
            page.figure(svg_board(BLITZ), "'caption'"),
        ],
        lang="de",
        footer="&",
    )
    root = parsed(text)
    assert root.get("lang") == "de"
    assert root.findtext("body/h1") == "A & B"
    assert root.find("body/section/div/table/tbody/tr/td[2]").get("class") == "number"
    assert "<script" not in text
    assert "default-src 'none'" in text


def test_notebooks_show_results():
    import bgcore
    from bgcore import adjudication

    parts = [
        bgcore.cube_action(Position.starting())._repr_html_(),
        bgcore.rollout(Position.from_position_id("AQAAgAAAAAAAAA"), trials=36, workers=1)._repr_html_(),
    ]
    parts.append(adjudication.adjudicate(CASE)._repr_html_())
    start, few = Position.starting(), bgcore.RolloutSettings(trials=36, truncation=4)
    match = bgcore.read_mat(" 1 point match\n\n Game 1\n Ann & Co : 0        Bob : 0\n  1) 31: 8/5 6/5\n")
    parts += [
        bgcore.rank_plays(start, (3, 1))._repr_html_(),
        bgcore.compare_plays(start, (3, 1), ["8/5 6/5", "24/20"], settings=few)._repr_html_(),
        bgcore.compare_cube(start, bgcore.Stakes.money(), settings=few)._repr_html_(),
        bgcore.analyze(match)._repr_html_(),
    ]
    words = ("No double, take", "36 trials, seed 1", "BLACK_ABSENT_200S_OVER_180S", "8/5 6/5", "24/20", "double/take")
    for part, word in zip(parts, (*words, "Ann &amp; Co"), strict=True):
        ET.fromstring(f"<div>{part}</div>")
        assert word in part


CASE = {
    "schema": "bgcore.adjudication/1",
    "case_id": "G1",
    "mode": "money",
    "board": {
        "white": {"points": {"1": 1}, "bar": 0, "off": 14},
        "black": {"points": {"6": 1}, "bar": 0, "off": 14},
    },
    "on_roll": "black",
    "cube": {"value": 2, "owner": "black"},
    "money": {"currency": "EUR", "stake": "1.00", "limit": "8.00"},
    "absence": {"white": {"away": False}, "black": {"away": True, "seconds": "200"}},
}


def parsed(document):
    """A page of ours as XML; the few tags that HTML leaves open are closed."""
    text = document.removeprefix("<!DOCTYPE html>\n")
    for tag in ("meta", "link"):
        text = re.sub(rf"(<{tag} [^>]*[^/])>", r"\1/>", text)
    return ET.fromstring(text)


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_page_of_a_verdict(lang):
    from bgcore import adjudication
    from bgcore.render.verdict import Told, verdict_page
    from bgcore.render.words import page_words

    sections = [Told("A & B", ["first", "second"]), Told("Details", [], ("a", "b"), [("1", "2")])]
    verdict = adjudication.adjudicate(CASE)
    text = verdict_page(verdict, "<lead>", sections, lang=lang, names=("<w>", "b"))
    root = parsed(text)
    words = page_words(lang)
    assert root.get("lang") == lang
    headings = [node.text for node in root.iter("h2")]
    expected = [words.board, "A & B", words.money, words.sensitivity, words.reasons, "Details", words.again]
    assert headings == expected
    assert root.findtext("body/p") == "<lead>"
    assert len(list(root.iter(f"{SVG}svg"))) == 2
    assert "8.00".replace(".", words.decimal_mark) in text
    assert verdict.verdict_id in text
    for part in ("<script", "src=", "href=", "@import", "url("):
        assert part not in text


def test_the_page_of_a_rejected_record_lists_its_faults():
    from bgcore import adjudication
    from bgcore.adjudication.verdict import rejected
    from bgcore.render.verdict import verdict_page

    with pytest.raises(adjudication.RecordError) as caught:
        adjudication.Record.from_dict(CASE | {"dice": [7, 1]})
    text = verdict_page(rejected(caught.value, case_id="G1"))
    parsed(text)
    assert "E34" in text


def test_a_language_without_texts_is_refused():
    from bgcore.render.words import board_words, page_words

    for words in (board_words, page_words):
        with pytest.raises(UnsupportedError, match="en, fr, de"):
            words("es")
