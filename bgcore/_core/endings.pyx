"""Exact worths of bear-offs of few checkers for any stakes: caps, cube limits, match scores.

The two-sided table of :mod:`two_sided` serves plain money, where one number per unit of cube does for every
level. Other stakes pay differently at each level, so this table holds a number for every state of the cube,
and is filled for the stakes at hand. Gammons are out of the question: both sides have borne checkers off.

An entry's number is the larger of rolling now and of doubling, if the roller may: the opponent then passes,
takes or beavers, whatever is worth least to the roller (as in :mod:`cubeful`). Rolling is worth the mean
over 36 rolls of the best result, and each state chooses its own plays. Sums are float64 in a fixed
order, stored as float32.
"""

from libc.stdint cimport int64_t, uint32_t

cimport cython

import numpy as np

from bgcore._core.board cimport as_position
from bgcore._core.cubeful cimport CubeLevel, CubeModel, CubeOwner, CubeStakes
from bgcore._core.layouts cimport ROLLS, Graph, no_space, roll_weight, set_space
from bgcore._core.two_sided cimport BAND, fill_band

from bgcore.errors import RulesError


cdef struct Fill:
    const uint32_t* start       # a Graph's rolls
    const uint32_t* to
    int64_t size
    int levels
    int stride
    int halves
    bint is_centred             # nobody has the cube at level 0
    double total                # what the worths of both sides add up to
    const CubeStakes* stakes[2]
    float* values
    double* rolled              # room for one entry


cdef inline float* entry_of(const Fill* fill, int side, int64_t mine, int64_t theirs) noexcept nogil:
    return fill.values + fill.stride * ((side * fill.size + mine) * fill.size + theirs)


