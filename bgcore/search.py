"""The plays of a roll, best first, as many rolls ahead as asked: all of them at first, then only the likely ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from types import NoneType
from typing import Any, Final

import numpy as np

from bgcore import bearoff
from bgcore._core import Network, Play, Position, legal_plays, looked_ahead
from bgcore.errors import RulesError, require, shown, whole
from bgcore.evaluate import Probabilities, evaluate_batch
from bgcore.stakes import Stakes

MOST_PLIES: Final = 3
_MONEY: Final = (1.0, 2.0, 3.0, -1.0, -2.0, -3.0)


@dataclass(frozen=True, slots=True)
class MoveFilter:
    """Which plays are looked at one ply deeper.

    Parameters
    ----------
    keep : int
        At most so many, 1 or more; the best always.
    margin : float
        Only those at most so far behind the best, in points (or in the unit of the stakes).

    Raises
    ------
    RulesError
        If a number is out of range.
    """

    keep: int
    margin: float

    def __post_init__(self) -> None:
        if isinstance(self.keep, bool) or not isinstance(self.keep, int) or self.keep < 1:
            raise RulesError(f"a move filter keeps a whole number of plays, 1 or more, not {shown(self.keep)}")
        try:
            is_margin = isfinite(self.margin) and self.margin >= 0
        except (TypeError, OverflowError):
            is_margin = False
        if not is_margin:
            raise RulesError(f"the margin of a move filter is a number from 0 on, not {shown(self.margin)}")


FILTERS: Final = (MoveFilter(8, 0.16), MoveFilter(3, 0.06), MoveFilter(2, 0.03))
"""The default filters: from 0 to 1 ply, from 1 to 2, from 2 to 3."""


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play and what it is worth to the side that makes it.

    Parameters
    ----------
    play : Play
    probabilities : Probabilities
        Of the side that plays, after the play.
    worth : float
        Cubeless: in points, or what the stakes pay without further cube actions.
    plies : int
        How many rolls ahead that was worked out.
    """

    play: Play
    probabilities: Probabilities
    worth: float
    plies: int

    def __repr__(self) -> str:
        return f"RankedPlay({str(self.play) or 'no move'}: {self.worth:+.4f}, {self.plies}-ply)"

    def to_dict(self) -> dict[str, Any]:
        """Return the play and its worth as JSON values."""
        names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
        return {
            "play": str(self.play),
            "plies": self.plies,
            "worth": self.worth,
            "probabilities": {name: getattr(self.probabilities, name) for name in names},
        }


class Ranking(tuple[RankedPlay, ...]):
    """Plays from best to worst: a tuple that a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from bgcore.render.notebook import ranking_html

        return ranking_html(self)


def rank_plays(
    position: Position,
    dice: tuple[int, int],
    plies: int = 0,
    *,
    stakes: Stakes | None = None,
    filters: Sequence[MoveFilter] = FILTERS,
) -> tuple[RankedPlay, ...]:
    """List the plays of a roll from best to worst.

    Parameters
    ----------
    position : Position
        Seen by the side that rolled.
    dice : (int, int)
    plies : int, default 0
        0 to 3 rolls of look-ahead after the play; 0 asks the network once. (gnubg counts the same way; XG and
        bgsage start at 1.)
    stakes : Stakes, optional
        What outcomes pay; by default points. Cubeless: the cube stays where it is.
    filters : sequence of MoveFilter
        One for each ply: which plays go on to the next depth.

    Returns
    -------
    tuple of RankedPlay
        Those looked at most deeply first, each depth by worth; empty when there is no legal play. Of
        plays of equal worth the one that `legal_plays` lists first comes first.

    Raises
    ------
    RulesError, DiceError
        If a number is out of range, or there are fewer filters than plies.

    Notes
    -----
    At 0 plies about 0.15 milliseconds, at 1 half a one, at 2 four; thread-safe. The answer depends on the
    arguments alone.
    """
    plies = whole(plies, "plies", 0, MOST_PLIES)
    require(stakes, (Stakes, NoneType), "plays are weighed for Stakes")
    require(filters, Sequence, "the move filters are a list of them, one for each ply")
    if len(filters) < plies:
        raise RulesError(f"{plies} plies need {plies} move filters, one for each, not {len(filters)}")
    plays = legal_plays(position, dice)
    if not plays:
        return Ranking()
    utility = _MONEY if stakes is None else tuple(float(value) for value in stakes.table[0, :6])
    theirs = [-utility[(k + 3) % 6] for k in range(6)]
    boards = np.array([play.result.flip().board for play in plays])
    static = evaluate_batch(boards).astype(np.float64).tolist()
    ranked = [_ranked(play, utility, _exclusive(row), 0) for play, row in zip(plays, static, strict=True)]
    ranked.sort(key=lambda one: -one.worth)
    network, tables = Network.default(), bearoff.default()
    done: list[RankedPlay] = []
    for depth in range(1, plies + 1):
        chosen = filters[depth - 1]
        kept = [one for one in ranked[: chosen.keep] if one.worth >= ranked[0].worth - chosen.margin]
        done = ranked[len(kept) :] + done
        results = [one.play.result.flip() for one in kept]
        ahead = looked_ahead(network, results, depth, theirs, 0, tables.one, tables.two)
        ranked = [_ranked(one.play, utility, six, depth) for one, six in zip(kept, ahead, strict=True)]
        ranked.sort(key=lambda one: -one.worth)
    return Ranking((*ranked, *done))


def _exclusive(row: Sequence[float]) -> tuple[float, ...]:
    """Return five cumulative chances as six exclusive ones."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = row
    return (
        win - gammon,
        gammon - backgammon,
        backgammon,
        1.0 - win - lose_gammon,
        lose_gammon - lose_backgammon,
        lose_backgammon,
    )


def _ranked(play: Play, utility: Sequence[float], six: Sequence[float], plies: int) -> RankedPlay:
    """Make the ranked play of the opponent's six outcomes after it."""
    mine = [six[(k + 3) % 6] for k in range(6)]
    chances = Probabilities(mine[0] + mine[1] + mine[2], mine[1] + mine[2], mine[2], mine[4] + mine[5], mine[5])
    return RankedPlay(play, chances, sum(p * worth for p, worth in zip(mine, utility, strict=True)), plies)
