"""The evaluation network, for every compiled module that plays or values positions.

Six exclusive outcomes of the side to move before its roll, in the order win single, win gammon, win
backgammon, lose single, lose gammon, lose backgammon.
"""

from bgcore._core.board cimport Board

cdef extern from *:
    """
    typedef struct BgWeights BgWeights;
    typedef struct BgWorkspace BgWorkspace;
    """
    ctypedef struct Weights "BgWeights":
        pass
    ctypedef struct Workspace "BgWorkspace":
        pass


cdef class Network:
    # Immutable once made; any number of threads may read it, each with a workspace of its own.
    cdef Weights* weights
    cdef readonly str digest

cdef Network default_network()
cdef int read_utility(object utility, double* out) except -1
cdef Workspace* new_workspace() noexcept nogil
cdef void free_workspace(Workspace* workspace) noexcept nogil
cdef void evaluate_board(const Weights* weights, Workspace* workspace, const Board* board, double* out) noexcept nogil
cdef int best_play(const Weights* weights, Workspace* workspace, const Board* board, int die1, int die2,
                   const double* utility, Board* best, double* out) noexcept nogil
cdef int best_of_few(const Weights* weights, Workspace* workspace, const Board* board, int die1, int die2, int few,
                     const double* utility, Board* best, double* out) noexcept nogil
