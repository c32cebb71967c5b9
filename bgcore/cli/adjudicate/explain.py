"""``bgcore adjudicate explain``: verdicts in plain words."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import json_lines, name_of
from bgcore.cli._output import note, write_file
from bgcore.errors import BgcoreError
from bgcore.wholefile import require_distinct

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgcore.adjudication import Verdict

Lang = Literal["en", "fr", "de"]
Audience = Literal["player", "support", "auditor"]
LANGUAGES = click.Choice(["en", "fr", "de"])
AUDIENCES = click.Choice(["player", "support", "auditor"])


@click.command(
    cls=Command,
    examples=(
        "bgcore adjudicate explain verdicts.jsonl --case G123",
        "bgcore adjudicate explain verdicts.jsonl --case G123 --lang de --html g123.html",
        "bgcore adjudicate one case.json --json | bgcore adjudicate explain - --audience auditor",
    ),
)
@click.argument("verdicts")
@click.option("--case", metavar="ID", help="Of one case only; by default of every verdict.")
@click.option("--lang", type=LANGUAGES, default="en", show_default=True, help="The language.")
@click.option("--audience", type=AUDIENCES, default="player", show_default=True, help="Who is to read it.")
@click.option("--format", "form", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
@click.option("--html", metavar="FILE", help="Write a page, complete in itself, of one verdict.")
@click.option("--names", metavar="WHITE,BLACK", help="What to call the players; by default their colours.")
@click.pass_context
def command(
    ctx: click.Context,
    verdicts: str,
    case: str | None,
    lang: Lang,
    audience: Audience,
    form: str,
    html: str | None,
    names: str | None,
) -> Exit:
    """Explain verdicts in plain words.

    VERDICTS holds one verdict a line, - for standard input. A player learns what became of the game and why; support
    also sees the rule, the codes and the rollout; an auditor also the digests.
    """
    from bgcore import adjudication as adj

    require_distinct({"VERDICTS": verdicts, "--html": html})
    called = read_names(names)
    found = [verdict for _, verdict in json_lines(verdicts) if case is None or verdict.get("case_id") == case]
    if not found:
        raise BgcoreError(f"{name_of(verdicts)} holds no verdict" + (f" on the case {case!r}" if case else ""))
    if html is not None:
        if len(found) > 1:
            raise click.UsageError(
                f"--html writes the page of one verdict, and there are {len(found)}"
                + (": give --case" if case is None else f" on the case {case!r}"),
                ctx,
            )
        write_file(html, adj.explain(found[0], lang, audience=audience, fmt="html", names=called))
        return Exit.DONE
    code = Exit.DONE
    for number, verdict in enumerate(found):
        try:
            text = adj.explain(verdict, lang, audience=audience, fmt=form, names=called)
        except BgcoreError as error:
            note(f"verdict {number + 1}: {error}")
            code = Exit.REJECTED
            continue
        click.echo(("\n" if number else "") + text, nl=False)
    return code


def read_names(text: str | None) -> dict[str, str] | None:
    """Read the names of the players, White's first; None for none."""
    if text is None:
        return None
    white, comma, black = text.partition(",")
    if not comma or not white.strip() or not black.strip():
        raise BgcoreError(f"--names is two names with a comma between, White's first, not {text!r}")
    return {"white": white.strip(), "black": black.strip()}


@dataclass(frozen=True, slots=True)
class Explaining:
    """What the options of another command say about an explanation."""

    lang: Lang | None
    audience: Audience
    html: str | None
    names: str | None

    def show(self, verdict: Verdict) -> str | None:
        """Write the page if one was asked for; return the text if a language was, else None."""
        from bgcore import adjudication as adj

        called, lang = read_names(self.names), self.lang or "en"
        if self.html is not None:
            write_file(self.html, adj.explain(verdict, lang, audience=self.audience, fmt="html", names=called))
        if self.lang is None:
            return None
        return adj.explain(verdict, lang, audience=self.audience, names=called).rstrip("\n")


def explaining_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that choose an explanation; it receives them as one argument, ``explaining``."""

    @functools.wraps(function)
    def inner(*positional: Any, **arguments: Any) -> Any:
        chosen = Explaining(**{name: arguments.pop(name) for name in Explaining.__dataclass_fields__})
        return function(*positional, explaining=chosen, **arguments)

    for option in (
        click.option("--html", metavar="FILE", help="Write a page, complete in itself."),
        click.option("--names", metavar="WHITE,BLACK", help="What to call the players in the explanation."),
        click.option("--audience", type=AUDIENCES, default="player", show_default=True, help="Who is to read it."),
        click.option("--explain", "lang", type=LANGUAGES, help="Explain the ruling in a language."),
    ):
        inner = option(inner)
    return inner
