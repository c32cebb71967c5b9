"""Look-ahead: the outcomes of a position averaged over the rolls to come, each played best.

The value of a position ``n`` rolls ahead is the mean, over the 21 rolls, of the value ``n - 1`` rolls
ahead of what the best play leaves; plays are chosen by the network at 0 plies. Positions that a table
holds are answered by it at any depth. Sums have a fixed order, so the answer is the same bits on every
machine and does not depend on what was asked before: positions that different orders of rolls and plays lead to are
looked ahead from once, but only within one question, and only where all of the board and the depth are the same.
"""

from libc.stdlib cimport calloc, free

from bgcore._core.bearoff cimport OneSidedTable, TwoSidedTable, find_two_sided, in_one_sided, one_sided_outcomes
from bgcore._core.board cimport Board, Position, any_mine, any_theirs, flip, hash_board, is_same
from bgcore._core.layouts cimport index_mine, index_theirs
from bgcore._core.network cimport Network, best_of_few, evaluate_board, free_workspace, new_workspace, read_utility
from bgcore._core.plays cimport legal_results


cdef bint from_tables(const Search* search, const Board* board, double* out) noexcept nogil:
    """Six outcomes of the side to move from a table, or False."""
    cdef const float* entry
    cdef int k
    if search.two != NULL:
        entry = find_two_sided(search.two, board)
        if entry != NULL:
            for k in range(6):
                out[k] = 0.0
            out[0] = entry[0]
            out[3] = 1.0 - <double>entry[0]
            return True
    if search.one != NULL and in_one_sided(search.one, board):
        one_sided_outcomes(
            search.one, index_mine(&search.one.space, board), index_theirs(&search.one.space, board), out
        )
        return True
    return False


cdef void look_ahead(
    const Search* search, const Board* board, int plies, const double* utility, double* out
) noexcept nogil:
    """Six outcomes of the side to move, ``plies`` rolls ahead; ``utility`` is what they are worth to it.

    The opponent plays for the negative of the same worths, sides swapped.
    """
    cdef Board best, turned
    cdef double[6] reply
    cdef double[6] other
    cdef double[6] theirs
    cdef double[6] total
    cdef double weight
    cdef int die1, die2, k
    cdef bint is_over = any_mine(board) == 0 or any_theirs(board) == 0
    if not is_over and from_tables(search, board, out):
        return
    if is_over or plies == 0:
        evaluate_board(search.weights, search.workspace, board, out)
        return
    for k in range(6):
        total[k] = 0.0
        theirs[k] = -utility[(k + 3) % 6]
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            weight = 1.0 if die1 == die2 else 2.0
            best_of_few(search.weights, search.workspace, board, die1, die2, search.few, utility, &best, reply)
            flip(&best, &turned)
            if plies > 1:
                look_ahead_once(search, &turned, plies - 1, theirs, other)
            elif any_mine(&turned) == 0 or any_theirs(&turned) == 0 or not from_tables(search, &turned, other):
                # The network has just said what it thinks of the last play; only a table knows better.
                for k in range(6):
                    total[k] += weight * reply[k]
                continue
            for k in range(6):
                total[k] += weight * other[(k + 3) % 6]
    for k in range(6):
        out[k] = total[k] / 36.0


cdef void look_ahead_once(
    const Search* search, const Board* board, int plies, const double* utility, double* out
) noexcept nogil:
    """Look ahead, unless this question has done so from the same board and as far before.

    Within a question the depth says who is to move, so it settles the utility, too.
    """
    cdef Known* known
    cdef int k
    if search.cache == NULL:
        look_ahead(search, board, plies, utility, out)
        return
    known = &search.cache[hash_board(board) & (MOST_KNOWN - 1)]
    if known.plies == plies and is_same(&known.board, board):
        for k in range(6):
            out[k] = known.out[k]
        return
    look_ahead(search, board, plies, utility, out)
    known.board = board[0]
    known.plies = plies
    for k in range(6):
        known.out[k] = out[k]


