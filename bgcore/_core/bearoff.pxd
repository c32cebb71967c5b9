"""Bear-off tables as raw pointers, for loops without the GIL, and their probes.

Hold a ``OneSidedTable`` or ``TwoSidedTable`` (they own the memory) and take ``&table.raw`` once; the struct
is read-only and may be shared by any number of threads.

    cdef const float* entry = find_two_sided(&table.raw, &board)
    if entry != NULL:            # all exact, the side to move on roll
        win = entry[0]           # without cube
        equity = cubeful(entry, OWNER_CENTRE)
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from bgcore._core.board cimport Board, any_mine, any_theirs, is_contact, on_board
from bgcore._core.layouts cimport Space, index_mine, index_theirs

cdef enum:
    OWNER_CENTRE = 0
    OWNER_MINE = 1
    OWNER_THEIRS = 2


cdef struct Distributions:
    # In how many rolls a thing is done. Row r: chances[start[r] .. start[r + 1] - 1] are those of
    # shift[r], shift[r] + 1 ... rolls; bounds[2 r] and [2 r + 1] the fewest rolls with the luckiest dice
    # and the most with the unluckiest, well played.
    const double* mean
    const uint32_t* start
    const uint8_t* shift
    const uint8_t* bounds
    const float* chances


cdef struct OneSided:
    Space space
    int64_t base               # layouts from here on have all 15 checkers: rows of first_off
    Distributions all_off      # row = index
    Distributions first_off    # row = index - base


cdef struct TwoSided:
    Space space
    const float* values        # [mover's index][opponent's index][4]


cdef class OneSidedTable:
    cdef OneSided raw
    cdef readonly int points, checkers
    cdef readonly object arrays

cdef class TwoSidedTable:
    cdef TwoSided raw
    cdef readonly int points, checkers
    cdef readonly object values


cdef inline bint is_within(const Board* b, int points, int checkers) noexcept nogil:
    """Whether both sides stand on their lowest points only, without contact, with 1 to ``checkers`` checkers each."""
    cdef uint32_t mine = any_mine(b), theirs = any_theirs(b)
    if mine == 0 or theirs == 0 or mine >> (points + 1) or theirs << (7 + points):
        return False    # a slot above ``points``, or (32 bits less 26 slots, 7 + points shifted out) below 25 - points
    if on_board(b.mine) > checkers or on_board(b.theirs) > checkers:
        return False
    return points <= 12 or not is_contact(b)


cdef inline bint is_mine_within(const Board* b, int points, int checkers) noexcept nogil:
    """Whether my checkers stand on their lowest points only, 1 to ``checkers`` of them."""
    cdef uint32_t mine = any_mine(b)
    return mine != 0 and mine >> (points + 1) == 0 and on_board(b.mine) <= checkers


cdef inline bint in_two_sided(const TwoSided* table, const Board* b) noexcept nogil:
    """Whether the table holds this board; a finished game is in no table."""
    return is_within(b, table.space.points, table.space.checkers)


cdef inline const float* find_two_sided(const TwoSided* table, const Board* b) noexcept nogil:
    """The entry of a board, or NULL: win chance, and no-double equities with the cube centred, mine, theirs."""
    if not in_two_sided(table, b):
        return NULL
    return table.values + 4 * (index_mine(&table.space, b) * table.space.layouts + index_theirs(&table.space, b))


cdef inline double cubeful(const float* entry, int owner) noexcept nogil:
    """Money equity per unit of cube before the roll, the right to double included."""
    cdef double doubled
    if owner == OWNER_THEIRS:
        return entry[3]
    doubled = 2.0 * entry[3]
    if doubled > 1.0:
        doubled = 1.0
    return doubled if doubled > entry[1 + owner] else entry[1 + owner]


cdef inline bint in_one_sided(const OneSided* table, const Board* b) noexcept nogil:
    """Whether the table holds both sides of this board."""
    return is_within(b, table.space.points, table.space.checkers)


cdef void one_sided_outcomes(const OneSided* table, int64_t mine, int64_t theirs, double* out) noexcept nogil
