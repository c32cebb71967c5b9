"""Do the intervals of rollouts hold? Endings whose exact value is known are rolled out as if it were not.

    python bench/endings.py                       # 500 endings, as docs/adjudication.md quotes them
    python bench/endings.py --seed 2 --model 0.001 --model 0.002

Endings are positions without contact from games that the network plays against itself, one from each game, with a cube
for money or a match score drawn for it: those in doubt, where either side still wins one game in fifty and a double, if
there is one, may be taken. The rollout stops as a ``standard`` verdict does. First the two-sided table is switched off,
so that both sides play and double to the last checker without it, then it ends trials as it always does. The interval
is counted with several model errors, the last one that of verdicts. About two minutes of CPU time. The run fails unless
the intervals of verdicts, the table off, cover the exact value in 93 to 97 of 100 endings.
"""

import argparse
import random
import sys
from dataclasses import replace
from fractions import Fraction
from unittest import mock

from bgcore._core import Network, Position, chosen_play
from bgcore.adjudication.engine import MODEL_ERRORS, Worth, ask_exactly, effort_for, place_of, rolled_out
from bgcore.adjudication.policy import PROFILES
from bgcore.adjudication.question import Question
from bgcore.rules import Cube, MatchScore, Rules

MONEY = (1.0, 2.0, 3.0, -1.0, -2.0, -3.0)
CUBES = (Cube(), Cube(2, "mine"), Cube(2, "theirs"))
CENT = Fraction(1, 100)


def races(rng):
    """Play a game to its end; return its positions without contact, at most nine checkers a side."""
    position, found = Position.starting(), []
    while not position.outcome:
        dice = rng.randint(1, 6), rng.randint(1, 6)
        position = chosen_play(Network.default(), position, *dice, MONEY)[0].flip()
        if position.is_race and not position.outcome and min(position.off) >= 6:
            found.append(position)
    return found


def question_about(rng, position):
    """Ask about a position for money three times out of four, else in a match to 7."""
    cube = rng.choice(CUBES)
    if rng.random() < 0.75:
        return Question(position, cube, Rules())
    return Question(position, cube, Rules(), score=MatchScore(7, rng.randint(0, 5), rng.randint(0, 5)))


def endings(rng, count):
    """Return so many questions in doubt, with their exact answers."""
    found: list[tuple[Question, Worth]] = []
    while len(found) < count:
        games = races(rng)
        if not games:
            continue
        question = question_about(rng, rng.choice(games))
        worth = ask_exactly(question)
        if worth is None or worth.basis != "exact_table" or worth.low is not None:
            continue
        if 0.02 < worth.chances.win < 0.98 and worth.action != "double_pass":
            found.append((question, worth))
    return found


def is_covered(question, exact, truncation):
    """Roll a question out without its exact answer, and see whether the interval holds it."""
    effort = replace(effort_for(PROFILES["standard"], question, CENT), truncation=truncation)
    found = rolled_out(question, effort)
    return found.low - 1e-12 <= exact.value <= found.high + 1e-12


def main():
    """Print the shares as a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", type=float, action="append", help="a model error to try, in units of the cube")
    given = parser.parse_args()
    asked = endings(random.Random(given.seed), given.count)
    places = [place_of(question.position) for question, _ in asked]
    print(f"{len(asked)} endings, seed {given.seed}; bear-offs: {places.count('bear-off')}")
    print("| two-sided table | model error | covered | in bear-offs | in other races |")
    print("|---|---:|---:|---:|---:|")
    share = 0.0
    for truncation in ("table", "none"):
        for model in (*(given.model or [0.0]), None):
            errors = MODEL_ERRORS if model is None else dict.fromkeys(MODEL_ERRORS, model)
            with mock.patch.dict(MODEL_ERRORS, errors):
                held = [is_covered(question, exact, truncation) for question, exact in asked]
            share = sum(held) / len(held)
            parts = [
                f"{sum(h for h, p in zip(held, places, strict=True) if p == place)} of {places.count(place)}"
                for place in ("bear-off", "race")
            ]
            shown = "of verdicts" if model is None else f"{model:g}"
            print(
                f"| {'on' if truncation == 'table' else 'off'} | {shown} | {100 * share:.1f} % | {' | '.join(parts)} |"
            )
    return 0 if 0.93 <= share <= 0.97 else 1


if __name__ == "__main__":
    sys.exit(main())
