"""The 21 rolls before one is thrown: what the reply to each comes to, and what that is worth."""

from bgcore._core.board cimport Board
from bgcore._core.cubeful cimport CubeOwner
from bgcore._core.network cimport Weights, Workspace
from bgcore._core.trial cimport Line, Setup


cdef struct Survey:
    # The mover's outcomes after its reply to each of the 21 rolls.
    double out[21][6]
    double efficiency[21]       # how live the cube is then
    const float* worths[21]     # what an exact table says that the stakes then pay the opponent, or NULL
    double mean[6]


cdef inline int roll_index(int die1, int die2) noexcept nogil:
    """The place of a roll in a survey."""
    return die1 * (die1 - 1) // 2 + die2 - 1 if die1 >= die2 else die2 * (die2 - 1) // 2 + die1 - 1


cdef void judge(
    const Setup* setup, const Weights* weights, Workspace* work, const Board* board, double* out
) noexcept nogil

cdef void best_bearoff(
    const Setup* setup, const Weights* weights, Workspace* work, const Board* board, int die1, int die2,
    const double* utility, Board* results, Board* best, double* out
) noexcept nogil

cdef bint exact_outcomes(const Setup* setup, const Board* board, double* out) noexcept nogil
cdef const float* find_worths(const Setup* setup, int side, const Board* board) noexcept nogil
cdef double exact_worth(
    const Setup* setup, int side, int level, const float* worths, CubeOwner owner
) noexcept nogil

cdef void survey_rolls(
    const Setup* setup, const Weights* weights, Workspace* work, const Line* line, const double* utility,
    Board* results, Survey* out
) noexcept nogil

cdef double worth_after(
    const Setup* setup, int side, int level, CubeOwner owner, const double* outcomes, double efficiency
) noexcept nogil

cdef double survey_worths(
    const Setup* setup, int side, int level, CubeOwner owner, const Survey* survey, double* worths
) noexcept nogil
