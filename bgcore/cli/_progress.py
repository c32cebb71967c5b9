"""How long work shows itself: a live line on a terminal, JSON lines on request, nothing in a pipe."""

from __future__ import annotations

import json
import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

import click

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

Mode = Literal["auto", "json", "none"]

progress_option = click.option(
    "--progress",
    "progress_mode",
    type=click.Choice(["auto", "json", "none"]),
    default="auto",
    show_default=True,
    help="On standard error: a bar on a terminal, JSON lines, or nothing.",
)


class Progress:
    """Progress of one piece of work, on standard error.

    Parameters
    ----------
    mode : {"auto", "json", "none"}
        ``auto`` is a bar with the time left if standard error is a terminal that can move its cursor, and
        nothing elsewhere.
    total : int
        How much there is to do.
    unit : str
        Of what, in the plural.
    """

    def __init__(self, mode: Mode, total: int, unit: str) -> None:
        self._total = total
        self._unit = unit
        self._is_json = mode == "json"
        self._begin = time.monotonic()
        self._last = 0.0
        self._bar: Bar | None = None
        if mode == "auto" and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._bar = _rich_bar()
            self._task = self._bar.add_task("", total=total, said="", amount=f"0/{total}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pause()

    def pause(self) -> None:
        """Take the bar away, so that something else can be printed; the next update draws it again."""
        if self._bar is not None:
            self._bar.stop()

    def update(
        self,
        done: int,
        said: str = "",
        *,
        total: int | None = None,
        work: tuple[float, float] | None = None,
        **facts: object,
    ) -> None:
        """Show that ``done`` is done, of a ``total`` that may be known only now.

        ``said`` stands beside the bar, ``facts`` go into the JSON line. ``work``, done and in all, is what the time
        left is worked out from where things take unequally long.
        """
        self._total = self._total if total is None else total
        now_done, now_total = work or (done, self._total)
        if self._bar is not None:
            self._bar.start()  # only now: work that turns out to be no work draws nothing
            amount = f"{done}/{self._total}"
            self._bar.update(self._task, completed=now_done, total=now_total, said=said, amount=amount)
        if not self._is_json:
            return
        now = time.monotonic()
        if now - self._last < 0.2 and done < self._total:
            return
        self._last = now
        seconds = now - self._begin
        left = seconds * (now_total - now_done) / now_done if now_done else None
        line = {"done": done, "total": self._total, "unit": self._unit, "seconds": round(seconds, 3), **facts}
        line["seconds_left"] = None if left is None else round(left, 1)
        print(json.dumps(line), file=sys.stderr, flush=True)


def _rich_bar() -> Bar:
    """Build the bar; rich is imported only when there is a terminal to draw it on."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        BarColumn(bar_width=30),
        TextColumn("{task.fields[amount]}"),
        TextColumn("{task.fields[said]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
    )
