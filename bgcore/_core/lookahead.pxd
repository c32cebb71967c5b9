"""Look-ahead: the outcomes of a position averaged over the rolls to come, each played best."""

from bgcore._core.bearoff cimport OneSided, TwoSided
from bgcore._core.board cimport Board
from bgcore._core.network cimport Weights, Workspace


cdef struct Known:
    # A position that was looked ahead from, and what came out; ``plies`` is 0 where nothing is held.
    Board board
    int plies
    double out[6]


cdef struct Search:
    # What a look-ahead needs to know; read-only, except that workspace and cache belong to one thread.
    const Weights* weights
    Workspace* workspace
    const OneSided* one     # tables that answer before the network does, or NULL
    const TwoSided* two
    int few                 # plays of each roll that are weighed; 0 for what the network's filter holds likely
    Known* cache            # MOST_KNOWN positions of this question, zeroed at its start, or NULL


cdef void look_ahead(
    const Search* search, const Board* board, int plies, const double* utility, double* out
) noexcept nogil


cdef enum:
    MOST_KEPT = 8           # plays that ``best_ahead`` looks at more closely
    MOST_KNOWN = 1 << 14


cdef void best_ahead(
    const Search* search, const Board* board, int die1, int die2, int plies, int keep, double margin,
    const double* utility, Board* results, Board* best, double* out
) noexcept nogil
