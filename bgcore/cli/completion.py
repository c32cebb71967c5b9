"""``bgcore completion``: the script that lets a shell complete our commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from bgcore.cli._command import Command


@click.command(
    cls=Command,
    examples=(
        "bgcore completion bash > ~/.local/share/bash-completion/completions/bgcore",
        "bgcore completion zsh > ~/.zfunc/_bgcore",
        "bgcore completion fish > ~/.config/fish/completions/bgcore.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    Save it where the shell looks for such scripts, as in the examples, and open a new shell. For zsh, ~/.zfunc has to
    be in fpath before compinit runs.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "bgcore", "_BGCORE_COMPLETE").source())
