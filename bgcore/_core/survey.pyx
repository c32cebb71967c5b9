"""What each of the 21 rolls would lead to: the luck of a roll and the decision to double both rest on it.

Bear-offs are judged by the rolls that both sides need, taken as independent, and by exact tables where those reach;
all else by the network.
"""

from libc.string cimport memset

from bgcore._core.bearoff cimport cubeful, find_two_sided, in_one_sided, one_sided_outcomes
from bgcore._core.board cimport flip
from bgcore._core.cubeful cimport cubeful_value, efficiency_of, payoff
from bgcore._core.endings cimport ending_state, find_ending
from bgcore._core.layouts cimport index_mine, index_theirs
from bgcore._core.network cimport best_of_few, evaluate_board
from bgcore._core.plays cimport legal_results
from bgcore._core.trial cimport other_owner, turned


cdef bint exact_outcomes(const Setup* setup, const Board* board, double* out) noexcept nogil:
    """The six outcomes of the side to roll by the exact table, where nobody can lose a gammon; or False."""
    cdef const float* entry
    if setup.table == NULL:
        return False
    entry = find_two_sided(setup.table, board)
    if entry == NULL:
        return False
    memset(out, 0, 6 * sizeof(double))
    out[0] = entry[0]
    out[3] = 1.0 - <double>entry[0]
    return True


cdef const float* find_worths(const Setup* setup, int side, const Board* board) noexcept nogil:
    """What exact tables say that the stakes pay ``side``, which is to roll, for `exact_worth`; or NULL."""
    if setup.endings != NULL:
        return find_ending(setup.endings, side, board)
    if setup.is_worth_exact:
        return find_two_sided(setup.table, board)
    return NULL


cdef double exact_worth(
    const Setup* setup, int side, int level, const float* worths, CubeOwner owner
) noexcept nogil:
    """What the stakes pay the side to roll, the right to double included."""
    if setup.endings != NULL:
        return worths[ending_state(level, owner)]
    return payoff(setup.stakes[side], level, 1) * cubeful(worths, owner)


cdef void judge(
    const Setup* setup, const Weights* weights, Workspace* work, const Board* board, double* out
) noexcept nogil:
    """The six outcomes of the side to roll, by the rolls that both sides need or by the network."""
    if setup.rolls != NULL and in_one_sided(setup.rolls, board):
        one_sided_outcomes(
            setup.rolls, index_mine(&setup.rolls.space, board), index_theirs(&setup.rolls.space, board), out
        )
    else:
        evaluate_board(weights, work, board, out)


cdef void best_bearoff(
    const Setup* setup, const Weights* weights, Workspace* work, const Board* board, int die1, int die2,
    const double* utility, Board* results, Board* best, double* out
) noexcept nogil:
    """The play of a roll that is worth most by `judge`; there is one. ``results`` has room for MAX_PLAYS."""
    cdef Board after
    cdef double theirs[6]
    cdef double worth, most = 0
    cdef int i, k, n = legal_results(board, die1, die2, results)
    for i in range(n):
        flip(&results[i], &after)
        judge(setup, weights, work, &after, theirs)
        worth = 0
        for k in range(6):
            worth += utility[k] * theirs[(k + 3) % 6]
        if i == 0 or worth > most:
            most = worth
            best[0] = results[i]
            turned(theirs, out)


cdef void survey_rolls(
    const Setup* setup, const Weights* weights, Workspace* work, const Line* line, const double* utility,
    Board* results, Survey* out
) noexcept nogil:
    """Play all 21 rolls; their mean is summed in a fixed order, so that it is the same bits everywhere."""
    cdef Board best, after
    cdef double exact[6]
    cdef int high, low, k, weight, index = 0
    cdef bint is_bearoff = setup.rolls != NULL and in_one_sided(setup.rolls, &line.board)
    memset(out.mean, 0, sizeof(out.mean))
    for high in range(1, 7):
        for low in range(1, high + 1):
            weight = 1 if high == low else 2
            if is_bearoff:
                best_bearoff(
                    setup, weights, work, &line.board, high, low, utility, results, &best, out.out[index]
                )
            else:
                best_of_few(weights, work, &line.board, high, low, setup.keep, utility, &best, out.out[index])
            if setup.is_cubeful:
                out.efficiency[index] = efficiency_of(&best)
            flip(&best, &after)
            if exact_outcomes(setup, &after, exact):
                turned(exact, out.out[index])
            out.worths[index] = find_worths(setup, line.side ^ 1, &after) if setup.is_cubeful else NULL
            for k in range(6):
                out.mean[k] += weight * out.out[index][k]
            index += 1
    for k in range(6):
        out.mean[k] /= 36.0


cdef double worth_after(
    const Setup* setup, int side, int level, CubeOwner owner, const double* outcomes, double efficiency
) noexcept nogil:
    """What the stakes pay the mover, on average, once it has played and may expect these outcomes."""
    cdef double theirs[6]
    turned(outcomes, theirs)
    return setup.origin - cubeful_value(setup.stakes[side ^ 1], level, other_owner(owner), theirs, efficiency)


cdef double survey_worths(
    const Setup* setup, int side, int level, CubeOwner owner, const Survey* survey, double* worths
) noexcept nogil:
    """What the stakes pay the mover after each of the 21 replies, with the cube there; returns the mean."""
    cdef double total = 0
    cdef int high, low, index = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            if survey.worths[index] != NULL:
                worths[index] = setup.origin - exact_worth(
                    setup, side ^ 1, level, survey.worths[index], other_owner(owner)
                )
            else:
                worths[index] = worth_after(setup, side, level, owner, survey.out[index], survey.efficiency[index])
            total += worths[index] if high == low else 2 * worths[index]
            index += 1
    return total / 36.0
