"""Cubeful look-ahead: the worth of not doubling and of doubling, averaged over the rolls to come.

Plays are chosen by the network for what the outcomes are worth at the present cube; whether and how later
cubes are turned is decided by the static model at each position on the way, as a trial of a rollout would.
"""

from bgcore._core.bearoff cimport (
    OneSided, OneSidedTable, TwoSided, TwoSidedTable, cubeful, find_two_sided, in_one_sided, one_sided_outcomes,
)
from bgcore._core.board cimport Board, Position, flip, outcome
from bgcore._core.cubeful cimport (
    BEAVER, CENTRE, MINE, PASS, THEIRS, CubeDecision, CubeModel, CubeOwner, CubeStakes, cube_decision,
    efficiency_of, payoff,
)
from bgcore._core.layouts cimport index_mine, index_theirs
from bgcore._core.network cimport Network, Weights, Workspace, best_play, evaluate_board, free_workspace, new_workspace


cdef struct Search:
    const Weights* weights
    Workspace* workspace
    const CubeStakes* stakes[2]     # of the side that searches, and of the other
    double total                    # what the worths of both sides add up to
    const OneSided* one             # tables that answer before the network does, or NULL
    const TwoSided* two             # only where the stakes are plain money


cdef inline CubeOwner other(CubeOwner owner) noexcept nogil:
    return CENTRE if owner == CENTRE else THEIRS if owner == MINE else MINE


cdef double before_roll(
    const Search* search, int side, const Board* board, int level, CubeOwner owner, int plies
) noexcept nogil:
    """The worth of a position to the side to move, the right to double included."""
    cdef double[6] chances
    cdef CubeDecision decision
    cdef const CubeStakes* stakes = search.stakes[side]
    cdef const float* entry = NULL
    cdef int points = outcome(board)
    if points != 0:
        return payoff(stakes, level, points)
    if search.two != NULL:
        entry = find_two_sided(search.two, board)
        if entry != NULL:
            return payoff(stakes, level, 1) * cubeful(entry, owner)
    if search.one != NULL and in_one_sided(search.one, board):
        one_sided_outcomes(
            search.one, index_mine(&search.one.space, board), index_theirs(&search.one.space, board), chances
        )
    else:
        evaluate_board(search.weights, search.workspace, board, chances)
    cube_decision(stakes, level, owner, chances, efficiency_of(board), &decision)
    if plies == 0:
        return decision.value
    if decision.is_double:
        if decision.answer == PASS:
            return decision.double_pass
        if decision.answer == BEAVER:
            return beavered(search, side, board, level, plies)
        return after_roll(search, side, board, level + 1, THEIRS, plies)
    return after_roll(search, side, board, level, owner, plies)


cdef double beavered(const Search* search, int side, const Board* board, int level, int plies) noexcept nogil:
    """The worth of doubling from a level when the opponent beavers: play on, refuse, or raccoon."""
    cdef const CubeStakes* stakes = search.stakes[side]
    cdef double worth = max(payoff(stakes, level + 1, -1), after_roll(search, side, board, level + 2, THEIRS, plies))
    if stakes.raccoons and level + 3 < stakes.count and stakes.levels[level + 2].can_mine:
        worth = max(
            worth, min(payoff(stakes, level + 2, 1), after_roll(search, side, board, level + 3, THEIRS, plies))
        )
    return worth


cdef double after_roll(
    const Search* search, int side, const Board* board, int level, CubeOwner owner, int plies
) noexcept nogil:
    """The worth of rolling now, averaged over the 21 rolls; ``plies`` is at least 1."""
    cdef double[6] utility
    cdef double[6] chances
    cdef Board best, turned
    cdef int i, die1, die2
    cdef double total = 0.0
    for i in range(3):
        utility[i] = payoff(search.stakes[side], level, i + 1)
        utility[3 + i] = payoff(search.stakes[side], level, -i - 1)
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            best_play(search.weights, search.workspace, board, die1, die2, utility, &best, chances)
            flip(&best, &turned)
            total += (1.0 if die1 == die2 else 2.0) * (
                search.total - before_roll(search, 1 - side, &turned, level, other(owner), plies - 1)
            )
    return total / 36.0


def cube_ahead(
    Network network not None, Position position not None, CubeModel model not None, int owner, int plies,
    OneSidedTable one=None, TwoSidedTable two=None,
):
    """Return what no double, double/take and double/beaver are worth ``plies`` rolls ahead.

    Parameters
    ----------
    network : Network
        What values positions.
    position : Position
        Seen by the side to move, before its roll; not finished.
    model : CubeModel
        The stakes.
    owner : int
        0 centre, 1 the side to move, 2 the other side.
    plies : int
        1 or more; each one multiplies the time by 21.
    one, two : OneSidedTable, TwoSidedTable or None
        Tables that answer instead of the network where they can; the second only for plain money.

    Returns
    -------
    tuple of float
        Worth to the side to move in the unit of the stakes. Where a double or a beaver is not possible its
        worth is that of no double, or of double/take. The GIL is released.
    """
    cdef Search search
    cdef Board board = position.board_bits
    cdef double no_double, taken, answered
    cdef const CubeStakes* stakes = &model.mine
    cdef bint can_double, can_beaver
    search.weights = network.weights
    search.stakes[0] = &model.mine
    search.stakes[1] = &model.theirs
    search.total = model.total
    search.one = NULL if one is None else &one.raw
    search.two = NULL if two is None else &two.raw
    search.workspace = new_workspace()
    if search.workspace == NULL:
        raise MemoryError
    can_double = owner != THEIRS and stakes.levels[0].can_mine
    can_beaver = can_double and stakes.beavers and stakes.levels[1].can_theirs
    with nogil:
        no_double = after_roll(&search, 0, &board, 0, <CubeOwner>owner, plies)
        taken = after_roll(&search, 0, &board, 1, THEIRS, plies) if can_double else no_double
        answered = beavered(&search, 0, &board, 0, plies) if can_beaver else taken
    free_workspace(search.workspace)
    return no_double, taken, answered
