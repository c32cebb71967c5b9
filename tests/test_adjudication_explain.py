"""Explanations: every kind of verdict, three languages, three readers, three formats; numbers only from the verdict."""

import re
from html.parser import HTMLParser
from string import Formatter

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.explain.faults import MEANINGS
from bgcore.adjudication.explain.texts import LANGUAGES, TEXTS, text
from bgcore.adjudication.faults import NAMES
from bgcore.adjudication.verdict import rejected
from bgcore.errors import BgcoreError
from tests.adjudication_records import HOME_15, OPENING, match_record, money_record

ACE = {"points": {"1": 1}, "bar": 0, "off": 14}
BOTH = {"white": {"away": True, "seconds": 200}, "black": {"away": True, "seconds": 200}}
DRAFT = {"precision": {"profile": "draft", "max_trials": 36}}


def refused():
    with pytest.raises(adj.RecordError) as caught:
        adj.Record.from_dict(money_record(cube__value=3))
    return rejected(caught.value, case_id="R1")


def verdicts():
    opening = {"board": {"white": OPENING, "black": OPENING}, "cube": {"value": 1, "owner": "centre"}}
    doubled = {
        "board__white": {"points": {"4": 1, "1": 1}, "bar": 0, "off": 13},
        "cube": {"value": 1, "owner": "centre"},
        "pending": {"type": "double", "by": "white"},
    }
    resigned = {
        "board__white": ACE,
        "board__black": HOME_15,
        "cube": {"value": 2, "owner": "white"},
        "pending": {"type": "resign", "by": "black", "level": 1},
    }
    return {
        "settled": adj.adjudicate(money_record(money__limit="8.00")),
        "nothing": adj.adjudicate(money_record(on_roll=None, **opening)),
        "gammon": adj.adjudicate(money_record(board__white=ACE, board__black=HOME_15)),
        "rolled": adj.adjudicate(money_record(**opening), DRAFT),
        "dice": adj.adjudicate(money_record(dice=[6, 1])),
        "double": adj.adjudicate(money_record(**doubled)),
        "resign": adj.adjudicate(money_record(**resigned)),
        "match": adj.adjudicate(match_record()),
        "match without prize": adj.adjudicate(match_record(match__prize=None)),
        "forfeit": adj.adjudicate(money_record(), "portal_m2p"),
        "forfeited match": adj.adjudicate(match_record(), "portal_m2p"),
        "refund": adj.adjudicate(money_record(absence=BOTH), "portal_m2p"),
        "server": adj.adjudicate(money_record(absence={**BOTH, "cause": "server"})),
        "resume": adj.adjudicate(money_record(absence__black__seconds=170.5)),
        "kept": adj.adjudicate(money_record(), "resume_only"),
        "claim": adj.adjudicate(money_record(), "claim"),
        "majority": adj.adjudicate(money_record(), {"one_away": "majority"}),
        "fee": adj.adjudicate(money_record(), "truemoneygames", precision="draft"),
        "rejected": refused(),
        "contradiction": adj.adjudicate(match_record(match__bracket=True)),
    }


@pytest.fixture(scope="module")
def every():
    return verdicts()


