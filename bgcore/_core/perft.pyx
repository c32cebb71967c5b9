"""Counting plays to a depth: the regression count of a generator, and a measure of its speed."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from bgcore._core.board cimport Board, Position, as_position, flip
from bgcore._core.plays cimport MAX_PLAYS, legal_results

from bgcore.errors import whole


cdef int64_t count_leaves(const Board* b, int depth, Board* scratch) noexcept nogil:
    """Nodes ``depth`` rolls further on; every last play is generated in full, none is only counted."""
    cdef Board* plays = scratch
    cdef Board child
    cdef int die1, die2, count, i
    cdef int64_t total = 0
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            count = legal_results(b, die1, die2, plays)
            if count == 0:
                plays[0] = b[0]
                count = 1
            if depth == 1:
                total += count
                continue
            for i in range(count):
                flip(&plays[i], &child)
                total += count_leaves(&child, depth - 1, scratch + MAX_PLAYS)
    return total


def perft(position, depth):
    """Count the positions ``depth`` rolls on: the sum over the 21 rolls of every distinct result, a pass counting one.

    Sides swap after each roll; rolls are not weighted. The standard regression count of a play
    generator: 447, 202,782 and 116,154,993 from the opening for depths 1, 2 and 3.

    Parameters
    ----------
    position : Position
        Seen by the side to move.
    depth : int
        1 to 6 rolls.
    """
    cdef Position start = as_position(position)
    cdef int64_t total
    cdef int rolls = whole(depth, "depth", 1, 6)
    cdef Board* scratch = <Board*>malloc(rolls * MAX_PLAYS * sizeof(Board))
    if scratch == NULL:
        raise MemoryError
    with nogil:
        total = count_leaves(&start.board_bits, rolls, scratch)
    free(scratch)
    return total
