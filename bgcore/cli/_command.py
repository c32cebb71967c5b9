"""How commands look and load: examples first in the help, subcommands imported when they run."""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from typing import TYPE_CHECKING, Any

import click

from bgcore.errors import BgcoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

HELP_OPTIONS = ["-h", "--help"]
BARE_XGID = re.compile(r"-[-A-Pa-p]{25}:")
SETTINGS = {"help_option_names": HELP_OPTIONS, "max_content_width": 80}


class UnusableError(click.ClickException):
    """What a command was given cannot be used; remembers which command said so."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class ReaderGoneError(click.ClickException):
    """Whoever read standard output stopped reading."""


def system_reason(error: OSError) -> str:
    """Say what the system refused, and of which file where it names one."""
    what = "" if error.filename is None else f"{error.filename or 'a file without a name'}: "
    return what + (error.strerror or str(error)).lower()


def _write_opening(
    command: click.Command, examples: Sequence[str], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write the purpose, examples and usage: what a reader wants, in the order of wanting it."""
    text = inspect.cleandoc(command.help or "")
    summary, _, details = text.partition("\n\n")
    formatter.write_text(" ".join(summary.split()))
    if examples:
        with formatter.section("Examples"):
            # Not write_text: an example must stay on one line, so that it can be copied.
            for example in examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")
    formatter.write_paragraph()
    command.format_usage(ctx, formatter)
    if details:
        formatter.write_paragraph()
        formatter.write_text(details)


class Command(click.Command):
    """A command whose help opens with examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", SETTINGS)
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take an XGID without its prefix, which begins with a hyphen, for what it is and not for options.

        Of a rule that this command does not count by, say which commands do.
        """
        try:
            return super().parse_args(ctx, [f"XGID={arg}" if BARE_XGID.match(arg) else arg for arg in args])
        except click.NoSuchOption as error:
            from bgcore.cli._context import FURTHER

            if error.option_name.removeprefix("--").removeprefix("no-").replace("-", "_") not in FURTHER:
                raise
            message = f"there is no {error.option_name} here: bgcore cube, rollout and compare count by such rules"
            raise click.UsageError(message, ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what it cannot use is reported under its name."""
        try:
            return super().invoke(ctx)
        except (UnusableError, ReaderGoneError, click.UsageError):
            raise
        except BgcoreError as error:
            raise UnusableError(ctx.command_path, str(error)) from error
        except click.ClickException as error:
            raise UnusableError(ctx.command_path, error.format_message()) from error
        except BrokenPipeError as error:
            raise ReaderGoneError("nobody reads standard output") from error  # click would end with code 1
        except OSError as error:
            raise UnusableError(ctx.command_path, system_reason(error)) from error

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: purpose, examples, usage, details, options."""
        _write_opening(self, self.examples, ctx, formatter)
        self.format_options(ctx, formatter)
        self.format_epilog(ctx, formatter)


class LazyGroup(click.Group):
    """A group that knows the names and purposes of its subcommands, and imports one only to run it.

    Parameters
    ----------
    lazy : dict
        Name to ``(module, purpose)``; the module holds the command under the name ``command``.
    examples : sequence of str
        Command lines for the top of the help.
    """

    def __init__(
        self, *args: Any, lazy: dict[str, tuple[str, str]], examples: Sequence[str] = (), **kwargs: Any
    ) -> None:
        kwargs.setdefault("context_settings", SETTINGS)
        kwargs.setdefault("no_args_is_help", False)
        super().__init__(*args, **kwargs)
        self.lazy = lazy
        self.examples = tuple(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a subcommand, print the help: asking for it is no mistake."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every subcommand, in the order of the table."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one subcommand; None for an unknown name."""
        if cmd_name not in self.lazy:
            return None
        loaded = importlib.import_module(self.lazy[cmd_name][0]).command
        assert isinstance(loaded, click.Command)
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand, or say which one was probably meant."""
        name = args[0]
        if name not in self.lazy and not name.startswith("-"):
            near = difflib.get_close_matches(name.lower(), self.lazy, n=1, cutoff=0.5)
            hint = f"did you mean '{near[0]}'?" if near else f"one of: {', '.join(self.lazy)}"
            raise click.UsageError(f"there is no command '{name}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: purpose, examples, usage, the subcommands (unloaded), options."""
        _write_opening(self, self.examples, ctx, formatter)
        with formatter.section("Commands"):
            formatter.write_dl([(name, purpose) for name, (_, purpose) in self.lazy.items()])
        # click.Group's own format_options would load every subcommand for its short help.
        click.Command.format_options(self, ctx, formatter)
        self.format_epilog(ctx, formatter)
