"""The words of pictures and pages in English, French and German; numbers and names are filled in, not written here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bgcore.errors import UnsupportedError


@dataclass(frozen=True, slots=True)
class BoardWords:
    """What stands on a board and in its description; ``{...}`` are filled in."""

    to_roll: str = "{name} to roll"
    to_play: str = "{name} to play {roll}"
    doubles: str = "{name} doubles"
    won: tuple[str, str, str] = (
        "{name} has won a single game",
        "{name} has won a gammon",
        "{name} has won a backgammon",
    )
    counts: str = "pips {pips}, off {off}"
    colon: str = ":"
    match: str = "match to {length}: {first} {mine}, {second} {theirs}"
    crawford: str = ", Crawford game"
    cube_centre: str = "cube {value}, in the centre"
    cube_owned: str = "cube {value}, owned by {name}"
    own_count: str = "{name}, by its own count: {places}; pip count {pips}."
    on_point: str = "{count} on {point}"
    on_bar: str = "{count} on the bar"
    borne_off: str = "{count} off"


@dataclass(frozen=True, slots=True)
class PageWords:
    """The headings and labels of a verdict's page."""

    decimal_mark: str = "."
    colon: str = ":"
    white: str = "White"
    black: str = "Black"
    title: str = "Ruling on an abandoned game"
    case: str = "Case {case}"
    board: str = "The board"
    seat: str = "As {name} saw it"
    money: str = "The money"
    account: str = "account"
    before: str = "before"
    after: str = "after"
    change: str = "change"
    site: str = "site"
    share: str = "share of the match"
    convergence: str = "How the estimate settled"
    trials: str = "games played out"
    sensitivity: str = "What would have changed it"
    circumstance: str = "had it been otherwise"
    worth: str = "value for {name}"
    settled_as: str = "as settled"
    again: str = "Compute it again"
    again_text: str = "Anybody who has this verdict and bgcore gets the same numbers to the last bit:"
    reasons: str = "Reasons"
    rejected: str = "Why it was rejected"


BOARD: Final[dict[str, BoardWords]] = {
    "en": BoardWords(),
    "fr": BoardWords(
        to_roll="à {name} de lancer",
        to_play="{name} doit jouer {roll}",
        doubles="{name} double",
        won=("{name} a gagné une partie simple", "{name} a gagné un gammon", "{name} a gagné un backgammon"),
        counts="course {pips}, {off} sortis",
        colon=" :",
        match="match en {length} points : {first} {mine}, {second} {theirs}",
        crawford=", partie Crawford",
        cube_centre="videau à {value}, au centre",
        cube_owned="videau à {value}, chez {name}",
        own_count="{name}, de son point de vue : {places} ; course {pips}.",
        on_point="{count} sur la flèche {point}",
        on_bar="{count} sur la barre",
        borne_off="{count} sortis",
    ),
    "de": BoardWords(
        to_roll="{name} ist am Wurf",
        to_play="{name} spielt {roll}",
        doubles="{name} verdoppelt",
        won=(
            "{name} hat einfach gewonnen",
            "{name} hat ein Gammon gewonnen",
            "{name} hat ein Backgammon gewonnen",
        ),
        counts="{pips} Pips, {off} herausgespielt",
        match="Match bis {length}: {first} {mine}, {second} {theirs}",
        crawford=", Crawford-Spiel",
        cube_centre="Dopplerwürfel auf {value}, in der Mitte",
        cube_owned="Dopplerwürfel auf {value}, bei {name}",
        own_count="{name}, in eigener Zählung: {places}; Pips {pips}.",
        on_point="{count} auf {point}",
        on_bar="{count} auf der Bar",
        borne_off="{count} herausgespielt",
    ),
}

ENGLISH: Final = BOARD["en"]

PAGE: Final[dict[str, PageWords]] = {
    "en": PageWords(),
    "fr": PageWords(
        decimal_mark=",",
        colon=" :",
        white="Blanc",
        black="Noir",
        title="Décision sur une partie interrompue",
        case="Dossier {case}",
        board="La position",
        seat="Vue par {name}",
        money="L'argent",
        account="compte",
        before="avant",
        after="après",
        change="différence",
        site="site",
        share="part du match",
        convergence="Comment l'estimation s'est stabilisée",
        trials="parties jouées jusqu'au bout",
        sensitivity="Ce qui aurait changé la décision",
        circumstance="autre hypothèse",
        worth="valeur pour {name}",
        settled_as="décision rendue",
        again="Refaire le calcul",
        again_text="Toute personne disposant de cette décision et de bgcore obtient les mêmes nombres, au bit près :",
        reasons="Motifs",
        rejected="Pourquoi le dossier est refusé",
    ),
    "de": PageWords(
        decimal_mark=",",
        white="Weiß",
        black="Schwarz",
        title="Entscheidung über ein abgebrochenes Spiel",
        case="Fall {case}",
        board="Die Stellung",
        seat="Aus Sicht von {name}",
        money="Das Geld",
        account="Konto",
        before="vorher",
        after="nachher",
        change="Änderung",
        site="Betreiber",
        share="Anteil am Match",
        convergence="Wie sich die Schätzung eingependelt hat",
        trials="zu Ende gespielte Partien",
        sensitivity="Was etwas geändert hätte",
        circumstance="andere Annahme",
        worth="Wert für {name}",
        settled_as="wie entschieden",
        again="Nachrechnen",
        again_text="Wer diese Entscheidung und bgcore hat, erhält dieselben Zahlen bis aufs letzte Bit:",
        reasons="Gründe",
        rejected="Warum der Fall abgewiesen wurde",
    ),
}

CIRCUMSTANCES: Final[dict[str, tuple[str, str, str]]] = {
    "cube_frozen": (
        "nobody may double any more",
        "plus personne ne peut doubler",
        "niemand darf mehr verdoppeln",
    ),
    "leaver_resigns": (
        "the absent side resigns",
        "le joueur absent abandonne",
        "die abwesende Seite gibt auf",
    ),
    "take": ("the double is taken", "le double est accepté", "das Doppel wird angenommen"),
    "pass": ("the double is refused", "le double est refusé", "das Doppel wird abgelehnt"),
    "void": ("the offer does not count", "l'offre ne compte pas", "das Angebot zählt nicht"),
    "accept": ("the offer is accepted", "l'offre est acceptée", "das Angebot wird angenommen"),
    "refuse": ("the offer is refused", "l'offre est refusée", "das Angebot wird abgelehnt"),
    "reject": ("the offer is refused", "l'offre est refusée", "das Angebot wird abgelehnt"),
}
"""What a verdict's sensitivity speaks of; a name that is missing here is shown as it is."""

LANGUAGES: Final = ("en", "fr", "de")


def board_words(lang: str) -> BoardWords:
    """Return the words of boards in a language; UnsupportedError names the languages there are."""
    return BOARD[_checked(lang)]


def page_words(lang: str) -> PageWords:
    """Return the words of pages in a language; UnsupportedError names the languages there are."""
    return PAGE[_checked(lang)]


def circumstance(name: str, lang: str) -> str:
    """Put the name of a sensitivity into words."""
    known = CIRCUMSTANCES.get(name)
    return name.replace("_", " ") if known is None else known[LANGUAGES.index(_checked(lang))]


def _checked(lang: str) -> str:
    if lang not in LANGUAGES:
        raise UnsupportedError(f"texts are in {', '.join(LANGUAGES)}, not in {lang!r}")
    return lang
