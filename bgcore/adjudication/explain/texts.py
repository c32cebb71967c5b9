"""The sentences of every explanation, in English, French and German; numbers are filled in, never written here."""

from typing import Final

from bgcore.errors import BgcoreError

LANGUAGES: Final = ("en", "fr", "de")

TEXTS: Final[dict[str, tuple[str, str, str]]] = {
    # What a server shows while somebody is gone.
    "YOU_WAIT": (
        "Your line was cut. You have {r} s to come back; the game goes on as soon as you are here.",
        "Votre connexion a été coupée. Il vous reste {r} s pour revenir ; la partie reprend dès votre retour.",
        "Deine Verbindung ist abgebrochen. Du hast noch {r} s zum Zurückkommen; dann geht das Spiel weiter.",
    ),
    "YOU_LATE": (
        "Your time to come back is over; the game is being settled.",
        "Le délai de retour est dépassé ; la partie est en cours de règlement.",
        "Deine Zeit zum Zurückkommen ist abgelaufen; das Spiel wird abgerechnet.",
    ),
    "THEY_WAIT": (
        "Your opponent's line was cut. Please wait: {r} s are left to come back.",
        "La connexion de votre adversaire a été coupée. Merci de patienter : il lui reste {r} s pour revenir.",
        "Die Verbindung deines Gegners ist abgebrochen. Bitte warte: Er hat noch {r} s zum Zurückkommen.",
    ),
    "THEY_LATE": (
        "Your opponent did not come back in time; the game is being settled.",
        "Votre adversaire n'est pas revenu à temps ; la partie est en cours de règlement.",
        "Dein Gegner ist nicht rechtzeitig zurückgekommen; das Spiel wird abgerechnet.",
    ),
}


def text(code: str, lang: str, **values: object) -> str:
    """Return one sentence in a language, its numbers filled in.

    Raises
    ------
    BgcoreError
        For a language that is none of `LANGUAGES`.
    """
    if lang not in LANGUAGES:
        raise BgcoreError(f"explanations are in {', '.join(LANGUAGES)}, not in {lang!r}")
    return TEXTS[code][LANGUAGES.index(lang)].format(**values)
