"""``bgcore adjudicate one``: one abandoned game, from a record or from an identifier and flags."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import read_match_or_json
from bgcore.cli._options import board_option, json_option
from bgcore.cli._output import note, write_document
from bgcore.cli._progress import Mode, Progress, progress_option
from bgcore.cli.adjudicate._record import Flags, flag_name
from bgcore.cli.adjudicate._ruling import CODES, board_lines, fault_lines, ruling_lines, value_parts
from bgcore.cli.adjudicate.explain import Explaining, explaining_options
from bgcore.wholefile import require_distinct

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command(
    cls=Command,
    examples=(
        "bgcore adjudicate one case.json --policy play65",
        "bgcore adjudicate one --position-id AQAAgAAAAAAAAA --cube 2:black --stake 1.00 --currency EUR "
        "--away black --absent 200",
        "bgcore adjudicate one --gnubg AQAAgAAAAAAAAA --match 5 --score 3-3 --prize 100/0 --away white --absent 200",
        "bgcore adjudicate one --position-id AQAAgAAAAAAAAA --cube 2:white --pending double:white --stake 1.00 "
        "--currency EUR --away black --absent 200",
        "bgcore adjudicate one match.mat --prize 100/0 --away white --absent 200",
        "bgcore adjudicate one - --json < case.json",
        "bgcore adjudicate one case.json --explain fr --html case.html",
    ),
)
@click.argument("record", required=False)
@click.option("--xgid", metavar="XGID", help="The position as an XGID.")
@click.option("--position-id", metavar="ID", help="The position as a Position ID, or in any other spelling.")
@click.option("--gnubg", metavar="ID", help="The position as PositionID:MatchID, or a Position ID alone.")
@click.option("--on-roll", type=click.Choice(["white", "black"]), default="white", show_default=True)
@click.option("--dice", metavar="ROLL", help="The roll that was thrown and not played, such as 65.")
@click.option("--pending", metavar="OFFER:BY", help="An open offer: double:white, beaver:black or resign:black:1.")
@click.option("--cube", metavar="VALUE:OWNER", help="The cube, such as 2:white; none for no cube.")
@click.option("--cube-limit", type=click.IntRange(0), metavar="VALUE", help="How high it may go; 0 for no limit.")
@click.option("--match", type=click.IntRange(1, 64), metavar="POINTS", help="The length of the match.")
@click.option("--score", metavar="WHITE-BLACK", help="The score of the match, such as 3-3.")
@click.option("--crawford", type=click.Choice(["auto", "yes", "no", "post"]), default="auto", show_default=True)
@click.option("--prize", metavar="WINNER/LOSER", help="What winner and loser of the match are paid, such as 100/0.")
@click.option("--stake", metavar="MONEY", help="What one point is worth, such as 1.00.")
@click.option("--currency", metavar="CODE", help="Of stake, limit and prize, such as EUR.")
@click.option("--limit", metavar="MONEY", help="The most that a side can lose in the game.")
@click.option("--jacoby/--no-jacoby", default=None, help="Gammons count single before the first double.")
@click.option("--beavers/--no-beavers", default=None, help="The side doubled may turn the cube at once.")
@click.option("--gammon-rule", type=click.Choice(["standard", "portal_home_only", "manual_garlando"]))
@click.option("--bearoff-rule", type=click.Choice(["standard", "highest_first"]))
@click.option("--away", type=click.Choice(["white", "black", "both"]), help="Who was gone.")
@click.option("--absent", metavar="SECONDS", help="For how long; WHITE,BLACK if both were gone unequally long.")
@click.option("--cause", type=click.Choice(["player", "server", "unknown"]), default="player", show_default=True)
@click.option(
    "--policy", metavar="NAME|FILE", help="A shipped policy or a TOML file. [default: the record's, or play65]"
)
@click.option(
    "--precision", type=click.Choice(["draft", "standard", "official"]), help="How hard to work on a rollout."
)
@click.option("--value-only", is_flag=True, help="Say what the position is worth, whoever was gone.")
@click.option("--workers", type=click.IntRange(1), help="Threads of a rollout.")
@explaining_options
@board_option
@progress_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    record: str | None,
    xgid: str | None,
    position_id: str | None,
    gnubg: str | None,
    policy: str | None,
    precision: str | None,
    value_only: bool,
    workers: int | None,
    explaining: Explaining,
    has_board: bool,
    progress_mode: Mode,
    is_json: bool,
    **flags: Any,
) -> Exit:
    """Settle one abandoned game.

    The case is a RECORD (a JSON file, or a match file whose last game is unfinished; - reads either from standard
    input), or an identifier and flags. Points and colours are White's and Black's; White is the left column of a match
    file, and --on-roll says who moves in an identifier. Exit code 0 says that the case is settled, refunded or to be
    resumed, 3 that the record was rejected, 4 that a person has to decide.
    """
    from bgcore.codecs.match import Match

    identifiers = [text for text in (xgid, position_id, gnubg) if text is not None]
    if len(identifiers) + (record is not None) != 1:
        raise click.UsageError("give one case: a RECORD, --xgid, --position-id or --gnubg", ctx)
    require_distinct({"RECORD": record, "--html": explaining.html})
    if is_json and explaining.lang is not None:
        raise click.UsageError("--json prints the verdict and --explain a text: give one; --html writes a page", ctx)
    given: Any = None if record is None else read_match_or_json(record)
    said = Flags(**flags)
    place: Callable[[str], str] = said.place
    if isinstance(given, Match):
        fixed = [name for name in ("dice", "pending", "cube", "match", "score") if flags[name] is not None]
        if fixed:
            raise click.UsageError(f"the match file says this itself: leave out {_flag_names(fixed)}", ctx)
        document = said.case(given, value_only=value_only)
    elif record is not None:
        extra = [name for name in flags if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE]
        if extra:
            raise click.UsageError(f"a RECORD says this itself: leave out {_flag_names(extra)}", ctx)
        document, place = given, str
    else:
        if flags["away"] is None and not value_only:
            raise click.UsageError("say who was gone with --away and --absent, or ask for the --value-only", ctx)
        document = said.document(identifiers[0])
    return _judge(
        document, place, policy, precision, value_only, workers, explaining, has_board, progress_mode, is_json
    )


def _flag_names(names: list[str]) -> str:
    return ", ".join(map(flag_name, names))


def _judge(  # the arguments of the command, once the case is known
    document: Any,
    place: Callable[[str], str],
    policy: str | None,
    precision: str | None,
    value_only: bool,
    workers: int | None,
    explaining: Explaining,
    has_board: bool,
    progress_mode: Mode,
    is_json: bool,
) -> Exit:
    from bgcore import adjudication as adj

    resolved = None if policy is None else adj.load_policy(policy)
    try:
        record = adj.Record.from_dict(document, value_only=value_only)
    except adj.RecordError as error:
        if is_json:
            write_document({"status": "rejected", "errors": error.to_list()})
        note("bgcore adjudicate one: the record is rejected\n" + fault_lines(error.errors, place))
        return Exit.REJECTED
    drawn = board_lines(record) + "\n\n" if has_board else ""
    if value_only:
        from bgcore.adjudication.verdict import resolve

        with Progress(progress_mode, 0, "trials") as shown:
            whole = resolve(record, resolved, precision)
            value = adj.value(record, whole, workers=workers, progress=partial(_show, shown))
        if is_json:
            write_document(value.to_dict())
        else:
            click.echo(drawn + " · ".join([value.basis, *value_parts(value)]))
        return Exit.DONE
    with Progress(progress_mode, 0, "trials") as shown:
        verdict = adj.adjudicate(record, resolved, precision=precision, workers=workers, progress=partial(_show, shown))
    explained = explaining.show(verdict)
    if is_json:
        write_document(verdict.to_dict())
    else:
        click.echo(explained or drawn + ruling_lines(verdict))
    return CODES.get(verdict.status, Exit.DONE)


def _show(shown: Progress, done: int, total: int, value: float) -> None:
    """Show the trials done, those until the precision is looked at next, and the value so far."""
    shown.update(done, f"{value:+.4f}", total=total, value=value)
