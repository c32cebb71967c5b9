"""What bear-offs of few checkers are exactly worth under given stakes, as raw pointers for loops without the GIL.

Hold an ``Endings`` (it owns the memory) and take ``&endings.raw`` once; the struct is read-only and may be
shared by any number of threads.

    cdef const float* worths = find_ending(&endings.raw, side, &board)
    if worths != NULL:
        worth = worths[ending_state(level, owner)]     # before the roll, the right to double included
"""

from libc.stdint cimport int64_t

from bgcore._core.bearoff cimport is_within
from bgcore._core.board cimport Board
from bgcore._core.cubeful cimport MINE, CubeOwner
from bgcore._core.layouts cimport Space, index_mine, index_theirs

cdef enum:
    LANES = 4    # states are filled so many at a time


cdef struct Ending:
    Space space
    int stride             # numbers an entry: two states a level, and what fills the last lane
    int halves             # 2 where the sides play for different stakes: the side that they were made for first
    const float* values    # [roller's half][roller's index][the other's index][stride], worth to the roller


cdef class Endings:
    cdef Ending raw
    cdef readonly int points, checkers, levels
    cdef readonly object values


cdef inline const float* find_ending(const Ending* table, int side, const Board* b) noexcept nogil:
    """The worths of a board to its roller, by state, or NULL."""
    cdef int64_t row
    if not is_within(b, table.space.points, table.space.checkers):
        return NULL
    row = index_mine(&table.space, b)
    if side and table.halves == 2:
        row += table.space.layouts
    return table.values + table.stride * (row * table.space.layouts + index_theirs(&table.space, b))


cdef inline int ending_state(int level, CubeOwner owner) noexcept nogil:
    """The state of a cube after so many doubles; ``owner`` as the roller sees it.

    Even where the roller has the cube, odd where the other side does, or nobody (then both hold the same):
    numbered for the side that waits, which reads entries when the table is filled.
    """
    return 2 * level + (owner != MINE)
