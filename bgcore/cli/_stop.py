"""Ctrl-C while trials run."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import FrameType


class Stop:
    """Takes Ctrl-C as a wish: the block in hand is finished and what is done is kept; a second one ends at once.

    Attributes
    ----------
    is_asked : bool
        Whether Ctrl-C was pressed.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self._former: Any = None

    def __enter__(self) -> Self:
        self._former = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._former)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True
