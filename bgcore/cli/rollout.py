"""``bgcore rollout``: play a position out many times, watch the mean settle, keep the trials for later."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import click

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
from bgcore.cli._output import measured, note, table, write_document
from bgcore.cli._position import picture, read_argument
from bgcore.cli._progress import Mode, Progress, progress_option
from bgcore.cli._stakes import says_cube, stakes_of
from bgcore.cli._stop import Stop
from bgcore.errors import RulesError
from bgcore.wholefile import require_distinct

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from bgcore.rollout import Rollout, StopRule

MOST_POINTS = 256  # of a picture; beyond it every other one is dropped
NAMES = {
    "win": "wins",
    "win_gammon": "wins a gammon",
    "win_backgammon": "wins a backgammon",
    "lose_gammon": "loses a gammon",
    "lose_backgammon": "loses a backgammon",
}


@click.command(
    cls=Command,
    examples=(
        "bgcore rollout start --dice 31 --trials 1296",
        "bgcore rollout 4HPwATDgc/ABMA --cubeful --cube 2:mine --target-error 0.01",
        "bgcore rollout 4HPwATDgc/ABMA --cubeful --cap 7/2 --target-money 0.50 --stake 5",
        "bgcore rollout 4HPwATDgc/ABMA --save run.json",
        "bgcore rollout --extend run.json --trials 5184 --save run.json",
        "bgcore rollout --merge one.json --merge two.json --save both.json",
        'bgcore rollout start --dice 31 --compare "8/5 6/5" --compare "24/23 13/10"',
    ),
)
@click.argument("position", required=False)
@click.option("--trials", type=click.IntRange(1), help="Trials to run, or to add with --extend. [default: 1296]")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of the dice. [default: 1]")
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="Threads; by default one for each processor. On a cluster, blocks at a time; by default 64.",
)
@click.option("--target-error", type=Amount(), help="Stop at this standard error.")
@click.option(
    "--target-money",
    type=Amount(),
    metavar="AMOUNT",
    help="Stop once half the 95 % interval is worth so little at --stake.",
)
@click.option(
    "--stake", type=Amount(), metavar="AMOUNT", help="Money for a point, or in a match for all of it; in any currency."
)
@click.option("--cubeful/--cubeless", default=False, show_default=True, help="Let both sides use the cube, or not.")
@trial_plies_option
@truncate_option
@context_options("raccoons", "cube_limit", "cap", "met")
@click.option("--save", metavar="FILE", help="Keep the rollout in a file, up to date while it runs.")
@click.option("--extend", metavar="FILE", help="Go on with a saved rollout, in place of POSITION.")
@click.option(
    "--merge", metavar="FILE", multiple=True, help="Join saved rollouts of different trials, in place of POSITION."
)
@click.option("--first-trial", type=click.IntRange(0), default=0, help="Number of the first trial, for --merge later.")
@click.option("--plot", metavar="FILE", help="Draw how the mean settled and how games end (png, svg, pdf).")
@click.option(
    "--compare",
    "candidates",
    metavar="PLAY",
    multiple=True,
    help="Compare plays on the same dice, one option each, or doubling with not doubling: --compare cube.",
)
@click.option("--executor", metavar="URL", help="Run on a cluster: dask://HOST:PORT of its scheduler.")
@board_option
@progress_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    position: str | None,
    trials: int | None,
    seed: int | None,
    workers: int | None,
    target_error: float | None,
    target_money: float | None,
    stake: float | None,
    cubeful: bool,
    plies: int,
    truncate: int | None,
    changes: Changes,
    save: str | None,
    extend: str | None,
    merge: tuple[str, ...],
    first_trial: int,
    plot: str | None,
    candidates: tuple[str, ...],
    executor: str | None,
    has_board: bool,
    progress_mode: Mode,
    is_json: bool,
) -> Exit:
    """Play a position out many times and average the results.

    The same seed gives the same numbers to the last bit, whatever the number of threads. Ctrl-C prints what is done so
    far and ends with 130; a saved rollout goes on later with --extend. With --compare it is bgcore compare.
    """
    if candidates:
        refuse_beside(
            ctx,
            "--compare; bgcore compare has --extend and --merge",
            lost=("merge", "extend", "plot", "cubeful", "target_money", "stake"),
        )
        if position is None:
            raise click.UsageError("--compare takes a POSITION", ctx)
        from bgcore.cli.compare import compare

        return compare(
            ctx,
            position=position,
            changes=changes,
            plays=candidates,
            top=len(candidates),
            trials=trials or 1296,
            seed=1 if seed is None else seed,
            workers=workers,
            target_error=target_error,
            plies=plies,
            truncate=truncate,
            first_trial=first_trial,
            save=save,
            extend=None,
            merge=(),
            executor=executor,
            has_board=has_board,
            progress_mode=progress_mode,
            is_json=is_json,
        )
    if sum((position is not None, extend is not None, bool(merge))) != 1:
        raise click.UsageError("give a POSITION, or a saved rollout with --extend, or several with --merge", ctx)
    if merge:
        refuse_beside(ctx, "--merge, which joins what was rolled out", kept=GOES_WITH_MERGE)
    elif extend is not None:
        refuse_beside(ctx, "--extend, which goes on as the saved rollout began", kept=GOES_WITH_EXTEND)
    elif not cubeful:
        refuse_beside(ctx, "--cubeless: these rules are about the cube", lost=CUBE_RULES)
    rule = _stop_rule(ctx, target_error, target_money, stake)
    require_distinct({"--save": save, "--plot": plot})
    if plot is not None:
        from bgcore.render.plots import require_drawable

        require_drawable(plot)
    goal = trials or 1296
    history: list[Rollout] = []
    with Stop() as stop, open_executor(executor) as pool:
        if merge:
            found, drawn = _merged(merge, save), None
        elif extend is not None:
            found, drawn = _extended(extend, goal, workers, pool, save, progress_mode, stop, history), None
        else:
            assert position is not None
            situation = changes.apply(read_argument(position))
            drawn = picture(situation)
            from bgcore.rollout import RolloutSettings, rollout

            if situation.pending is not None:
                raise RulesError("a pending offer is decided by bgcore cube or bgcore adjudicate, not rolled out")
            settings = RolloutSettings(
                trials=goal,
                seed=1 if seed is None else seed,
                plies=plies,
                cubeful=cubeful,
                truncation=truncate or "table",
                stop=rule,
            )
            has_stakes = cubeful or changes.cap is not None or says_cube(situation, changes)
            with Progress(progress_mode, goal, "trials") as shown:
                found = rollout(
                    situation.position,
                    dice=situation.dice,
                    stakes=stakes_of(situation, changes) if has_stakes else None,
                    settings=settings,
                    first_trial=first_trial,
                    workers=workers,
                    executor=pool,
                    save=save,
                    progress=lambda done: _show(shown, done, 0, stop, history),
                )
    if save is not None:
        note(f"wrote {save}")
    if is_json:
        write_document(found.to_dict())
    else:
        click.echo(_text(found, drawn if has_board else None))
    if plot is not None:
        from bgcore.render.plots import plot_rollout

        plot_rollout(history or [found], plot)
        note(f"wrote {plot}")
    if stop.is_asked:
        note(f"interrupted after {found.trials} trials")
        return Exit.INTERRUPTED
    return Exit.DONE


def _stop_rule(
    ctx: click.Context, target_error: float | None, target_money: float | None, stake: float | None
) -> StopRule | None:
    """Make the stop rule that the options name; None for none."""
    if target_money is None:
        if stake is not None:
            raise click.UsageError("--stake says what --target-money is worth in points: give that too", ctx)
    elif stake is None:
        raise click.UsageError("--target-money needs --stake, the money for a point (in a match, for all of it)", ctx)
    elif target_error is not None:
        raise click.UsageError("--target-error does not go with --target-money: give one", ctx)
    from bgcore.rollout import StopRule

    if target_error is not None:
        return StopRule(std_error=target_error)
    return None if target_money is None or stake is None else StopRule(material=target_money, stake=stake)


def _merged(paths: tuple[str, ...], save: str | None) -> Rollout:
    """Join saved rollouts."""
    from bgcore.rollout import Rollout

    found = Rollout.load(paths[0])
    for path in paths[1:]:
        found = found.merge(Rollout.load(path))
    if save is not None:
        found.save(save)
    return found


def _extended(
    path: str,
    more: int,
    workers: int | None,
    pool: Executor | None,
    save: str | None,
    mode: Mode,
    stop: Stop,
    history: list[Rollout],
) -> Rollout:
    from bgcore.rollout import Rollout

    before = Rollout.load(path)
    with Progress(mode, more, "trials") as shown:
        return before.extend(
            more,
            workers=workers,
            executor=pool,
            save=save,
            progress=lambda done: _show(shown, done, before.trials, stop, history),
        )


def _show(shown: Progress, done: Rollout, before: int, stop: Stop, history: list[Rollout]) -> bool:
    """Show the rollout so far, and keep it for the picture; true ends it."""
    history.append(done)
    if len(history) > MOST_POINTS:
        del history[1::2]
    said = f"{done.value:+.4f} ± {done.value_std_error:.4f}"
    shown.update(done.trials - before, said, value=done.value, std_error=done.value_std_error)
    return stop.is_asked


def _text(found: Rollout, drawn: str | None) -> str:
    """Write a rollout for people: no more digits than its standard errors justify."""
    rows = [["equity", *measured(found.equity, found.std_error)]]
    if found.job.stakes is not None:
        is_match = found.job.stakes.unit == "mwc"
        name = "value (match-winning chance)" if is_match else "value (points)"
        rows.append([name, *measured(found.value, found.value_std_error, is_percent=is_match)])
    chances = zip(NAMES, found.prob_std_errors, strict=True)
    rows += [
        [NAMES[name], *measured(getattr(found.probabilities, name), error, is_percent=True)] for name, error in chances
    ]
    parts = [drawn, ""] if drawn is not None else []
    parts += [heading(found) + _money(found), table(("", "mean", "std. error"), rows, "lrr")]
    return "\n".join(parts)


def heading(found: Rollout, each: str = "") -> str:
    """Say how many trials there are, and what they leave out that the standard errors do not know."""
    cut = found.settings.truncation
    model = f", cut after {cut} plies (model error {found.model_error:.4f})" if isinstance(cut, int) else ""
    return f"{found.trials} trials{each}, seed {found.seed}{model}"


def _money(found: Rollout) -> str:
    """Say how well the value is known in money, where that was asked for."""
    rule = found.settings.stop
    half = found.interval()[1] - found.value
    if rule is None or rule.material is None or not isfinite(half):
        return ""
    return f", half the 95 % interval worth {half * rule.stake:.4g} (asked {rule.material:.4g})"