@pytest.mark.parametrize("fmt", ["text", "markdown", "html"])
@pytest.mark.parametrize("audience", ["player", "support", "auditor"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_verdict_can_be_explained(every, lang, audience, fmt):
    for verdict in every.values():
        told = adj.explain(verdict, lang, audience=audience, fmt=fmt)
        assert "{" not in re.sub(r"<style>.*?</style>", "", told, flags=re.DOTALL)
        assert "None" not in told
        assert told == adj.explain(verdict.to_dict(), lang, audience=audience, fmt=fmt)


def test_all_texts_are_there_in_three_languages_with_the_same_blanks():
    for code, versions in TEXTS.items():
        assert len(versions) == len(LANGUAGES)
        blanks = [{name for _, name, _, _ in Formatter().parse(version) if name} for version in versions]
        assert blanks[0] == blanks[1] == blanks[2], code
        assert len(set(versions)) == len(versions) or versions[0] == "", code


def test_the_sentences_of_the_specification(every):
    settled = adj.explain(every["settled"], "en")
    assert "Black was away 200 s, more than the 180 s allowed." in settled
    assert "With the next roll White wins 27 of 36 times." in settled
    assert "Black pays White 1.00 EUR." in settled
    assert "Noir verse 1,00 EUR à Blanc." in adj.explain(every["settled"], "fr")
    assert "Schwarz zahlt 1,00 EUR an Weiß." in adj.explain(every["settled"], "de")
    assert "Black can no longer avoid a gammon." in adj.explain(every["gammon"], "en")
    assert "Both stakes are returned." in adj.explain(every["refund"], "en")
    assert "Still 9.5 s to come back; nothing is settled." in adj.explain(every["resume"], "en")
    assert "White's chance of the match is 67.74 %; the prize is split 13.55 / 6.45." in adj.explain(every["match"])
    assert "Der Fehler lag am Server, nicht an einem Spieler." in adj.explain(every["server"], "de")
    assert "the double is refused" in adj.explain(every["double"])


def test_readers_get_what_they_need(every):
    player, support, auditor = (
        adj.explain(every["rolled"], audience=audience) for audience in ("player", "support", "auditor")
    )
    assert "one_away" not in player
    assert "one_away" in support
    assert "repro.seed" not in support
    assert "repro.seed" in auditor
    assert every["rolled"].repro["seed"] in auditor
    assert "E14" in adj.explain(every["rejected"])


def test_names_are_given_or_left_out(every):
    names = {"white": "Anna <1>", "black": "Ben"}
    told = adj.explain(every["settled"], names=names)
    assert "Ben pays Anna <1> 1.00 EUR." in told
    page = adj.explain(every["settled"], names=names, fmt="html")
    assert "Anna &lt;1&gt;" in page
    assert "Anna <1>" not in page
    named = adj.adjudicate(money_record(meta={"names": {"white": "Anna", "black": "Ben"}}))
    for fmt in ("text", "markdown", "html"):
        assert "Anna" not in adj.explain(named, fmt=fmt)


class Page(HTMLParser):
    """Collects what a browser would load or run."""

    def __init__(self):
        super().__init__()
        self.loads = []
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "action", "data", "xlink:href")]


def test_the_page_is_complete_in_itself(every):
    for name, verdict in every.items():
        page = Page()
        page.feed(adj.explain(verdict, "fr", audience="auditor", fmt="html"))
        assert not page.loads
        assert "script" not in page.tags
        if verdict.record is not None:
            assert page.tags.count("svg") >= 2, name


def test_questions_that_cannot_be_answered(every):
    for options in ({"lang": "nl"}, {"audience": "judge"}, {"fmt": "pdf"}):
        with pytest.raises(BgcoreError, match="not"):
            adj.explain(every["settled"], **options)
    with pytest.raises(adj.RecordError):
        adj.explain({"schema": "other"})
    assert text("PAYS", "en", B="b", W="w", m="1") == "b pays w 1."


def test_an_open_claim_is_told_as_a_choice(every):
    for lang, choice, rule in (
        ("en", "White may now choose: the win, or both stakes back.", "the other chooses how the game ends"),
        ("fr", "Blanc peut maintenant choisir", "l'autre choisit l'issue de la partie"),
        ("de", "Weiß darf nun wählen", "wählt der andere, wie das Spiel endet"),
    ):
        told = " ".join(adj.explain(every["claim"], lang).split())
        assert told.count(choice) == 1
        assert rule in told
        for other in ("UNDECIDED", "RULE_RESUME"):
            assert text(other, lang) not in told
    both = {"white": {"away": True, "seconds": 300}, "black": {"away": True, "seconds": 200}}
    first = adj.adjudicate(money_record(absence=both), {"name": "claim", "first_leaver_matters": True})
    assert "Black may now choose" in adj.explain(first)


def test_names_are_words_in_markdown_too(every):
    names = {"white": "A\n# B *C* _x_", "black": "1. ~D~ &amp;"}
    told = adj.explain(every["settled"], names=names, fmt="markdown")
    assert "**1\\. \\~D\\~ \\&amp; pays A \\# B \\*C\\* \\_x\\_ 1.00 EUR.**" in told
    assert "\n1\\. \\~D\\~ \\&amp; was away 200 s" in told
    assert not [line for line in told.splitlines() if line.startswith("# ")][1:]
    assert "A # B *C* _x_" in adj.explain(every["settled"], names=names)
    case = adj.adjudicate(money_record(case_id="*7*\n# 8"))
    assert adj.explain(case, audience="support", fmt="markdown").startswith("# Case \\*7\\* \\# 8\n")


