"""How final boards count by the rules of different sites; `bgcore.rules.outcome_points` says the same in Python."""

from libc.stdint cimport uint64_t

from bgcore._core.board cimport Board, any_mine, any_theirs, on_board

cdef enum:
    # The numbers of GAMMON_RULES.
    STANDARD = 0
    PORTAL_HOME_ONLY = 1
    MANUAL_GARLANDO = 2


cdef inline int finished(const Board* b, int rule) noexcept nogil:
    """Index of the outcome that a board is for its mover, or -1 while the game goes on."""
    cdef uint64_t far
    cdef int shift
    cdef const unsigned int* loser
    cdef unsigned int home, outside, bar
    if any_mine(b) == 0:
        loser = &b.theirs[0]
        far = any_theirs(b)
        home, bar, outside = 0x7E, 1, 0x7FFFF
        shift = 0
    elif any_theirs(b) == 0:
        loser = &b.mine[0]
        far = any_mine(b)
        home, bar, outside = 0x1F80000, 0x2000000, 0x3FFFF80
        shift = 3
    else:
        return -1
    if rule == PORTAL_HOME_ONLY:
        if far & home:
            return shift + 2
    elif rule == MANUAL_GARLANDO:
        if far & outside:
            return shift + 2
    elif on_board(loser) == 15 and far & (home | bar):
        return shift + 2
    return shift + (1 if on_board(loser) == 15 else 0)
