"""Tables of short bear-offs for any stakes, against the exact solver, and rollouts that end in them."""

import random
from fractions import Fraction

import pytest

from bgcore import Position, RolloutSettings, bearoff, met, rollout
from bgcore._core import Endings, whole_graph
from bgcore.bearoff.endings import SIZE, endings_of
from bgcore.errors import RulesError, UnsupportedError
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes

OWNERS = ("centre", "mine", "theirs")
RACCOONS = Rules(cube_limit=16, beavers=True, raccoons=True)
STAKES = {
    "cube limit": Stakes.money(),
    "cap": Stakes.money(cap=3),
    "uneven cap": Stakes.money(Cube(2, "mine"), cap=Fraction(7, 2)),
    "blocked doubles": Stakes.money(rules=Rules(limit_mode="block_double"), cap=4),
    "Jacoby": Stakes.money(rules=Rules(jacoby=True)),
    "beavers below a cap": Stakes.money(rules=Rules(beavers=True), cap=5),
    "raccoons": Stakes.money(Cube(2, "theirs"), RACCOONS),
    "no cube": Stakes.money(Cube(enabled=False)),
    "match": Stakes.match(Cube(), None, MatchScore(7, 2, 5), met.default()),
    "match, cube owned": Stakes.match(Cube(2, "theirs"), None, MatchScore(7, 0, 3), met.default()),
    "post-Crawford": Stakes.match(Cube(), None, MatchScore(5, 4, 1), met.default()),
}


def ending(rng, checkers):
    """Both sides home, each with so many checkers at most."""
    board = [0] * 26
    for _ in range(rng.randint(1, checkers)):
        board[rng.randint(1, 6)] += 1
    for _ in range(rng.randint(1, checkers)):
        board[25 - rng.randint(1, 6)] -= 1
    return Position.from_board(board)


@pytest.mark.parametrize("name", STAKES)
def test_the_exact_solver_agrees(name):
    """Either side to roll, in every state of the cube that the stakes begin with."""
    stakes, rng = STAKES[name], random.Random(name)
    table, most = endings_of(stakes), max(1.0, float(stakes.levels[-1].win[0]))
    for number in range(40):
        position = ending(rng, 4 if number % 8 else SIZE[1])
        for side, seen in enumerate((stakes, stakes.flip())):
            found = table.worth(position, side, 0, OWNERS.index(seen.owner))
            assert found == pytest.approx(float(bearoff.solve(position, seen).value), abs=3e-7 * most)


def test_positions_outside_and_sizes():
    """What the table does not hold it does not answer; it needs stakes that end, and a graph of its size."""
    table, stakes = endings_of(STAKES["cap"]), STAKES["cap"]
    assert table.worth(Position.starting(), 0, 0, 0) is None
    assert table.worth(ending(random.Random(1), 1), 0, 0, 0) is not None
    with pytest.raises(RulesError, match="levels 0 to 2, not 3"):
        table.worth(ending(random.Random(1), 1), 0, 3, 1)
    with pytest.raises(RulesError, match="never end"):
        endings_of(Stakes.money(rules=Rules(cube_limit=None)))
    with pytest.raises(RulesError, match="needs their graph"):
        Endings(whole_graph(6, 3), 6, 4, stakes.compiled, True)
    with pytest.raises(UnsupportedError):
        Endings(whole_graph(6, 3), 40, 4, stakes.compiled, True)


@pytest.mark.parametrize(
    "stakes", [*STAKES.values(), Stakes.money(rules=Rules(jacoby=True, beavers=True, cube_limit=None))]
)
def test_rollouts_end_in_it(stakes):
    """A trial that begins in the table is over at once, with the exact value."""
    position = Position.from_position_id("CgAAgAIAAAAAAA")
    found = rollout(position, stakes=stakes, settings=RolloutSettings(trials=36))
    assert found.value_std_error == 0
    assert found.value == pytest.approx(float(bearoff.solve(position, stakes).value), abs=1e-6)


def test_rollouts_of_longer_bear_offs_meet_the_exact_value():
    """The worst cube decisions are those of the last rolls, which the table takes away."""
    rng, squares = random.Random(3), []
    for _ in range(30):
        position, stakes = ending(rng, SIZE[1] + 1), rng.choice(list(STAKES.values()))
        found = rollout(position, stakes=stakes, line="no_double", settings=RolloutSettings(trials=72))
        exact = bearoff.solve(position, stakes).no_double
        squares.append((stakes.equity(found.value) - stakes.equity(float(exact))) ** 2)
    assert (sum(squares) / len(squares)) ** 0.5 < 0.002


def test_without_tables_trials_play_on():
    """``truncation="none"`` asks no table, so the value keeps an error."""
    position, stakes = Position.from_position_id("CgAAgAIAAAAAAA"), STAKES["match"]
    settings = RolloutSettings(trials=36, truncation="none", variance_reduction=False)
    assert rollout(position, stakes=stakes, settings=settings).value_std_error > 0