def test_a_seat_in_the_next_round_is_named_with_its_worth():
    verdict = adj.adjudicate(
        match_record(
            match__bracket=True, match__next_round_value="40.00", match__prize={"winner": "100.00", "loser": "0.00"}
        )
    )
    assert "the prize and the seat in the next round, worth 40.00, are split 94.83 / 45.17." in adj.explain(verdict)
    assert "la place au tour suivant, qui vaut 40,00, sont partagés 94,83 / 45,17." in adj.explain(verdict, "fr")
    assert "der Platz in der nächsten Runde, 40,00 wert, werden 94,83 / 45,17 geteilt." in adj.explain(verdict, "de")


def test_an_auditor_reads_what_stands_behind_a_number_and_no_empty_rows(every):
    settled, rolled = every["settled"], every["rolled"]
    assert settled.repro["bearoff"] == "exact-solver-1"
    assert rolled.repro["bearoff"].startswith("sha256:")
    assert every["gammon"].repro["bearoff"] is None  # a proof
    told = adj.explain(settled, audience="auditor", fmt="markdown")
    assert "| repro.bearoff | exact-solver-1 |" in told
    assert "|  |" not in told.partition("repro.")[2]
    assert "repro.seed" not in told


def test_faults_are_told_in_the_language(every):
    assert set(MEANINGS) == {code for code in NAMES if code.startswith("E")}
    for fmt in ("text", "markdown", "html"):
        for lang, place in (("fr", 0), ("de", 1)):
            told = adj.explain(every["rejected"], lang, fmt=fmt)
            assert MEANINGS["E14"][place].replace("'", "&#x27;" if fmt == "html" else "'") in told
            assert "the cube shows" not in told
            assert "the cube shows" in adj.explain(every["rejected"], lang, audience="support", fmt=fmt)
        assert "the cube shows" in adj.explain(every["rejected"], fmt=fmt)


def test_a_shortened_time_is_told_with_what_was_chosen():
    for claim, chosen in (("win", "White chose the win."), ("refund", "White chose to have both stakes returned.")):
        absence = {"white": {"away": False}, "black": {"away": True, "seconds": 20}, "claim": claim}
        lost = {"board__black": {"points": {"6": 3}, "bar": 0, "off": 12}}
        verdict = adj.adjudicate(money_record(board__white=ACE, absence=absence, **lost), "claim")
        told = " ".join(adj.explain(verdict).split())
        assert "Black was away 20 s, more than the 13.333 s allowed. The time is shorter" in told
        assert f"the other chooses how the game ends. {chosen}" in told


def test_a_clock_that_ran_out_is_no_absence():
    absence = {"white": {"away": False}, "black": {"away": False}, "clock_expired": {"side": "black"}}
    told = adj.explain(adj.adjudicate(money_record(absence=absence)))
    assert text("RULE_CLOCK", "en") in told
    assert text("RULE_FORFEIT", "en") not in told


def test_the_chance_of_a_match_is_that_of_the_game_whatever_the_leaver_pays():
    fee = {"leaver": "fee", "leaver_fee": {"rate": "0.1"}}
    told = adj.explain(adj.adjudicate(match_record(), fee))
    assert "White's chance of the match is 67.74 %; the prize is split 15.55 / 4.45." in told
    assert "White wins the match." in adj.explain(adj.adjudicate(match_record(), {"one_away": "majority"}))


@pytest.mark.parametrize(
    ("changes", "policy", "sentence"),
    [
        ({}, {}, "The cube is at 2; White may still double."),
        ({"cube": {"value": 1, "owner": "centre"}}, {}, "The cube is at 1; both may still double."),
        ({"cube__limit": 2}, {}, "The cube is at 2 and cannot be turned any more."),
        (
            {"money__limit": "3.00", "rules": {"limit_mode": "block_double"}},
            {},
            "The cube is at 2 and cannot be turned any more.",
        ),
        ({}, {"leaver_cube": "frozen"}, "The cube is at 2 and cannot be turned any more."),
        (
            {"cube": {"value": 1, "owner": "centre"}},
            {"leaver_cube": "present_only"},
            "The cube is at 1; White may still double.",
        ),
    ],
)
def test_who_may_still_double_is_told_as_it_was_judged(changes, policy, sentence):
    record = money_record(**{"cube": {"value": 2, "owner": "white", "limit": 64}, **changes})
    assert sentence in adj.explain(adj.adjudicate(record, policy))


def test_a_game_that_is_never_settled_counts_down_to_nothing():
    absence = {"white": {"away": False}, "black": {"away": True, "seconds": 20}}
    for policy, sentence in (("resume_only", text("KEPT", "en")), ("play65", text("RESUME", "en", r="160"))):
        assert sentence in adj.explain(adj.adjudicate(money_record(absence=absence), policy))
