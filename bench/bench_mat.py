"""How fast match files are read, every play checked against all legal plays; games per second to ``extra_info``."""

import random
import tracemalloc

import pytest

from bgcore import Position, legal_plays
from bgcore.codecs.mat import iter_mat
from bgcore.notation import format_play, format_steps

GAMES = 100


def recorded_game(number, rng):
    """One random game in the words of a match file, up to a bear-off or 70 rolls."""
    cells, position, player = [], Position.starting(), rng.randrange(2)
    if player:
        cells.append("")
    for roll_number in range(70):
        roll = rng.randint(1, 6), rng.randint(1, 6)
        if roll_number == 0:
            roll = (3, 1)
        plays = legal_plays(position, roll)
        play = rng.choice(plays) if plays else None
        text = (format_play if number % 2 else format_steps)(play) if play else "Cannot Move"
        cells.append(f"{roll[0]}{roll[1]}: {text}")
        if play is None:
            position = position.flip()
            continue
        if play.result.outcome:
            break
        position = play.result.flip()
    rows = [
        f"{row + 1:3d}) {cells[2 * row]:<30}{cells[2 * row + 1] if 2 * row + 1 < len(cells) else ''}".rstrip()
        for row in range((len(cells) + 1) // 2)
    ]
    head = f" Game {number}\n anna : 0                        ben : 0"
    return "\n".join([head, *rows, "      Wins 1 point", ""]), sum(bool(cell) for cell in cells)


@pytest.fixture(scope="module")
def record():
    rng = random.Random(1)
    games = [recorded_game(number, rng) for number in range(1, GAMES + 1)]
    return " 0 point match\n\n" + "\n".join(text for text, _ in games), sum(rolls for _, rolls in games)


def test_read(benchmark, record):
    text, rolls = record

    def run():
        return sum(match.plays for match in iter_mat(text))

    assert benchmark(run) == rolls
    benchmark.extra_info["games/s"] = round(GAMES / benchmark.stats["min"])
    benchmark.extra_info["plays/s"] = round(rolls / benchmark.stats["min"])


def test_memory_is_flat(record):
    """Thousands of matches in one file take the memory of one."""
    text, rolls = record
    single = text.splitlines(keepends=True)

    def peak(times):
        tracemalloc.start()
        total = sum(match.plays for match in iter_mat(line for _ in range(times) for line in single))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return total, most

    total, once = peak(2)
    many_total, many = peak(12)
    assert (total, many_total) == (2 * rolls, 12 * rolls)
    assert many < 1.5 * once
