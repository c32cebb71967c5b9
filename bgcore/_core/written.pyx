"""Plays as people write them: merged steps, any order, hits marked or not, matched against the legal plays."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint32_t

from bgcore._core.board cimport Board, Position, count_at
from bgcore._core.plays cimport MAX_PLAYS, Play, legal_results


cdef inline bint is_playable(int start, int end, int pips) noexcept nogil:
    """Whether ``pips`` can carry a checker from ``start`` to ``end``, where 0 is off and may be overshot."""
    return start - end == pips or (end == 0 and start < pips)


cdef bint fits_dice(const int* starts, const int* ends, int count, int die1, int die2) noexcept nogil:
    """Whether the written paths can be split into single dice of this roll."""
    cdef int i, steps = 0
    if die1 == die2:
        for i in range(count):
            if ends[i] and (starts[i] - ends[i]) % die1:
                return False
            steps += (starts[i] - ends[i] + die1 - 1) // die1
        return steps <= 4
    if count == 1:
        return (
            is_playable(starts[0], ends[0], die1) or is_playable(starts[0], ends[0], die2)
            or is_playable(starts[0], ends[0], die1 + die2)
        )
    return count == 2 and (
        (is_playable(starts[0], ends[0], die1) and is_playable(starts[1], ends[1], die2))
        or (is_playable(starts[0], ends[0], die2) and is_playable(starts[1], ends[1], die1))
    )


def plays_written(Position position not None, int die1, int die2, paths):
    """List the legal plays that move the mover's checkers exactly along some written paths.

    Parameters
    ----------
    position : Position
        Seen by the player who rolled.
    die1, die2 : int
        The roll, each die from 1 to 6.
    paths : sequence of (start, end)
        One pair for each written stretch of one checker, which may be several dice long; 25 is the bar,
        0 is off. Starts lie from 1 to 25, ends below them.

    Returns
    -------
    list of Play
        Empty if the paths are no legal play of this roll. More than one only if the plays differ in what
        they hit on the way. Costs a few microseconds; thread-safe.
    """
    cdef int starts[16]
    cdef int ends[16]
    cdef int counts[26]
    cdef Board target
    cdef Board few[256]
    cdef Board* results = few
    cdef int slot, i, count = 0, found
    cdef Play play
    for start, end in paths:
        if count == 16:
            return []
        starts[count] = start
        ends[count] = end
        count += 1
    if not fits_dice(starts, ends, count, die1, die2):
        return []
    for slot in range(26):
        counts[slot] = count_at(position.board_bits.mine, slot)
    for i in range(count):
        counts[starts[i]] -= 1
        if ends[i]:
            counts[ends[i]] += 1
    for i in range(4):
        target.mine[i] = 0
    for slot in range(1, 26):
        if not 0 <= counts[slot] <= 15:
            return []
        for i in range(4):
            target.mine[i] |= <uint32_t>(counts[slot] >> i & 1) << slot
    if die1 == die2:
        results = <Board*>PyMem_Malloc(MAX_PLAYS * sizeof(Board))
        if results == NULL:
            raise MemoryError
    plays = []
    try:
        found = legal_results(&position.board_bits, die1, die2, results)
        for i in range(found):
            if (
                results[i].mine[0] == target.mine[0] and results[i].mine[1] == target.mine[1]
                and results[i].mine[2] == target.mine[2] and results[i].mine[3] == target.mine[3]
            ):
                play = Play.__new__(Play)
                play.before = position.board_bits
                play.after = results[i]
                play.die1 = die1
                play.die2 = die2
                plays.append(play)
    finally:
        if results != few:
            PyMem_Free(results)
    return plays
