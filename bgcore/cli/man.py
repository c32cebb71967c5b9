"""``bgcore man``: the manual page, written from the commands themselves."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import click

from bgcore._version import __version__
from bgcore.cli._command import HELP_OPTIONS, Command, LazyGroup
from bgcore.cli._exit import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

EXIT_MEANINGS = {
    Exit.DONE: "Done: every case is settled, refunded or to be resumed.",
    Exit.INTERNAL: "A fault of bgcore itself.",
    Exit.USAGE: "The command line, a file, an identifier or a policy cannot be used.",
    Exit.REJECTED: "At least one record or input line was rejected; the others were done.",
    Exit.UNDECIDED: "At least one case stayed undecided, and none was rejected.",
    Exit.MISMATCH: "A verdict that was run again came out otherwise.",
    Exit.INTERRUPTED: "Interrupted by Ctrl-C.",
    Exit.PIPE: "Whoever read standard output stopped reading.",
}

VARIABLES = {
    "BGCORE_CACHE": "The folder for generated tables, in place of the user's cache folder.",
    "BGCORE_DEBUG": "With 1, an error shows where it happened.",
    "BGCORE_SIMD": "Forces an instruction set: scalar, avx2, avx512 or neon. Every one computes the same bits.",
    "NO_COLOR": "Set to anything, it turns colours off; so does TERM=dumb.",
}


@click.command(cls=Command, examples=("bgcore man | man -l -", "bgcore man > /usr/local/share/man/man1/bgcore.1"))
@click.pass_context
def command(ctx: click.Context) -> None:
    """Print the manual page."""
    root = ctx.find_root().command
    assert isinstance(root, LazyGroup)
    click.echo("\n".join(_page(root)))


def _escaped(text: str) -> str:
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def _definition(term: str, meaning: str) -> Iterator[str]:
    yield from (".TP", f"\\fB{_escaped(term)}\\fR", _escaped(meaning))


def _page(root: LazyGroup) -> Iterator[str]:
    yield f'.TH BGCORE 1 "" "bgcore {__version__}" "User Commands"'
    yield from (".SH NAME", f"bgcore \\- {_escaped(root.help or '')}")
    yield from (".SH SYNOPSIS", ".B bgcore", "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGS\\fR]...")
    yield ".SH COMMANDS"
    yield from _commands(root, "bgcore")
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_MEANINGS.items():
        yield from _definition(str(int(code)), meaning)
    yield ".SH ENVIRONMENT"
    for name, meaning in VARIABLES.items():
        yield from _definition(name, meaning)


def _commands(group: LazyGroup, prefix: str) -> Iterator[str]:
    ctx = click.Context(group, info_name=prefix)
    for name in group.list_commands(ctx):
        child = group.get_command(ctx, name)
        assert isinstance(child, (Command, LazyGroup))
        path = f"{prefix} {name}"
        inner = click.Context(child, info_name=path, help_option_names=HELP_OPTIONS)
        yield f".SS {path} {_escaped(' '.join(child.collect_usage_pieces(inner)))}"
        for paragraph in inspect.cleandoc(child.help or "").split("\n\n"):
            yield from (".PP", _escaped(paragraph))
        for parameter in child.get_params(inner):
            record = parameter.get_help_record(inner) if isinstance(parameter, click.Option) else None
            if record is not None:
                yield from _definition(*record)
        for example in child.examples:
            yield from (".PP", ".nf", _escaped(example), ".fi")
        if isinstance(child, LazyGroup):
            yield from _commands(child, path)