cdef void roll_out(const Fill* fill, int side, int64_t i, int64_t j) noexcept nogil:
    """What rolling now is worth to ``side``, by states as the side itself counts them: see `fill_entry`."""
    cdef const float* row = entry_of(fill, side ^ 1 if fill.halves == 2 else 0, j, 0)
    cdef const float* after
    cdef const uint32_t* start = fill.start + (fill.size - 1 - i) * ROLLS
    cdef float[LANES] least
    cdef double[LANES] total
    cdef double weight
    cdef int lanes, first, s, roll
    cdef uint32_t k
    for lanes in range(fill.stride // LANES):
        first = lanes * LANES
        for s in range(LANES):
            total[s] = 0.0
        for roll in range(ROLLS):
            after = row + fill.stride * fill.to[start[roll]] + first
            for s in range(LANES):
                least[s] = after[s]
            for k in range(start[roll] + 1, start[roll + 1]):
                after = row + fill.stride * fill.to[k] + first
                for s in range(LANES):
                    least[s] = after[s] if after[s] < least[s] else least[s]
            weight = roll_weight(roll)
            for s in range(LANES):
                total[s] += weight * least[s]
        for s in range(LANES):
            fill.rolled[first + s] = fill.total - total[s] / 36.0


cdef double doubled(const Fill* fill, const CubeStakes* stakes, int level) noexcept nogil:
    """What doubling from a level is worth, the opponent answering best."""
    cdef double worth = min(fill.rolled[2 * level + 2], stakes.levels[level].pass_mine)
    cdef double beavered
    if not stakes.beavers or level + 2 >= fill.levels or not stakes.levels[level + 1].can_theirs:
        return worth
    beavered = max(stakes.levels[level + 1].lose[0], fill.rolled[2 * level + 4])
    if stakes.raccoons and level + 3 < fill.levels and stakes.levels[level + 2].can_mine:
        beavered = max(beavered, min(stakes.levels[level + 2].win[0], fill.rolled[2 * level + 6]))
    return min(worth, beavered)


cdef void fill_side(const Fill* fill, int side, int64_t i, int64_t j) noexcept nogil:
    """Compute an entry.

    Here state ``2 level`` is the other side's cube and ``2 level + 1`` the roller's; it is stored, and read when
    the other side rolls, with these two exchanged.
    """
    cdef const CubeStakes* stakes = fill.stakes[side]
    cdef float* out = entry_of(fill, side, i, j)
    cdef double worth
    cdef int level, state
    roll_out(fill, side, i, j)
    for state in range(fill.stride):
        out[state ^ 1] = <float>fill.rolled[state]
    for level in range(fill.levels - 1):
        if not stakes.levels[level].can_mine:
            continue
        worth = doubled(fill, stakes, level)
        if worth > fill.rolled[2 * level + 1]:
            out[2 * level] = <float>worth
            if level == 0 and fill.is_centred:
                out[1] = <float>worth


cdef void fill_entry(const void* given, int64_t i, int64_t j) noexcept nogil:
    cdef const Fill* fill = <const Fill*>given
    cdef int side
    for side in range(fill.halves):
        fill_side(fill, side, i, j)


cdef void fill_all(const Fill* fill) noexcept nogil:
    """Fill the whole table from below."""
    cdef int64_t k
    cdef int side, level
    cdef float* out
    for side in range(fill.halves):
        for k in range(1, fill.size):
            out = entry_of(fill, side, k, 0)    # the other side has borne off
            for level in range(fill.levels):
                out[2 * level] = out[2 * level + 1] = <float>fill.stakes[side].levels[level].lose[0]
    for k in range((fill.size - 1 + BAND - 1) // BAND):
        fill_band(fill_entry, fill, 1 + k * BAND, min(fill.size, 1 + (k + 1) * BAND))


cdef bint is_same(const CubeStakes* mine, const CubeStakes* theirs) noexcept nogil:
    """Whether both sides play a game without gammons for the same."""
    cdef const CubeLevel* a
    cdef const CubeLevel* b
    cdef int level
    for level in range(mine.count):
        a = &mine.levels[level]
        b = &theirs.levels[level]
        if a.win[0] != b.win[0] or a.lose[0] != b.lose[0] or a.can_mine != b.can_mine or a.pass_mine != b.pass_mine:
            return False
    return True


@cython.final
cdef class Endings:
    """Exact worths of bear-offs of both sides under given stakes, for every state of the cube.

    Parameters
    ----------
    graph : Graph
        Of all layouts of up to ``checkers`` checkers on ``points`` points (`whole_graph`), fewer than 15.
    points, checkers : int
    model : CubeModel
        The stakes; not rescaling.
    is_centred : bool
        Whether nobody has the cube at level 0.

    Raises
    ------
    RulesError
        For stakes whose levels never end, or a graph of another size.
    UnsupportedError
        For points and checkers that cannot be numbered.

    Notes
    -----
    Immutable and thread-safe once made; the GIL is released meanwhile. With 6 points and 5 checkers it takes 0.03
    to 0.1 CPU-seconds, and 6 to 20 MB. Numbers are float32, so off by at
    most some 1e-7 of the largest payoff.
    """

    def __init__(self, Graph graph not None, int points, int checkers, CubeModel model not None, bint is_centred):
        cdef Fill fill
        cdef float[::1] view
        cdef double[::1] room
        if model.mine.is_rescaling:
            raise RulesError("stakes whose levels never end have no table of their own")
        if not set_space(&self.raw.space, points, checkers):
            raise no_space(points, checkers)
        if checkers >= 15 or graph.size != self.raw.space.layouts:
            raise RulesError(f"a table of {checkers} checkers on {points} points needs their graph, and no gammons")
        self.points, self.checkers, self.levels = points, checkers, model.mine.count
        fill.start, fill.to, fill.size = graph.roll_start, graph.roll_to, graph.size
        fill.levels, fill.is_centred, fill.total = model.mine.count, is_centred, model.total
        fill.stakes[0], fill.stakes[1] = &model.mine, &model.theirs
        fill.halves = self.raw.halves = 1 if is_same(&model.mine, &model.theirs) else 2
        fill.stride = self.raw.stride = (2 * fill.levels + LANES - 1) // LANES * LANES
        self.values = np.zeros(fill.halves * graph.size * graph.size * fill.stride, np.float32)
        view, room = self.values, np.zeros(fill.stride)
        fill.values, fill.rolled = &view[0], &room[0]
        self.raw.values = &view[0]
        with nogil:
            fill_all(&fill)
        self.values.setflags(write=False)

    def worth(self, position, int side, int level, int owner):
        """What a position is worth to its roller, doubling included; None if the table does not hold it.

        Parameters
        ----------
        position : Position
            Seen by the side to roll.
        side : int
            0 if that is the side that the stakes were made for, else 1.
        level, owner : int
            Doubles so far, and who has the cube as the roller sees it: 0 nobody, 1 the roller, 2 the other.
        """
        cdef const float* worths = find_ending(&self.raw, side, &as_position(position).board_bits)
        if worths == NULL:
            return None
        if not 0 <= level < self.levels:
            raise RulesError(f"these stakes have levels 0 to {self.levels - 1}, not {level}")
        return worths[ending_state(level, <CubeOwner>owner)]
