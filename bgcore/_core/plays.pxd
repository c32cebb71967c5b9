"""Legal plays on bit-plane boards, for every compiled module that walks the game tree."""

from libc.stdint cimport uint32_t

from bgcore._core.board cimport Board, Position, add_checker, remove_checker

cdef enum:
    # Every play of a double moves 15 checkers at most 4 steps in all: C(15 + 4 - 1, 4) ways to share
    # the steps out. Mixed rolls have far fewer (15 x 15 pairs and 2 x 15 chains).
    MAX_PLAYS = 3060


cdef inline uint32_t sources(uint32_t mine, uint32_t made, int die) noexcept nogil:
    """Slots from which one die may be played.

    ``mine`` are the slots with my checkers, ``made`` the points the opponent holds. A checker on
    the bar goes first; bearing off needs all my checkers home, and a die larger than the point
    takes a checker off only if none stands higher.
    """
    cdef uint32_t bits
    if mine & 0x2000000:
        return 0x2000000 & ~(made << die)
    bits = mine & ~(made << die) & (<uint32_t>0xFFFFFFFE << die)
    if mine < 0x80 and mine:
        if mine >> die:
            bits |= mine & (<uint32_t>1 << die)
        else:
            while mine & (mine - 1):
                mine &= mine - 1
            bits |= mine
    return bits


cdef inline void step(Board* b, uint32_t source, int die) noexcept nogil:
    """Move one checker by one legal die, hitting a blot if one stands there."""
    cdef uint32_t target = (source >> die) & 0x1FFFFFE
    remove_checker(b.mine, source)
    add_checker(b.mine, target)
    if b.theirs[0] & target:
        b.theirs[0] ^= target
        add_checker(b.theirs, 1)


cdef int legal_results(const Board* b, int die1, int die2, Board* out) noexcept nogil

cdef class Play:
    cdef Board before, after
    cdef int die1, die2
