"""The sentences of every explanation, in English, French and German; numbers are filled in, never written here.

``{W}`` and ``{B}`` are players' names, ``{m}`` an amount of money, ``{t}``, ``{g}`` and ``{r}`` seconds.
"""

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
    # Who is who.
    "white": ("White", "Blanc", "Weiß"),
    "black": ("Black", "Noir", "Schwarz"),
    "site": ("the site", "le site", "die Seite"),
    "centre": ("in the middle", "au milieu", "in der Mitte"),
    # Headings.
    "TITLE": ("What became of your game", "Ce qu'est devenue votre partie", "Was aus deinem Spiel wurde"),
    "TITLE_CASE": ("Case {id}", "Dossier {id}", "Fall {id}"),
    "H_WHY": ("Why the game was stopped", "Pourquoi la partie a été arrêtée", "Warum das Spiel beendet wurde"),
    "H_BOARD": ("The position", "La position", "Die Stellung"),
    "H_VALUE": ("What the position is worth", "Ce que vaut la position", "Was die Stellung wert ist"),
    "H_MONEY": ("The money", "L'argent", "Das Geld"),
    "H_ELSE": ("What would have changed it", "Ce qui aurait changé le résultat", "Was es geändert hätte"),
    "H_CHECK": ("Check it yourself", "Vérifier soi-même", "Selbst nachprüfen"),
    "H_RULE": ("The rule in full", "La règle en détail", "Die Regel im Einzelnen"),
    "H_CODES": ("Reasons and warnings", "Motifs et avertissements", "Gründe und Warnungen"),
    "H_ROLLOUT": ("The games played out", "Les parties jouées", "Die ausgespielten Partien"),
    "H_ERRORS": ("What is wrong with the record", "Ce qui ne va pas dans le dossier", "Was am Datensatz falsch ist"),
    # Why.
    "ABSENT_OVER": (
        "{B} was away {t} s, more than the {g} s allowed.",
        "{B} est resté absent {t} s, plus que les {g} s prévues.",
        "{B} war {t} s weg, erlaubt waren {g} s.",
    ),
    "ABSENT_WITHIN": (
        "{B} has been away {t} s of the {g} s allowed.",
        "{B} est absent depuis {t} s sur les {g} s prévues.",
        "{B} ist seit {t} s weg, erlaubt sind {g} s.",
    ),
    "SHORTER_WHEN_LOST": (
        "The time is shorter where the game was as good as lost.",
        "Le délai est plus court quand la partie était pratiquement perdue.",
        "Die Zeit ist kürzer, wenn das Spiel so gut wie verloren war.",
    ),
    "CLOCK_EXPIRED": (
        "The clock of {B} ran out.",
        "La pendule de {B} est tombée.",
        "Die Uhr von {B} ist abgelaufen.",
    ),
    "SERVER_FAULT": (
        "The fault was the server's, not a player's.",
        "La panne venait du serveur, non d'un joueur.",
        "Der Fehler lag am Server, nicht an einem Spieler.",
    ),
    "TOO_SHORT": (
        "The game had only just begun.",
        "La partie venait à peine de commencer.",
        "Das Spiel hatte kaum begonnen.",
    ),
    "LEFT_FIRST": (
        "Both were away; {B} had left first, and that counts here.",
        "Les deux étaient absents ; {B} était parti le premier, et cela compte ici.",
        "Beide waren weg; {B} war zuerst gegangen, und das zählt hier.",
    ),
    "LEFT_DELIBERATELY": (
        "{B} closed the game on purpose.",
        "{B} a fermé la partie volontairement.",
        "{B} hat das Spiel absichtlich geschlossen.",
    ),
    "CLAIM_OPEN": (
        "{W} may now choose: the win, or both stakes back.",
        "{W} peut maintenant choisir : le gain, ou le remboursement des deux mises.",
        "{W} darf nun wählen: den Sieg oder beide Einsätze zurück.",
    ),
    "CLAIMS_WIN": ("{W} chose the win.", "{W} a choisi le gain.", "{W} hat den Sieg gewählt."),
    "CLAIMS_REFUND": (
        "{W} chose to have both stakes returned.",
        "{W} a choisi le remboursement des deux mises.",
        "{W} hat gewählt, dass beide Einsätze zurückgehen.",
    ),
    # The rule.
    "RULE_EQUITY": (
        "The rule of this site: the game is settled at the fair value of the position, as if it had been played on.",
        "La règle du site : la partie est réglée à la juste valeur de la position, comme si elle avait continué.",
        "Die Regel dieser Seite: Das Spiel wird zum fairen Wert der Stellung abgerechnet, als ginge es weiter.",
    ),
    "RULE_MAJORITY": (
        "The rule of this site: whoever is more likely to win takes the game.",
        "La règle du site : celui qui a le plus de chances de gagner remporte la partie.",
        "Die Regel dieser Seite: Wer wahrscheinlicher gewinnt, bekommt das Spiel.",
    ),
    "RULE_FORFEIT": (
        "The rule of this site: whoever stays away loses.",
        "La règle du site : celui qui reste absent perd.",
        "Die Regel dieser Seite: Wer wegbleibt, verliert.",
    ),
    "RULE_CLOCK": (
        "The rule of this site: whoever lets the clock run out loses.",
        "La règle du site : celui dont la pendule tombe perd.",
        "Die Regel dieser Seite: Wessen Uhr abläuft, der verliert.",
    ),
    "RULE_REFUND": (
        "The rule of this site: such a game does not count.",
        "La règle du site : une telle partie ne compte pas.",
        "Die Regel dieser Seite: Ein solches Spiel zählt nicht.",
    ),
    "RULE_CLAIM": (
        "The rule of this site: when one side stays away too long, the other chooses how the game ends.",
        "La règle du site : quand un joueur reste absent trop longtemps, l'autre choisit l'issue de la partie.",
        "Die Regel dieser Seite: Bleibt einer zu lange weg, wählt der andere, wie das Spiel endet.",
    ),
    "RULE_RESUME": (
        "The rule of this site: the game waits and is then played on.",
        "La règle du site : la partie attend, puis reprend.",
        "Die Regel dieser Seite: Das Spiel wartet und wird dann fortgesetzt.",
    ),
    "LEAVER_NO_GAIN": (
        "Whoever leaves cannot gain by it.",
        "Celui qui part ne peut rien y gagner.",
        "Wer geht, kann dadurch nichts gewinnen.",
    ),
    "LEAVER_LEAVER_MIN": (
        "Whoever leaves gets no more than if the game had been given up.",
        "Celui qui part n'obtient pas plus que s'il avait abandonné.",
        "Wer geht, bekommt nicht mehr, als hätte er aufgegeben.",
    ),
    "LEAVER_FEE": (
        "Whoever leaves pays a fee on top.",
        "Celui qui part paie en plus une pénalité.",
        "Wer geht, zahlt zusätzlich eine Gebühr.",
    ),
    "MAJORITY_TIE": (
        "Both were equally likely to win.",
        "Les chances étaient égales.",
        "Beide hatten gleiche Chancen.",
    ),
    "INTERVAL_STRADDLES": (
        "It was too close to call, so the next rule applied.",
        "C'était trop serré pour trancher ; la règle suivante s'applique.",
        "Es war zu knapp, deshalb galt die nächste Regel.",
    ),
    # The position.
    "TO_ROLL": ("{W} was to roll.", "{W} devait lancer les dés.", "{W} war am Wurf."),
    "HAD_ROLLED": ("{W} had rolled {d}.", "{W} avait lancé {d}.", "{W} hatte {d} geworfen."),
    "NOBODY_ROLLED": (
        "Nobody had rolled yet.",
        "Personne n'avait encore lancé.",
        "Noch niemand hatte geworfen.",
    ),
    "OFFERED_double": (
        "{W} had doubled; there was no answer.",
        "{W} avait doublé, sans réponse.",
        "{W} hatte verdoppelt; eine Antwort fehlte.",
    ),
    "OFFERED_beaver": (
        "{W} had beavered; there was no answer.",
        "{W} avait joué beaver, sans réponse.",
        "{W} hatte einen Beaver gegeben; eine Antwort fehlte.",
    ),
    "OFFERED_raccoon": (
        "{W} had raccooned; there was no answer.",
        "{W} avait joué raccoon, sans réponse.",
        "{W} hatte einen Raccoon gegeben; eine Antwort fehlte.",
    ),
    "OFFERED_resign": (
        "{W} had offered to give up {c} times the cube; there was no answer.",
        "{W} avait proposé d'abandonner {c} fois le videau, sans réponse.",
        "{W} hatte die Aufgabe mit dem {c}-fachen Dopplerwert angeboten; eine Antwort fehlte.",
    ),
    # The value.
    "COUNTABLE": (
        "With the next roll {W} wins {n} of 36 times.",
        "Au prochain lancer {W} gagne {n} fois sur 36.",
        "Mit dem nächsten Wurf gewinnt {W} {n} von 36 Mal.",
    ),
    "CHANCE": (
        "From here {W} wins about {p} of 100 games (± {e}).",
        "À partir d'ici {W} gagne environ {p} parties sur 100 (± {e}).",
        "Von hier gewinnt {W} etwa {p} von 100 Partien (± {e}).",
    ),
    "CHANCE_EXACT": (
        "From here {W} wins {p} of 100 games; this was worked out exactly.",
        "À partir d'ici {W} gagne {p} parties sur 100 ; le calcul est exact.",
        "Von hier gewinnt {W} {p} von 100 Partien; das ist genau ausgerechnet.",
    ),
    "WIN_SURE": (
        "No dice could have changed it: {W} wins.",
        "Aucun lancer ne pouvait rien y changer : {W} gagne.",
        "Kein Wurf konnte noch etwas ändern: {W} gewinnt.",
    ),
    "GAMMON_SURE": (
        "{B} can no longer avoid a gammon.",
        "{B} ne peut plus éviter le gammon.",
        "{B} kann das Gammon nicht mehr verhindern.",
    ),
    "BACKGAMMON_SURE": (
        "{B} can no longer avoid a backgammon.",
        "{B} ne peut plus éviter le backgammon.",
        "{B} kann das Backgammon nicht mehr verhindern.",
    ),
    "EVEN": (
        "Before the first roll both have the same chances.",
        "Avant le premier lancer, les chances sont égales.",
        "Vor dem ersten Wurf haben beide die gleichen Chancen.",
    ),
    "CUBE": (
        "The cube is at {c}; {W} may still double.",
        "Le videau est à {c} ; {W} peut encore doubler.",
        "Der Dopplerwürfel steht auf {c}; {W} darf noch verdoppeln.",
    ),
    "CUBE_BOTH": (
        "The cube is at {c}; both may still double.",
        "Le videau est à {c} ; les deux peuvent encore doubler.",
        "Der Dopplerwürfel steht auf {c}; beide dürfen noch verdoppeln.",
    ),
    "CUBE_DEAD": (
        "The cube is at {c} and cannot be turned any more.",
        "Le videau est à {c} et ne peut plus être tourné.",
        "Der Dopplerwürfel steht auf {c} und kann nicht mehr gedreht werden.",
    ),
    "DOUBLE_PASS": (
        "The right thing for {W} was to double now, and for {B} to give up the game.",
        "Le bon choix pour {W} était de doubler, et pour {B} de refuser.",
        "Richtig war: {W} verdoppelt jetzt, und {B} gibt die Partie auf.",
    ),
    "DOUBLE_TAKE": (
        "The right thing for {W} was to double now, and for {B} to accept.",
        "Le bon choix pour {W} était de doubler, et pour {B} d'accepter.",
        "Richtig war: {W} verdoppelt jetzt, und {B} nimmt an.",
    ),
    "FAIR_POINTS": (
        "The fair value for {W} is {v}, counted in points ({k} for each point of the cube).",
        "La juste valeur pour {W} est de {v}, comptée en points ({k} par point du videau).",
        "Der faire Wert für {W} ist {v}, in Punkten gerechnet ({k} je Punkt des Dopplerwürfels).",
    ),
    "FAIR_EVEN": (
        "The fair value is 0: neither side was ahead.",
        "La juste valeur est 0 : personne n'avait l'avantage.",
        "Der faire Wert ist 0: Keiner war im Vorteil.",
    ),
    "INTERVAL": (
        "In money, this estimate lies between {a} and {b} for {W} (95 times in 100).",
        "En argent, cette estimation se situe entre {a} et {b} pour {W} (95 fois sur 100).",
        "In Geld liegt diese Schätzung zwischen {a} und {b} für {W} (in 95 von 100 Fällen).",
    ),
    "WORKED_BY_proof": (
        "This is proved; nothing had to be estimated.",
        "C'est démontré ; rien n'a dû être estimé.",
        "Das ist bewiesen; nichts musste geschätzt werden.",
    ),
    "WORKED_BY_exact_table": (
        "This was worked out exactly, over every roll to the end of the game.",
        "Calcul exact, sur tous les lancers jusqu'à la fin de la partie.",
        "Das ist genau ausgerechnet, über alle Würfe bis zum Ende der Partie.",
    ),
    "WORKED_BY_symmetry": (
        "This follows from symmetry.",
        "Cela résulte de la symétrie.",
        "Das folgt aus der Symmetrie.",
    ),
    "WORKED_BY_rollout": (
        "The position was played out {n} times by the computer, with dice nobody could choose.",
        "La position a été jouée {n} fois par l'ordinateur, avec des dés que personne ne pouvait choisir.",
        "Die Stellung wurde {n}-mal vom Computer ausgespielt, mit Würfeln, die niemand wählen konnte.",
    ),
    # The result.
    "PAYS": ("{B} pays {W} {m}.", "{B} verse {m} à {W}.", "{B} zahlt {m} an {W}."),
    "NOTHING_MOVES": ("No money changes hands.", "Aucune somme ne change de main.", "Es fließt kein Geld."),
    "REFUND": (
        "Both stakes are returned.",
        "Les deux mises sont remboursées.",
        "Beide Einsätze werden zurückgebucht.",
    ),
    "RESUME": (
        "Still {r} s to come back; nothing is settled.",
        "Encore {r} s pour revenir ; rien n'est réglé.",
        "Noch {r} s zum Zurückkommen; nichts ist entschieden.",
    ),
    "KEPT": (
        "The game is kept and can be played on.",
        "La partie est conservée et peut reprendre.",
        "Das Spiel bleibt erhalten und kann fortgesetzt werden.",
    ),
    "UNDECIDED": (
        "This is not decided yet; a person will look at it.",
        "Rien n'est encore décidé ; une personne va examiner le cas.",
        "Das ist noch nicht entschieden; ein Mensch sieht es sich an.",
    ),
    "REJECTED": (
        "The record cannot be judged as it is.",
        "Le dossier ne peut pas être jugé en l'état.",
        "Der Datensatz kann so nicht beurteilt werden.",
    ),
    "SHARE": (
        "{W}'s chance of the match is {q} %; the prize is split {a} / {b}.",
        "{W} a {q} % de chances de gagner le match ; le prix est partagé {a} / {b}.",
        "{W} gewinnt das Match mit {q} %; der Preis wird {a} / {b} geteilt.",
    ),
    "SHARE_SEAT": (
        "{W}'s chance of the match is {q} %; the prize and the seat in the next round, worth {s}, are split {a} / {b}.",
        "{W} a {q} % de chances de gagner le match ; le prix et la place au tour suivant, qui vaut {s}, "
        "sont partagés {a} / {b}.",
        "{W} gewinnt das Match mit {q} %; der Preis und der Platz in der nächsten Runde, {s} wert, "
        "werden {a} / {b} geteilt.",
    ),
    "SHARE_ONLY": (
        "{W}'s chance of the match is {q} %.",
        "{W} a {q} % de chances de gagner le match.",
        "{W} gewinnt das Match mit {q} %.",
    ),
    "WINS_MATCH": ("{W} wins the match.", "{W} gagne le match.", "{W} gewinnt das Match."),
    # Tables.
    "T_WHO": ("", "", ""),
    "T_BEFORE": ("put up", "mis en jeu", "eingesetzt"),
    "T_AFTER": ("gets", "reçoit", "erhält"),
    "T_CHANGE": ("change", "différence", "Änderung"),
    "T_SUM": ("together", "ensemble", "zusammen"),
    "T_IF": ("if", "si", "wenn"),
    "T_WORTH": ("worth for {W}", "valeur pour {W}", "Wert für {W}"),
    "T_TRIALS": ("games", "parties", "Partien"),
    "T_MEAN": ("value", "valeur", "Wert"),
    "T_ERROR": ("std. error", "erreur type", "Standardfehler"),
    "T_KEY": ("setting", "réglage", "Einstellung"),
    "IF_take": ("the double is accepted", "le double est accepté", "die Verdopplung angenommen wird"),
    "IF_pass": ("the double is refused", "le double est refusé", "die Verdopplung abgelehnt wird"),
    "IF_beaver": ("the double is beavered", "le double est suivi d'un beaver", "ein Beaver folgt"),
    "IF_accept": ("the offer is accepted", "l'offre est acceptée", "das Angebot angenommen wird"),
    "IF_refuse": ("the offer is refused", "l'offre est refusée", "das Angebot abgelehnt wird"),
    "IF_reject": ("the game is played on", "la partie continue", "weitergespielt wird"),
    "IF_cube_frozen": (
        "nobody could double any more",
        "personne ne pouvait plus doubler",
        "niemand mehr verdoppeln dürfte",
    ),
    "IF_leaver_resigns": (
        "the leaver had given up a single game",
        "l'absent avait abandonné une partie simple",
        "der Abwesende eine einfache Partie aufgegeben hätte",
    ),
    # How to check.
    "CHECK_ID": (
        "The number of this decision is {id}.",
        "Le numéro de cette décision est {id}.",
        "Die Nummer dieser Entscheidung ist {id}.",
    ),
    "CHECK_RUN": (
        "Anybody with the record gets the same numbers, to the last digit, with this command:",
        "Quiconque possède le dossier obtient les mêmes chiffres, à la dernière décimale, avec cette commande :",
        "Wer den Datensatz hat, bekommt mit diesem Befehl dieselben Zahlen, bis auf die letzte Stelle:",
    ),
    "RAKE_NOTE": (
        "The site's part is taken from what changes hands, so that settling a game never earns it more than play.",
        "La part du site est prise sur la somme transférée : régler une partie ne lui rapporte jamais plus que le jeu.",
        "Der Anteil der Seite wird vom Transfer genommen; eine Abrechnung bringt ihr nie mehr als das Spiel.",
    ),
    "DICE_NOTE": (
        "The dice follow from the position, what is at stake and the engine; no roll is discarded.",
        "Les dés viennent d'une graine déduite de la position, de l'enjeu et du moteur ; aucun lancer n'est écarté.",
        "Die Würfel folgen aus Stellung, Einsatz und Programm; kein Wurf wird verworfen.",
    ),
}  # fmt: skip


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
