"""``bgcore compare``: candidates rolled out on the same dice, and how sure it is which is best."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._chances import percent
from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._executor import open_executor
from bgcore.cli._exit import Exit
from bgcore.cli._options import (
    CUBE_RULES,
    GOES_WITH_EXTEND,
    GOES_WITH_MERGE,
    Amount,
    board_option,
    json_option,
    refuse_beside,
    trial_plies_option,
    truncate_option,
)
from bgcore.cli._output import measured, note, table, write_document, write_json
from bgcore.cli._position import picture, read_argument
from bgcore.cli._progress import Mode, Progress, progress_option
from bgcore.cli._stakes import says_cube, stakes_of
from bgcore.cli._stop import Stop
from bgcore.cli.rollout import heading
from bgcore.errors import RulesError

if TYPE_CHECKING:
    from bgcore.codecs.situation import Situation
    from bgcore.comparison import Comparison, CubeComparison
    from bgcore.rollout import RolloutSettings
    from bgcore.stakes import Stakes


@click.command(
    cls=Command,
    examples=(
        "bgcore compare start --dice 43 --top 4",
        "bgcore compare 4HPwATDgc/ABMA --cube 2:mine --trials 5184",
        'bgcore compare start --dice 31 --play "8/5 6/5" --play "24/23 13/10"',
        "bgcore compare start --dice 43 --target-error 0.005 --json",
        "bgcore compare start --dice 43 --save run.json",
        "bgcore compare --extend run.json --trials 5184 --save run.json",
        "bgcore compare --merge one.json --merge two.json --save both.json",
    ),
)
@click.argument("position", required=False)
@context_options("raccoons", "cube_limit", "cap", "met")
@click.option("--play", "plays", metavar="PLAY", multiple=True, help="A play to compare, as many as wanted.")
@click.option(
    "--top",
    type=click.IntRange(2),
    default=5,
    show_default=True,
    help="How many of the best, if none is named.",
)
@click.option(
    "--trials",
    type=click.IntRange(1),
    default=1296,
    show_default=True,
    help="Trials of each, or to add with --extend.",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Seed of the dice.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="Threads; by default one for each processor. On a cluster, blocks at a time; by default 64.",
)
@click.option(
    "--target-error",
    type=Amount(),
    help="Stop when the differences are this sure, or settled.",
)
@trial_plies_option
@truncate_option
@click.option("--save", metavar="FILE", help="Keep the comparison in a file, up to date while it runs.")
@click.option("--extend", metavar="FILE", help="Go on with a saved comparison, in place of POSITION.")
@click.option(
    "--merge", metavar="FILE", multiple=True, help="Join saved comparisons of different trials, in place of POSITION."
)
@click.option("--first-trial", type=click.IntRange(0), default=0, help="Number of the first trial, for --merge later.")
@click.option("--executor", metavar="URL", help="Run on a cluster: dask://HOST:PORT of its scheduler.")
@board_option
@progress_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> Exit:
    """Roll out candidates against each other on the same dice.

    With a roll (in POSITION or by --dice) the plays that --play names, or the best ones by the network; without one,
    doubling against not doubling. Candidates share their luck, so that their differences are known better than their
    values. Plays are weighed without the cube unless --cube, --match or the identifier say where it is. Ctrl-C prints
    what is done so far and ends with 130; a saved comparison goes on later with --extend.
    """
    return compare(ctx, **options)


def compare(
    ctx: click.Context,
    *,
    position: str | None,
    changes: Changes,
    plays: tuple[str, ...],
    top: int,
    trials: int,
    seed: int,
    workers: int | None,
    target_error: float | None,
    plies: int,
    truncate: int | None,
    first_trial: int,
    save: str | None,
    extend: str | None,
    merge: tuple[str, ...],
    executor: str | None,
    has_board: bool,
    progress_mode: Mode,
    is_json: bool,
) -> Exit:
    """Do what ``bgcore compare`` says, and ``bgcore rollout --compare``."""
    from bgcore.comparison import Comparison, CubeComparison
    from bgcore.rollout import RolloutSettings, StopRule

    if sum((position is not None, extend is not None, bool(merge))) != 1:
        raise click.UsageError("give a POSITION, or a saved comparison with --extend, or several with --merge", ctx)
    if merge:
        refuse_beside(ctx, "--merge, which joins what was rolled out", kept=GOES_WITH_MERGE)
    elif extend is not None:
        refuse_beside(ctx, "--extend, which goes on as the saved comparison began", kept=GOES_WITH_EXTEND)
    drawn = None
    with Stop() as stop, open_executor(executor) as pool, Progress(progress_mode, trials, "trials") as shown:
        before = 0

        def show(done: Comparison) -> bool:
            shown.update(done.trials - before, f"best so far: {done.best}", best=done.best)
            return stop.is_asked

        how: dict[str, Any] = {"workers": workers, "executor": pool, "progress": show, "save": save}
        if merge:
            found = reduce(Comparison.merge, map(Comparison.load, merge))
            if save is not None:
                found.save(save)
        elif extend is not None:
            start = Comparison.load(extend)
            before = start.trials
            found = start.extend(trials, **how)
        else:
            assert position is not None
            situation = changes.apply(read_argument(position))
            if situation.pending is not None:
                raise RulesError("a pending offer is decided by bgcore cube or bgcore adjudicate, not rolled out")
            drawn = picture(situation)
            is_cubeful = situation.dice is None or says_cube(situation, changes)
            if not is_cubeful:
                without = "plays weighed without the cube: say where it is, as --cube 1"
                refuse_beside(ctx, without, lost=(*CUBE_RULES, "cap"))
            settings = RolloutSettings(trials=trials, seed=seed, plies=plies, truncation=truncate or "table")
            if target_error is not None:
                settings = replace(settings, stop=StopRule(joint_std_error=target_error))
            how["first_trial"] = first_trial
            stakes = stakes_of(situation, changes) if is_cubeful else None
            found = _compare(situation, stakes, plays, top, settings, how)
    job = found.rollouts[0].job
    cube = None if job.line == "play" or job.stakes is None else CubeComparison(found, job.stakes)
    if save is not None:
        note(f"wrote {save}")
    if not is_json:
        text = _plays_text(found) if cube is None else _cube_text(cube)
        head = [drawn, ""] if has_board and drawn is not None else []
        click.echo("\n".join([*head, heading(found.rollouts[0], " each"), text]))
    elif cube is None:
        write_document(found.to_dict())
    else:
        write_json("cube-comparison", {"position_id": job.position.position_id, "dice": None, **cube.to_dict()})
    if stop.is_asked:
        note(f"interrupted after {found.trials} trials")
        return Exit.INTERRUPTED
    return Exit.DONE


def _compare(
    situation: Situation,
    stakes: Stakes | None,
    plays: tuple[str, ...],
    top: int,
    settings: RolloutSettings,
    how: dict[str, Any],
) -> Comparison:
    """Compare plays of the roll that lies, or doubling with not doubling before it."""
    from bgcore.comparison import compare_cube, compare_plays
    from bgcore.search import rank_plays

    if "cube" in plays and (situation.dice is not None or len(plays) > 1):
        raise RulesError("doubling is compared with not doubling, before a roll: leave out the dice and any play")
    if situation.dice is None:
        if plays and plays != ("cube",):
            raise RulesError("plays are compared after a roll: give it too, as --dice 31")
        assert stakes is not None
        return compare_cube(situation.position, stakes, settings=settings, **how).lines
    in_match = stakes if situation.score is not None else None
    ranked = rank_plays(situation.position, situation.dice, stakes=in_match)
    if len(ranked) < 2 and not situation.position.outcome:
        raise RulesError("there is nothing to compare: this roll has at most one legal play")
    return compare_plays(
        situation.position,
        situation.dice,
        plays or [one.play for one in ranked[:top]],
        stakes=stakes,
        settings=replace(settings, cubeful=stakes is not None),
        **how,
    )


def _plays_text(found: Comparison) -> str:
    rows = []
    best, is_match = found.ranking[0], _is_match(found)
    for number, i in enumerate(found.ranking, 1):
        rollout = found.rollouts[i]
        behind = found.difference(i, best)
        row = [str(number), found.labels[i], *measured(rollout.value, rollout.value_std_error, is_percent=is_match)]
        row += ["", ""] if i == best else list(measured(*behind, is_percent=is_match))
        rows.append([*row, percent(found.p_best[i])])
    return table(("", "play", "value", "std. error", "behind", "std. error", "best"), rows, "r rrrrr")


def _is_match(found: Comparison) -> bool:
    """Whether values are chances to win a match."""
    stakes = found.rollouts[0].job.stakes
    return stakes is not None and stakes.unit == "mwc"


def _cube_text(found: CubeComparison) -> str:
    lines, is_match = found.lines.rollouts, _is_match(found.lines)
    rows = [
        [name, *measured(value, error, is_percent=is_match)]
        for name, value, error in (
            ("no double", lines[0].value, lines[0].value_std_error),
            ("double, take", lines[1].value, lines[1].value_std_error),
            ("double, pass", found.double_pass, 0.0),
        )
    ]
    sure = f"doubling is right with {percent(found.p_double)}, taking with {percent(found.p_take)}"
    return "\n".join([found.action, table(("", "value", "std. error"), rows, " rr"), sure])