cdef void best_ahead(
    const Search* search, const Board* board, int die1, int die2, int plies, int keep, double margin,
    const double* utility, Board* results, Board* best, double* out
) noexcept nogil:
    """The play of a roll that is worth most ``plies`` rolls ahead, among those that do well at 0 plies.

    At most ``keep`` plays (1 to MOST_KEPT), each at most ``margin`` behind the best, are looked at.
    ``results`` has room for MAX_PLAYS. ``best`` takes the resulting board, seen by the mover, ``out`` the
    mover's six outcomes after it. Of plays worth the same to the last bit the first is taken.
    """
    cdef Board turned
    cdef double[6] p
    cdef double[6] theirs
    cdef double[MOST_KEPT] worths
    cdef int[MOST_KEPT] chosen
    cdef double worth, most = 0
    cdef int i, k, at, kept = 0, n = legal_results(board, die1, die2, results)
    for k in range(6):
        theirs[k] = -utility[(k + 3) % 6]
    if n == 0:
        results[0] = board[0]
        n = 1
    for i in range(n):
        flip(&results[i], &turned)
        evaluate_board(search.weights, search.workspace, &turned, p)
        worth = 0
        for k in range(6):
            worth += utility[k] * p[(k + 3) % 6]
        if kept == keep and worth <= worths[kept - 1]:
            continue
        if kept < keep:
            kept += 1
        at = kept - 1
        while at > 0 and worths[at - 1] < worth:
            worths[at] = worths[at - 1]
            chosen[at] = chosen[at - 1]
            at -= 1
        worths[at] = worth
        chosen[at] = i
    while kept > 1 and worths[kept - 1] < worths[0] - margin:
        kept -= 1
    for i in range(kept):
        flip(&results[chosen[i]], &turned)
        look_ahead(search, &turned, plies, theirs, p)
        worth = 0
        for k in range(6):
            worth += utility[k] * p[(k + 3) % 6]
        if i == 0 or worth > most:
            most = worth
            best[0] = results[chosen[i]]
            for k in range(6):
                out[k] = p[(k + 3) % 6]


def looked_ahead(
    Network network not None, positions, int plies, utility=(1, 2, 3, -1, -2, -3), int few=0,
    OneSidedTable one=None, TwoSidedTable two=None,
):
    """Return for each position the six exclusive outcomes of the side to move, ``plies`` rolls ahead.

    Parameters
    ----------
    network : Network
    positions : sequence of Position
        Before the roll; those that one question is about, since what they have in common is worked out once.
    plies : int
        0 or more; each multiplies the time by about 21.
    utility : sequence of 6 float
        What the outcomes are worth to the side to move when plays are chosen: cubeless money unless given.
    few : int
        Plays of each roll that are weighed, the network's filter choosing them; 0 for its own number.
    one, two : OneSidedTable, TwoSidedTable or None
        Tables that answer where they can.

    Notes
    -----
    The GIL is released; thread-safe. From two plies on it takes 2 MB for the time of the call.
    """
    cdef Search search
    cdef Position position
    cdef Board board
    cdef double[6] p
    cdef double[6] worth
    cdef int k
    found = []
    read_utility(utility, worth)
    search.weights = network.weights
    search.one = NULL if one is None else &one.raw
    search.two = NULL if two is None else &two.raw
    search.few = few
    search.workspace = new_workspace()
    search.cache = <Known*>calloc(MOST_KNOWN, sizeof(Known)) if plies > 1 else NULL
    try:
        if search.workspace == NULL or (plies > 1 and search.cache == NULL):
            raise MemoryError
        for position in positions:
            board = position.board_bits
            with nogil:
                look_ahead(&search, &board, plies, worth, p)
            found.append(tuple([p[k] for k in range(6)]))
    finally:
        free_workspace(search.workspace)
        free(search.cache)
    return found
