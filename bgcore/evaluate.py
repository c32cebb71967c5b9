"""What a position is worth: probabilities of every outcome for the side to move, before its roll."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore import bearoff
from bgcore._core import Network, Position, checked_boards, is_any_bearoff, looked_ahead, outcomes, outcomes_batch
from bgcore.errors import ArgumentError, require, whole
from bgcore.namesake import speak_for

# How far a look-ahead may go; each ply costs 21 times the one before.
MOST_PLIES = 3
MOST_WORKERS = 1024


@dataclass(frozen=True, slots=True)
class Probabilities:
    """Chances of the side to move, before its roll, to win and to lose, and by how much.

    Cumulative, in gnubg's order: a backgammon counts as a gammon too, a gammon as a win too.

    Attributes
    ----------
    win, win_gammon, win_backgammon : float
        Chances to win at all, at least a gammon, a backgammon.
    lose_gammon, lose_backgammon : float
        Chances to lose at least a gammon, a backgammon. The chance to lose at all is ``1 - win``.
    basis : str
        What answered: ``"finished"`` (the game is over), ``"two-sided table"`` (exact),
        ``"one-sided table"`` (both sides bear off for speed alone: up to 0.01 off) or ``"network"``.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float
    basis: str = "network"

    @property
    def equity(self) -> float:
        """Cubeless equity in points: what the side to move wins on average, the cube at 1."""
        return 2 * self.win - 1 + self.win_gammon + self.win_backgammon - self.lose_gammon - self.lose_backgammon

    def flip(self) -> Probabilities:
        """Return the same chances seen by the other side."""
        return Probabilities(
            1 - self.win,
            self.lose_gammon,
            self.lose_backgammon,
            self.win_gammon,
            self.win_backgammon,
            self.basis,
        )

    def as_tuple(self) -> tuple[float, float, float, float, float]:
        """Return win, win gammon, win backgammon, lose gammon, lose backgammon."""
        return self.win, self.win_gammon, self.win_backgammon, self.lose_gammon, self.lose_backgammon


@dataclass(frozen=True, slots=True)
class Evaluator:
    """An evaluation network and the ways to ask it; immutable, for any number of threads.

    Parameters
    ----------
    network : Network, optional
        The weights; those that come with bgcore unless given.
    """

    network: Network = field(default_factory=Network.default)

    def __post_init__(self) -> None:
        require(self.network, Network, "an evaluator asks a Network")
        if not self.network.digest:  # made by __new__ alone, behind the back of its readers
            raise ArgumentError("this Network holds no weights: make it by Network.from_bytes() or Network.default()")

    @staticmethod
    def default() -> Evaluator:
        """Return the evaluator with the weights that come with bgcore.

        Raises
        ------
        DataError
            If the weights are missing, damaged or of another version.
        """
        return Evaluator()

    @property
    def digest(self) -> str:
        """SHA-256 of the weights: equal digests give equal numbers on every machine."""
        return self.network.digest

    def evaluate(self, position: Position, plies: int = 0) -> Probabilities:
        """Evaluate one position; see :func:`evaluate`."""
        if not isinstance(position, Position):
            raise ArgumentError(f"a Position is evaluated, not {type(position).__name__}")
        plies = whole(plies, "plies", 0, MOST_PLIES)
        if position.outcome:
            basis, six = "finished", outcomes(self.network, position)
        elif position.is_race and position in (tables := bearoff.default()).one:
            if position in tables.two:
                return Probabilities(tables.two.entry(position)[0], 0.0, 0.0, 0.0, 0.0, "two-sided table")
            basis, six = "one-sided table", tables.one.outcomes(position)
        elif plies:
            tables = bearoff.default()
            (six,) = looked_ahead(self.network, [position], plies, one=tables.one, two=tables.two)
            basis = "network"
        else:
            basis, six = "network", outcomes(self.network, position)
        return Probabilities(six[0] + six[1] + six[2], six[1] + six[2], six[2], six[4] + six[5], six[5], basis)

    def evaluate_batch(self, boards: ArrayLike, *, workers: int = 1) -> NDArray[np.float32]:
        """Evaluate many positions; see :func:`evaluate_batch`."""
        rows = checked_boards(boards)
        workers = whole(workers, "workers", 1, MOST_WORKERS)
        answers = np.empty((len(rows), 5), dtype=np.float32)
        tables = bearoff.default() if is_any_bearoff(rows, 6, 15) else None
        known = (tables.one, tables.two) if tables else ()
        if workers == 1:
            outcomes_batch(self.network, rows, answers, *known)
            return answers
        edges = [len(rows) * part // workers for part in range(workers + 1)]
        with ThreadPoolExecutor(workers) as pool:
            parts = [
                pool.submit(outcomes_batch, self.network, rows[low:high], answers[low:high], *known)
                for low, high in pairwise(edges)
            ]
            for part in parts:
                part.result()
        return answers


def evaluate(position: Position, plies: int = 0) -> Probabilities:
    """Evaluate a position: the side to move, before its roll, cubeless.

    Parameters
    ----------
    position : Position
        Seen by the side to move. A finished game is answered with its result.
    plies : int, default 0
        Rolls to look ahead where no table answers: 0 asks the network once, 1 averages over the 21
        rolls and the play chosen for each, the best at 0 plies of those that the filter lets through,
        2 does so once more. (gnubg counts the same way; XG and bgsage
        call these 1, 2 and 3.)

    Returns
    -------
    Probabilities

    Raises
    ------
    RulesError
        If ``plies`` is not 0, 1, 2 or 3.
    DataError
        If the network's weights are missing, damaged or of another version.

    Notes
    -----
    The network was trained from self-play only. Its arithmetic is in integers and float64 of a fixed
    order: the same position gives the same bits on every machine. About 2 microseconds at 0 plies,
    an eighth of a millisecond at 1, each further one 21 times as long; thread-safe, and without the GIL
    while it computes.

    Examples
    --------
    >>> import bgcore
    >>> 0.5 < bgcore.evaluate(bgcore.Position.starting()).win < 0.56
    True
    """
    return Evaluator.default().evaluate(position, plies)


def evaluate_batch(boards: ArrayLike, *, workers: int = 1) -> NDArray[np.float32]:
    """Evaluate many positions at once, at 0 plies.

    Parameters
    ----------
    boards : (n, 26) array of int
        Each row a board seen by its side to move; see :meth:`Position.from_board`. Fastest as
        C-contiguous int8. Finished games are answered with their result.
    workers : int, default 1
        Threads. The answers do not depend on their number.

    Returns
    -------
    (n, 5) float32 array
        Win, win gammon, win backgammon, lose gammon, lose backgammon: cumulative chances of the
        side to move, before its roll.

    Raises
    ------
    PositionError
        If a row is not a legal board; the message names the first such row and its faults.
    RulesError
        If ``workers`` is not a whole number from 1 to 1024.
    DataError
        If the network's weights are missing, damaged or of another version.

    Notes
    -----
    More than a million positions a second on one core with AVX2; the GIL is released, and C-contiguous int8 is read
    where it lies: no other thread may change ``boards`` meanwhile.
    """
    return Evaluator.default().evaluate_batch(boards, workers=workers)


speak_for(evaluate)
