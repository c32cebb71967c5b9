"""The entry of ``bgcore``: the table of commands, and what every failure looks like from outside."""

from __future__ import annotations

import io
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgcore._version import __version__
from bgcore.cli._command import LazyGroup, ReaderGoneError, UnusableError, system_reason
from bgcore.cli._exit import Exit

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "adjudicate": ("bgcore.cli.adjudicate", "Settle abandoned games."),
    "plays": ("bgcore.cli.plays", "List the legal plays of a roll."),
    "evaluate": ("bgcore.cli.evaluate", "Estimate the chances of a position."),
    "cube": ("bgcore.cli.cube", "Weigh a double and the answers to it."),
    "race": ("bgcore.cli.race", "Count a race and judge its double."),
    "bearoff": ("bgcore.cli.bearoff", "Build and read bear-off tables."),
    "rollout": ("bgcore.cli.rollout", "Play a position out many times and average the results."),
    "compare": ("bgcore.cli.compare", "Roll out candidates against each other on the same dice."),
    "analyze": ("bgcore.cli.analyze", "Weigh every decision of match records."),
    "show": ("bgcore.cli.show", "Draw a position as text, SVG or PNG."),
    "convert": ("bgcore.cli.convert", "Write an identifier in every other spelling."),
    "info": ("bgcore.cli.info", "Say what is installed, and what its numbers come from."),
    "completion": ("bgcore.cli.completion", "Print a shell's completion script."),
    "man": ("bgcore.cli.man", "Print the manual page."),
}


@click.group(
    name="bgcore",
    cls=LazyGroup,
    lazy=COMMANDS,
    examples=(
        "bgcore plays start 31",
        "bgcore adjudicate one case.json --explain en",
        "bgcore rollout 4HPwATDgc/ABMA --trials 1296",
        "bgcore analyze match.mat --html report.html",
    ),
    epilog="Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 internal failure, "
    "2 usage, 3 something rejected, 4 something undecided, 5 verify mismatch, 130 interrupted.",
)
@click.version_option(__version__, "-V", "--version", prog_name="bgcore", message="%(prog)s %(version)s")
def cli() -> None:
    """Backgammon plays, tables, rollouts, and the settlement of abandoned games."""


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never raises, whatever it is given.

    Parameters
    ----------
    args : sequence of str, optional
        Arguments without the program's name; those of the process by default.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started us, as services do: what goes there is not wanted
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):  # a terminal or file that cannot show a letter is no reason to stop
            stream.reconfigure(errors=errors)
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: print(f"bgcore: {message}", file=sys.stderr)
        return _run(args)


def _run(args: Sequence[str] | None) -> int:
    try:
        result = cli.main(args=None if args is None else list(args), prog_name="bgcore", standalone_mode=False)
        sys.stdout.flush()
        return int(result) if isinstance(result, int) else Exit.DONE
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else "bgcore"
        return _fail(f"{path}: {_sentence(error)}", Exit.USAGE, error, hint=f"{path} --help")
    except (BrokenPipeError, ReaderGoneError):
        # Python would complain when it flushes standard output at exit: give it somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.PIPE
    except click.ClickException as error:
        path = error.path if isinstance(error, UnusableError) else "bgcore"
        return _fail(f"{path}: {error.format_message()}", Exit.USAGE, error)
    except OSError as error:  # where no command speaks yet: a help text or the version on a full disk
        return _fail(f"bgcore: {system_reason(error)}", Exit.USAGE, error)
    except MemoryError as error:
        return _fail("bgcore: there is not enough memory for this", Exit.USAGE, error)
    except (click.Abort, KeyboardInterrupt) as error:
        return _fail("bgcore: interrupted", Exit.INTERRUPTED, error)
    except Exception as error:  # the last line of defence: a fault of ours, told in one line
        message = f"bgcore: internal failure, please report it: {type(error).__name__}: {error}"
        return _fail(message, Exit.INTERNAL, error, hint="BGCORE_DEBUG=1 shows where")


def _sentence(error: click.UsageError) -> str:
    """Click's message without its capital and full stop, to stand behind the command's name."""
    text = " ".join(error.format_message().split()).rstrip(".")
    return text[:1].lower() + text[1:]


def _fail(message: str, code: Exit, error: BaseException, hint: str | None = None) -> Exit:
    if os.environ.get("BGCORE_DEBUG") == "1":
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    print(message, file=sys.stderr)
    if hint is not None:
        print(f"hint: {hint}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
