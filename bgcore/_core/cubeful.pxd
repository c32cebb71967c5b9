"""Static cubeful values: what a position is worth with a live cube, from its six outcome chances.

The model is Janowski's: between a cube that is never turned again (dead) and one that is turned at the
perfect moment (live), weighted by an efficiency. The live value is computed for whatever the game pays at
each cube level, so money, caps, limits, Jacoby and match scores need no code of their own.

In a nogil trial: hold a ``CubeModel`` (``Stakes.compiled`` makes one) and use ``&model.mine`` while the
side that the stakes were made for is to move, ``&model.theirs`` while the other side is. ``level`` counts
the doubles since the start of the trial, ``owner`` is CENTRE, MINE or THEIRS as the side to move sees it::

    cube_decision(&model.mine, level, owner, chances, efficiency_of(&board), &decision)
    if decision.is_double:
        if decision.answer == PASS: the trial ends, worth decision.double_pass to the side to move
        TAKE:   level += 1, the other side owns the cube
        BEAVER: level += 2, the other side owns the cube

``chances`` are the six exclusive outcomes of the side to move before its roll: win single, gammon,
backgammon, lose single, gammon, backgammon. All values are worth to the side to move, in the unit of the
stakes (points with the cube's number included, or the chance to win the match). At the end of a game
``payoff`` gives what it pays. Everything is noexcept, takes no memory, and computes the same bits on
every machine: only + - * / and comparisons of doubles.
"""

from bgcore._core.board cimport Board

cdef enum:
    MAX_LEVELS = 48     # the levels of the largest cube, and those that stand for an endless ladder
    LADDER = 14         # how many doubles ahead a live cube looks; each one matters a quarter of the last

cdef enum CubeOwner:
    CENTRE = 0
    MINE = 1
    THEIRS = 2

cdef enum CubeAnswer:
    TAKE = 0
    PASS = 1
    BEAVER = 2

cdef struct CubeLevel:
    double win[3]
    double lose[3]
    double pass_mine        # I double from here and the opponent passes
    double pass_theirs      # the opponent doubles from here and I pass
    bint can_mine
    bint can_theirs
    bint is_free_theirs     # a double costs the opponent nothing, so he makes it at his next turn

cdef struct CubeStakes:
    int count               # levels held, those past ``base`` being multiples of it where the stakes rescale
    int base                # the last level that the stakes list
    bint is_rescaling
    bint beavers
    bint raccoons
    CubeLevel levels[MAX_LEVELS]

cdef struct CubeDecision:
    double no_double        # worth of playing on without doubling now
    double double_take      # these are all equal to no_double where no double is possible
    double double_pass
    double double_beaver
    double double_answered  # worth of doubling when the opponent answers best
    double value            # worth of the position with the best action
    double cubeless         # worth at this level if the cube is never turned again
    bint can_double
    bint is_double          # doubling is at least as good as not doubling
    CubeAnswer answer       # the opponent's best answer to a double

cdef struct CubeWindow:
    double take_point       # the chance to win at which the opponent, if doubled now, just may take
    double double_point     # my chance to win from which a double is right
    double cash_point       # my chance from which the opponent must pass
    double too_good_point   # my chance from which playing on for a gammon beats cashing; 1 where it never does

cdef void cube_decision(
    const CubeStakes* stakes, int level, CubeOwner owner, const double* chances, double efficiency,
    CubeDecision* out,
) noexcept nogil

cdef double cubeful_value(
    const CubeStakes* stakes, int level, CubeOwner owner, const double* chances, double efficiency,
) noexcept nogil

cdef void cube_window(
    const CubeStakes* stakes, int level, CubeOwner owner, const double* chances, double efficiency,
    CubeWindow* out,
) noexcept nogil

cdef double payoff(const CubeStakes* stakes, int level, int points) noexcept nogil

cdef double efficiency_of(const Board* board) noexcept nogil


cdef class CubeModel:
    cdef CubeStakes mine
    cdef CubeStakes theirs
    cdef readonly double total      # what the worths of both sides add up to: 0 points, or 1 match
