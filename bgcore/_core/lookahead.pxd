"""Look-ahead: the outcomes of a position averaged over the rolls to come, each played best."""

from bgcore._core.bearoff cimport OneSided, TwoSided
from bgcore._core.board cimport Board
from bgcore._core.network cimport Weights, Workspace


cdef struct Search:
    # What a look-ahead needs to know; read-only, except that the workspace belongs to one thread.
    const Weights* weights
    Workspace* workspace
    const OneSided* one     # tables that answer before the network does, or NULL
    const TwoSided* two
    int few                 # plays of each roll that are weighed; 0 for what the network's filter holds likely


cdef void look_ahead(
    const Search* search, const Board* board, int plies, const double* utility, double* out
) noexcept nogil


cdef enum:
    MOST_KEPT = 8           # plays that ``best_ahead`` looks at more closely


cdef void best_ahead(
    const Search* search, const Board* board, int die1, int die2, int plies, int keep, double margin,
    const double* utility, Board* results, Board* best, double* out
) noexcept nogil
