"""What a trial knows: its settings, the lines it goes on in, and what they have come to."""

from libc.stdint cimport uint64_t

from bgcore._core.bearoff cimport OneSided, TwoSided
from bgcore._core.board cimport Board
from bgcore._core.cubeful cimport CENTRE, MINE, THEIRS, CubeOwner, CubeStakes
from bgcore._core.endings cimport Ending

cdef enum:
    # No game comes near it; a trial that did would be valued by the evaluator like a truncated one.
    MOST_PLIES = 4096
    MOST_SPLITS = 8


cdef struct Setup:
    # Everything a trial needs to know, read-only once made. "Me" is the side to roll at the start.
    Board start
    int die1, die2              # the first roll, or 0 for a thrown one
    bint is_played              # whether the first turn is over and only the result of its play is given
    Board played                # that result, seen by me
    int plies                   # how far ahead plays are chosen
    int truncation              # plies after which the evaluator ends a trial; 0 for never
    int gammon_rule
    bint is_reduced
    int keep                    # plays of each roll that the luck is judged by; 0 for all
    bint is_stratified
    bint is_initial
    double least_spread         # in squared units of the stakes
    uint64_t seed
    double utility[2][6]        # what each outcome is worth to its mover without a cube, for me and for the opponent
    double origin               # what is worth v to one side is worth origin - v to the other
    bint is_cubeful
    bint is_decided_first       # whether the cube may be turned before the first roll
    int splits                  # how often the weight of a line may be halved
    bint is_surveyed            # whether cube decisions look one roll ahead
    int level
    CubeOwner owner
    const CubeStakes* stakes[2]
    const OneSided* rolls       # how many rolls a side needs in a bear-off, which judges better than the network
    const TwoSided* table       # exact endings, or NULL
    bint is_worth_exact         # whether its cubeful values are those of the stakes
    const Ending* endings       # what bear-offs are worth under other stakes, or NULL


cdef struct Line:
    # One way a trial goes on.
    Board board                 # seen by the side to roll
    int side                    # 0 while that is me
    int ply                     # turns played
    int thrown                  # rolls thrown
    int level                   # doubles taken so far
    CubeOwner owner             # seen by the side to roll
    bint is_cube_done           # whether the cube was decided this turn
    double known[6]             # the mover's outcomes before the roll by the evaluator
    bint is_known
    bint is_ended
    double worth                # at the end: what the stakes pay the side to roll
    int splits                  # how often its weight was halved
    int branch                  # which dice it throws
    double weight               # its part of the trial


cdef struct Trial:
    # What the lines of a trial have come to, each by its weight, for me.
    Board* results              # room for the plays of a roll
    Line waiting[MOST_SPLITS + 2]
    int count                   # lines waiting
    double outcomes[6]
    double worth


cdef inline void turned(const double* outcomes, double* out) noexcept nogil:
    """The six outcomes seen by the other side; ``out`` may not overlap."""
    cdef int k
    for k in range(3):
        out[k] = outcomes[k + 3]
        out[k + 3] = outcomes[k]


cdef inline double spread_of(const double* outcomes, const double* utility) noexcept nogil:
    """Variance of what the game pays when its outcomes have these chances."""
    cdef double mean = 0, square = 0
    cdef int k
    for k in range(6):
        mean += outcomes[k] * utility[k]
        square += outcomes[k] * utility[k] * utility[k]
    return square - mean * mean


cdef inline double scale_of(const double* utility) noexcept nogil:
    """What a point is worth: half of what winning pays over losing."""
    cdef double scale = (utility[0] - utility[3]) / 2
    return scale if scale > 0 else 0


cdef inline CubeOwner other_owner(CubeOwner owner) noexcept nogil:
    return CENTRE if owner == CENTRE else MINE if owner == THEIRS else THEIRS
