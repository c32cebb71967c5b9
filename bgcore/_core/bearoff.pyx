"""Bear-off tables in memory: typed views over arrays that a file or a fill made, and what they say of a position."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

import numpy as np

from bgcore._core.board cimport Position, as_position
from bgcore._core.layouts cimport Space, index_mine, index_theirs, no_space, set_space

from bgcore.errors import DataError, UnsupportedError


def count_layouts(int points, int checkers):
    """How many layouts up to ``checkers`` checkers on ``points`` points have; UnsupportedError beyond 2^23."""
    cdef Space space
    if not set_space(&space, points, checkers):
        raise no_space(points, checkers)
    return space.layouts


cdef int set_distributions(Distributions* out, object arrays, int64_t rows) except -1:
    """Point at arrays of the shapes that fill_one_sided makes; the caller keeps them alive."""
    mean, start, shift, bounds, chances = arrays
    if (
        mean.shape != (rows,) or start.shape != (rows + 1,) or shift.shape != (rows,) or bounds.shape != (rows, 2)
        or chances.shape != (int(start[rows]),) or (rows and bool((start[1:] < start[:rows]).any()))
    ):
        raise DataError("the arrays of a one-sided table do not fit together")
    cdef const double[::1] means = mean
    cdef const uint32_t[::1] starts = start
    cdef const uint8_t[::1] shifts = shift
    cdef const uint8_t[:, ::1] bound_pairs = bounds
    cdef const float[::1] values = chances
    out.start = &starts[0]
    if rows:
        out.mean, out.shift, out.bounds, out.chances = &means[0], &shifts[0], &bound_pairs[0, 0], &values[0]
    return 0


cdef object row_of(const Distributions* table, int64_t row):
    """One row: chances by number of rolls from 0 on, mean, fewest and most rolls."""
    cdef uint32_t k, first = table.start[row], last = table.start[row + 1]
    cdef int shift = table.shift[row]
    chances = np.zeros(shift + last - first)
    cdef double[::1] out = chances
    for k in range(first, last):
        out[shift + k - first] = table.chances[k]
    chances.setflags(write=False)
    return chances, table.mean[row], table.bounds[2 * row], table.bounds[2 * row + 1]


cdef double not_done(const Distributions* table, int64_t row, int rolls) noexcept nogil:
    """The chance that a thing takes more than a number of rolls."""
    cdef double total = 0.0
    cdef uint32_t k
    for k in range(table.start[row], table.start[row + 1]):
        if table.shift[row] + <int>(k - table.start[row]) > rolls:
            total += table.chances[k]
    return total


cdef void race(
    const OneSided* table, int64_t mine, int64_t theirs, int head_start, double* win, double* gammon
) noexcept nogil:
    """Chances that ``mine`` is done while ``theirs`` has had ``head_start`` less rolls, and has none off."""
    cdef const Distributions* rolls = &table.all_off
    cdef uint32_t k
    cdef int n
    win[0] = gammon[0] = 0.0
    for k in range(rolls.start[mine], rolls.start[mine + 1]):
        n = rolls.shift[mine] + <int>(k - rolls.start[mine])
        win[0] += rolls.chances[k] * not_done(rolls, theirs, n - head_start)
        if theirs >= table.base:
            gammon[0] += rolls.chances[k] * not_done(&table.first_off, theirs - table.base, n - head_start)


cdef void one_sided_outcomes(const OneSided* table, int64_t mine, int64_t theirs, double* out) noexcept nogil:
    """Six exclusive outcomes (win single, gammon, backgammon, lose single ...) if both sides only hurry.

    Each side is taken to play for few rolls, whatever the other does, and the two distributions are
    combined as independent: not exact (up to 0.01 in the chance to win), unlike the two-sided table.
    """
    cdef double win, lose, win_gammon, lose_gammon, total
    race(table, mine, theirs, 1, &win, &win_gammon)
    race(table, theirs, mine, 0, &lose, &lose_gammon)
    # Stored chances add up to 1 only to float32 precision.
    win_gammon, lose_gammon = min(win_gammon, win), min(lose_gammon, lose)
    total = win + lose
    out[0], out[1], out[2] = (win - win_gammon) / total, win_gammon / total, 0.0
    out[3], out[4], out[5] = (lose - lose_gammon) / total, lose_gammon / total, 0.0


cdef object absent(str kind, int points, int checkers):
    """The error for a position that a table does not hold."""
    return UnsupportedError(f"the {kind} table of {checkers} checkers on {points} points does not hold this position")


cdef class OneSidedTable:
    """How many rolls each layout needs to bear off all checkers, and the first of 15; see `bgcore.bearoff`.

    Immutable and thread-safe. ``arrays`` are those of fill_one_sided. Pickles with its numbers.
    """

    def __init__(self, int points, int checkers, arrays):
        if not set_space(&self.raw.space, points, checkers):
            raise no_space(points, checkers)
        self.points, self.checkers, self.arrays = points, checkers, arrays
        self.raw.base = self.raw.space.term[points][15] if checkers == 15 else self.raw.space.layouts
        set_distributions(&self.raw.all_off, arrays[0], self.raw.space.layouts)
        set_distributions(&self.raw.first_off, arrays[1], self.raw.space.layouts - self.raw.base)

    def __contains__(self, position):
        return in_one_sided(&self.raw, &as_position(position).board_bits)

    def holds_mine(self, position):
        """Whether the layout of the side to move is in the table, wherever the opponent stands."""
        return is_mine_within(&as_position(position).board_bits, self.points, self.checkers)

    def rows(self, position):
        """The side to move: (all off, first off or None), each (chances, mean, fewest, most)."""
        cdef Position given = as_position(position)
        cdef int64_t index
        if not self.holds_mine(position):
            raise absent("one-sided", self.points, self.checkers)
        index = index_mine(&self.raw.space, &given.board_bits)
        first = row_of(&self.raw.first_off, index - self.raw.base) if index >= self.raw.base else None
        return row_of(&self.raw.all_off, index), first

    def outcomes(self, position):
        """Six exclusive chances (win single, gammon, backgammon, lose single ...), by one-sided play."""
        cdef Position given = as_position(position)
        cdef double out[6]
        if position not in self:
            raise absent("one-sided", self.points, self.checkers)
        one_sided_outcomes(
            &self.raw,
            index_mine(&self.raw.space, &given.board_bits),
            index_theirs(&self.raw.space, &given.board_bits),
            out,
        )
        return tuple([out[k] for k in range(6)])

    def __reduce__(self):
        return OneSidedTable, (self.points, self.checkers, self.arrays)


cdef class TwoSidedTable:
    """Exact chances and money equities of both sides bearing off; see `bgcore.bearoff`.

    Immutable and thread-safe. ``values`` is a (layouts, layouts, 4) float32 array, as fill_bands makes. Pickles with
    its numbers.
    """

    def __init__(self, int points, int checkers, values):
        cdef const float[:, :, ::1] view
        if not set_space(&self.raw.space, points, checkers):
            raise no_space(points, checkers)
        if values.shape != (self.raw.space.layouts, self.raw.space.layouts, 4):
            raise DataError("the values of a two-sided table do not fit its layouts")
        self.points, self.checkers, self.values = points, checkers, values
        view = values
        self.raw.values = &view[0, 0, 0]

    def __contains__(self, position):
        return in_two_sided(&self.raw, &as_position(position).board_bits)

    def entry(self, position):
        """Win chance, and no-double equities per unit of cube: cube centred, mine, the opponent's."""
        cdef const float* found = find_two_sided(&self.raw, &as_position(position).board_bits)
        if found == NULL:
            raise absent("two-sided", self.points, self.checkers)
        return found[0], found[1], found[2], found[3]

    def __reduce__(self):
        return TwoSidedTable, (self.points, self.checkers, self.values)
