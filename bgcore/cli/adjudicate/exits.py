"""``bgcore adjudicate exits``: who left how often, and between whom money went one way."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import json_lines, name_of
from bgcore.cli._options import json_option
from bgcore.cli._output import note, table, write_json
from bgcore.cli.adjudicate._cases import case_lines
from bgcore.errors import BgcoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgcore.adjudication.exits import Amount, Exits, OneWay, PlayerExits
    from bgcore.adjudication.record import Record

PLAYER_HEAD = (
    "player", "exits", "both away", "ahead", "level", "behind", "unknown",
    "mean points", "mean match", "paid", "received",
)  # fmt: skip
PAIR_HEAD = ("payer", "payee", "settlements", "payer left", "payee left", "moved")


@click.command(
    cls=Command,
    examples=(
        "bgcore adjudicate exits verdicts.jsonl cases.jsonl",
        "bgcore adjudicate exits may.jsonl may-cases.csv june.jsonl june-cases.csv --least 5",
        "bgcore adjudicate exits verdicts.jsonl cases.jsonl --player anna --json",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="VERDICTS CASES...")
@click.option("--player", metavar="NAME", help="Of one player only, by the exact name.")
@click.option(
    "--least",
    type=click.IntRange(1),
    help="From how many exits on a player is listed. [default: 2, with --player 1]",
)
@json_option
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], player: str | None, least: int | None, is_json: bool) -> Exit:
    """Count who left how often, and between whom money went one way.

    VERDICTS holds one verdict a line, - for standard input, and the CASES after it the records in the same order, as
    batch reads them, a .csv file too: only they hold the players' names, in meta.names. More such pairs of files may
    follow. VERDICTS alone is counted, and nobody is named.

    A player left if he was away when the game was ended; games to be resumed, rejected records and absences laid to the
    server are not counted. Ahead, level and behind go by what the game was worth to him before the policy's rules: more
    than nothing in money, more than an even chance in a match. An estimate whose 95 % interval holds that mark is
    level; unknown is where the policy did not ask. Mean points are those of money games, the cube included, and mean
    match is the chance to win the match. Paid and received is what those settlements moved between the players, before
    rake and fees; the prizes of matches are not in it.

    Below stand the pairs of players with two settlements or more whose money went from the same one to the other each
    time, whoever left. All of these are counts, and say nothing about why.
    """
    from bgcore.adjudication.exits import Exits

    if len(files) > 1 and len(files) % 2:
        raise click.UsageError("files go in pairs: after each file of verdicts the one of its cases", ctx)
    if files.count("-") > 1:
        raise click.UsageError("standard input can be one of the files, not two", ctx)
    found, code = Exits(), Exit.DONE
    for verdicts, cases in zip_longest(files[::2], files[1::2]):
        code = max(code, _read(found, verdicts, cases))
    if least is None:
        least = 2 if player is None else 1
    players, pairs = found.players(least, player), found.one_way(player)
    if is_json:
        write_json("exits", found.to_dict())
        for one in players:
            write_json("exits_player", one.to_dict())
        for pair in pairs:
            write_json("exits_one_way", pair.to_dict())
    else:
        click.echo("\n\n".join(_sections(found, players, pairs, least, player)))
    return code


def _read(found: Exits, verdicts: str, cases: str | None) -> Exit:
    """Count a file of verdicts line by line; a line that cannot be counted is named and passed over."""
    code = Exit.DONE
    with nullcontext(()) if cases is None else case_lines(cases) as lines:
        for place, (given, line) in enumerate(zip_longest(json_lines(verdicts), lines), 1):
            if given is None or (cases is not None and line is None):
                raise BgcoreError(f"{name_of(verdicts)} and {cases} differ in number: they are read line by line")
            number, verdict = given
            try:
                record = None
                if cases is not None and verdict.get("status") not in ("rejected", "resume"):
                    record = _record(line, place, cases)
                found.add(verdict, record)
            except BgcoreError as error:
                note(f"{name_of(verdicts)}, line {number}: {error}")
                code = Exit.REJECTED
    return code


def _record(line: str, place: int, cases: str) -> Record:
    """Read a case; verdicts in its place are files out of order, and that is not one line's fault."""
    from bgcore.adjudication.batch import parse_line
    from bgcore.adjudication.record import Record
    from bgcore.adjudication.verdict import SCHEMA

    document = parse_line(line, place)
    if isinstance(document, dict) and document.get("schema") == SCHEMA:
        raise click.ClickException(
            f"{name_of(cases)} holds verdicts: after each file of verdicts goes that of its cases"
        )
    return Record.from_dict(document, value_only=True)


def _sections(
    found: Exits, players: Sequence[PlayerExits], pairs: Sequence[OneWay], least: int, player: str | None
) -> list[str]:
    """Write what was counted as tables, and sentences where there is nothing to list."""
    sections = [_summary(found)]
    if players:
        sections.append(table(PLAYER_HEAD, [_player_row(one) for one in players], " rrrrrrrrrr"))
    else:
        whose = "" if player is None else f" of {_shown(player)}"
        sections.append(f"exits{whose}, from {least} on: none")
    title = "two settlements or more, the money one way each time:"
    if pairs:
        sections.append(f"{title}\n" + table(PAIR_HEAD, [_pair_row(pair) for pair in pairs], "  rrrr"))
    else:
        sections.append(f"{title} no pair" + ("" if player is None else f" with {_shown(player)}"))
    return sections


def _summary(found: Exits) -> str:
    lines = [f"verdicts: {found.verdicts}, exits: {found.exits}"]
    if found.unnamed:
        lines.append(f"exits without a name in the record: {found.unnamed}; they are in nobody's count")
    if found.server_faults:
        lines.append(f"absences laid to the server: {found.server_faults}; they are nobody's exit")
    if found.reviews:
        lines.append(f"verdicts that name an earlier one: {found.reviews}; where both are here, both are counted")
    return "\n".join(lines)


def _player_row(one: PlayerExits) -> list[str]:
    counts = (one.exits, one.both_away, one.ahead, one.level, one.behind, one.unknown)
    points = "-" if one.mean_points is None else f"{one.mean_points:+.3f}"
    match = "-" if one.mean_mwc is None else f"{100 * one.mean_mwc:.2f} %"
    return [_shown(one.player), *map(str, counts), points, match, _amounts(one.paid), _amounts(one.received)]


def _pair_row(pair: OneWay) -> list[str]:
    counts = (pair.settlements, pair.payer_left, pair.payee_left)
    return [_shown(pair.payer), _shown(pair.payee), *map(str, counts), _amounts(pair.moved)]


def _amounts(amounts: Sequence[Amount]) -> str:
    return ", ".join(map(str, amounts)) or "-"


def _shown(name: str) -> str:
    """Write a name from outside so that it stays in its cell; what no terminal should act on becomes an escape."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in name
    )
