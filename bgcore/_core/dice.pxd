"""Dice from a counter: the roll of (seed, trial, ply) is a pure function, so any trial can be replayed alone."""

from libc.stdint cimport uint64_t

cdef extern from "philox.h":
    void bg_philox(const uint64_t* counter, const uint64_t* key, uint64_t* out) noexcept nogil

cdef enum:
    STRATIFIED_PLIES = 4    # how many first rolls of a trial are dealt rather than drawn


cdef struct Shaker:
    # Owned by one thread; ``deal`` caches the permutations of one deal of trials.
    uint64_t seed
    bint is_stratified
    bint is_initial         # the first roll is the opening roll of a game: never a double
    bint is_dealt           # whether ``deal`` and ``order`` are valid
    uint64_t deal
    int order[STRATIFIED_PLIES][36]


cdef void prepare_shaker(Shaker* shaker, uint64_t seed, bint is_stratified, bint is_initial) noexcept nogil
cdef void roll_dice(Shaker* shaker, uint64_t trial, int branch, int ply, int* die1, int* die2) noexcept nogil
