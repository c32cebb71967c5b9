"""``bgcore compare``: candidates rolled out on the same dice, and how sure it is which is best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bgcore.cli._chances import percent
from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._exit import Exit
from bgcore.cli._options import board_option, json_option, position_argument
from bgcore.cli._output import measured, note, table, write_json
from bgcore.cli._position import picture, read_situation
from bgcore.cli._progress import Mode, Progress, progress_option
from bgcore.cli._stakes import stakes_of
from bgcore.cli._stop import Stop
from bgcore.errors import RulesError

if TYPE_CHECKING:
    from bgcore.codecs.situation import Situation
    from bgcore.comparison import Comparison, CubeComparison
    from bgcore.rollout import RolloutSettings


@click.command(
    cls=Command,
    examples=(
        "bgcore compare start --dice 43 --top 4",
        "bgcore compare 4HPwATDgc/ABMA --cube 2:mine --trials 5184",
        "bgcore compare start --dice 43 --target-error 0.005 --json",
    ),
)
@position_argument
@context_options
@click.option("--top", type=click.IntRange(2), default=5, show_default=True, help="How many plays, the best ones.")
@click.option("--trials", type=click.IntRange(1), default=1296, show_default=True, help="Trials of each candidate.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Seed of the dice.")
@click.option("--workers", type=click.IntRange(1), help="Threads; by default one for each processor.")
@click.option(
    "--target-error",
    type=click.FloatRange(0, min_open=True),
    help="Stop when the differences are this sure, or settled.",
)
@board_option
@progress_option
@json_option
def command(
    position: str,
    changes: Changes,
    top: int,
    trials: int,
    seed: int,
    workers: int | None,
    target_error: float | None,
    has_board: bool,
    progress_mode: Mode,
    is_json: bool,
) -> Exit:
    """Roll out candidates against each other on the same dice.

    With a roll (in POSITION or by --dice) the best plays, by the network; without one, doubling against not doubling.
    Candidates share their luck, so that their differences are known better than their values. Plays are weighed without
    the cube unless --cube, --match or the identifier say where it is.
    """
    from bgcore.comparison import compare_cube
    from bgcore.rollout import RolloutSettings, StopRule

    situation = changes.apply(read_situation(position))
    if situation.pending is not None:
        raise RulesError("a pending offer is decided by bgcore cube or bgcore adjudicate, not rolled out")
    settings = RolloutSettings(trials=trials, seed=seed)
    if target_error is not None:
        settings = replace(settings, stop=StopRule(joint_std_error=target_error))
    with Stop() as stop, Progress(progress_mode, trials, "trials") as shown:

        def show(done: Comparison) -> bool:
            shown.update(done.trials, f"best so far: {done.best}", best=done.best)
            return stop.is_asked

        if situation.dice is not None:
            plays = _compare_plays(situation, top, settings, workers, show)
            body, text, done = plays.to_dict(), _plays_text(plays), plays.trials
        else:
            cube = compare_cube(
                situation.position, stakes_of(situation), settings=settings, workers=workers, progress=show
            )
            body, text, done = cube.to_dict(), _cube_text(cube), cube.lines.trials
    if is_json:
        write_json("comparison", {"position_id": situation.position_id, "dice": situation.dice, **body})
    else:
        click.echo(
            "\n".join([*([picture(situation), ""] if has_board else []), f"{done} trials each, seed {seed}", text])
        )
    if stop.is_asked:
        note(f"interrupted after {done} trials")
        return Exit.INTERRUPTED
    return Exit.DONE


def _compare_plays(
    situation: Situation, top: int, settings: RolloutSettings, workers: int | None, show: object
) -> Comparison:
    from bgcore.comparison import compare_plays
    from bgcore.rules import Cube
    from bgcore.search import rank_plays

    assert situation.dice is not None
    stakes = stakes_of(situation) if situation.score is not None else None
    ranked = rank_plays(situation.position, situation.dice, stakes=stakes)
    if len(ranked) < 2:
        raise RulesError("there is nothing to compare: this roll has at most one legal play")
    is_plain = situation.score is None and situation.cube == Cube()
    return compare_plays(
        situation.position,
        situation.dice,
        [one.play for one in ranked[:top]],
        stakes=None if is_plain else stakes_of(situation),
        settings=replace(settings, cubeful=not is_plain),
        workers=workers,
        progress=show,  # type: ignore[arg-type]
    )


def _plays_text(found: Comparison) -> str:
    rows = []
    best = found.ranking[0]
    for number, i in enumerate(found.ranking, 1):
        rollout = found.rollouts[i]
        behind = found.difference(i, best)
        row = [str(number), found.labels[i], *measured(rollout.value, rollout.value_std_error)]
        row += ["", ""] if i == best else list(measured(*behind))
        rows.append([*row, percent(found.p_best[i])])
    return table(("", "play", "value", "std. error", "behind", "std. error", "best"), rows, "r rrrrr")


def _cube_text(found: CubeComparison) -> str:
    lines = found.lines.rollouts
    rows = [
        ["no double", *measured(lines[0].value, lines[0].value_std_error)],
        ["double, take", *measured(lines[1].value, lines[1].value_std_error)],
        ["double, pass", *measured(found.double_pass, 0.0)],
    ]
    sure = f"doubling is right with {percent(found.p_double)}, taking with {percent(found.p_take)}"
    return "\n".join([found.action, table(("", "value", "std. error"), rows, " rr"), sure])
