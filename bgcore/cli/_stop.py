"""Ctrl-C, or a polite request to end, while trials run."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import FrameType


class Stop:
    """Takes Ctrl-C or SIGTERM as a wish: the block in hand is finished and what is done is kept.

    A second one ends at once.

    Attributes
    ----------
    is_asked : bool
        Whether one came.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self._former: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._former[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True
        with suppress(OSError):
            # Not by way of sys.stderr, which may be in the middle of a line. A lost cluster never ends its blocks.
            os.write(2, b"\nending after the blocks in hand; once more ends at once\n")
