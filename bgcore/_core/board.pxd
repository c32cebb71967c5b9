"""Bit-plane boards: the struct every compiled module works on, and its inline arithmetic.

A side's checkers are four 32-bit planes; bit ``p`` of plane ``k`` is bit ``k`` of the number of
checkers on slot ``p``. Slots are those of the public 26-int board, seen by the player to move:
bit 0 the opponent's bar, bits 1..24 the points, bit 25 my bar. Bit 0 of ``mine`` and bit 25 of
``theirs`` are always clear. Checkers borne off are 15 less those on the board.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
      #include <intrin.h>
      static inline int bg_popcount(uint32_t x) { return (int)__popcnt(x); }
      static inline int bg_lowest(uint32_t x) { unsigned long i; _BitScanForward(&i, x); return (int)i; }
      static inline int bg_highest(uint32_t x) { unsigned long i; _BitScanReverse(&i, x); return (int)i; }
    #else
      static inline int bg_popcount(uint32_t x) { return __builtin_popcount(x); }
      static inline int bg_lowest(uint32_t x) { return __builtin_ctz(x); }
      static inline int bg_highest(uint32_t x) { return 31 - __builtin_clz(x); }
    #endif
    """
    int bg_popcount(uint32_t) noexcept nogil
    int bg_lowest(uint32_t) noexcept nogil    # index of the lowest set bit; undefined for 0
    int bg_highest(uint32_t) noexcept nogil   # index of the highest set bit; undefined for 0


cdef struct Board:
    uint32_t mine[4]
    uint32_t theirs[4]


cdef inline uint32_t any_mine(const Board* b) noexcept nogil:
    """Slots that hold at least one of my checkers."""
    return b.mine[0] | b.mine[1] | b.mine[2] | b.mine[3]


cdef inline uint32_t any_theirs(const Board* b) noexcept nogil:
    """Slots that hold at least one of the opponent's checkers."""
    return b.theirs[0] | b.theirs[1] | b.theirs[2] | b.theirs[3]


cdef inline uint32_t blocked(const Board* b) noexcept nogil:
    """Points that the opponent has made (two or more checkers); never the bar."""
    return (b.theirs[1] | b.theirs[2] | b.theirs[3]) & 0x1FFFFFE


cdef inline uint32_t blots_theirs(const Board* b) noexcept nogil:
    """Points with exactly one of the opponent's checkers; never the bar."""
    return b.theirs[0] & ~(b.theirs[1] | b.theirs[2] | b.theirs[3]) & 0x1FFFFFE


cdef inline int count_at(const uint32_t* planes, int slot) noexcept nogil:
    """Checkers of one side on a slot."""
    return (
        ((planes[0] >> slot) & 1) | ((planes[1] >> slot) & 1) << 1
        | ((planes[2] >> slot) & 1) << 2 | ((planes[3] >> slot) & 1) << 3
    )


cdef inline int on_board(const uint32_t* planes) noexcept nogil:
    """Checkers of one side on the board, bar included."""
    return (
        bg_popcount(planes[0]) + 2 * bg_popcount(planes[1])
        + 4 * bg_popcount(planes[2]) + 8 * bg_popcount(planes[3])
    )


cdef inline uint32_t reversed_slots(uint32_t x) noexcept nogil:
    """Slot p becomes slot 25 - p."""
    x = ((x >> 1) & 0x55555555) | ((x & 0x55555555) << 1)
    x = ((x >> 2) & 0x33333333) | ((x & 0x33333333) << 2)
    x = ((x >> 4) & 0x0F0F0F0F) | ((x & 0x0F0F0F0F) << 4)
    x = ((x >> 8) & 0x00FF00FF) | ((x & 0x00FF00FF) << 8)
    return ((x >> 16) | (x << 16)) >> 6


cdef inline void flip(const Board* b, Board* out) noexcept nogil:
    """The same board seen by the other player; ``b`` and ``out`` must not overlap."""
    cdef int k
    for k in range(4):
        out.mine[k] = reversed_slots(b.theirs[k])
        out.theirs[k] = reversed_slots(b.mine[k])


cdef inline bint is_same(const Board* a, const Board* b) noexcept nogil:
    """Whether two boards are equal, slot by slot."""
    cdef uint32_t difference = 0
    cdef int k
    for k in range(4):
        difference |= (a.mine[k] ^ b.mine[k]) | (a.theirs[k] ^ b.theirs[k])
    return difference == 0


cdef inline void add_checker(uint32_t* planes, uint32_t bit) noexcept nogil:
    """One checker more on the slot of ``bit`` (a carry that ripples up the planes); nothing for bit 0."""
    cdef int k
    cdef uint32_t before
    for k in range(4):
        before = planes[k]
        planes[k] = before ^ bit
        bit &= before


cdef inline void remove_checker(uint32_t* planes, uint32_t bit) noexcept nogil:
    """One checker fewer on the slot of ``bit`` (a borrow that ripples up the planes)."""
    cdef int k
    cdef uint32_t before
    for k in range(4):
        before = planes[k]
        planes[k] = before ^ bit
        bit &= ~before


cdef inline bint is_contact(const Board* b) noexcept nogil:
    """Whether the two sides still have to pass each other: some checker of mine is behind one of theirs."""
    cdef uint32_t mine = any_mine(b), theirs = any_theirs(b)
    return mine != 0 and theirs != 0 and bg_highest(mine) > bg_lowest(theirs)


cdef inline int pips_mine(const Board* b) noexcept nogil:
    """My pip count: each checker's distance to travel, the bar counting 25."""
    cdef int slot, total = 0
    cdef uint32_t rest = any_mine(b)
    while rest:
        slot = bg_lowest(rest)
        rest &= rest - 1
        total += slot * count_at(b.mine, slot)
    return total


cdef inline int pips_theirs(const Board* b) noexcept nogil:
    """The opponent's pip count."""
    cdef int slot, total = 0
    cdef uint32_t rest = any_theirs(b)
    while rest:
        slot = bg_lowest(rest)
        rest &= rest - 1
        total += (25 - slot) * count_at(b.theirs, slot)
    return total


cdef inline int outcome(const Board* b) noexcept nogil:
    """Points of a finished game under the standard rules, mine positive; 0 while it goes on.

    1 single, 2 gammon (the loser has all 15 on the board), 3 backgammon (a gammon, and the loser
    still has a checker on the bar or in the winner's home board).
    """
    cdef uint32_t mine = any_mine(b), theirs = any_theirs(b)
    if mine == 0:
        if on_board(b.theirs) < 15:
            return 1
        return 3 if theirs & 0x7F else 2
    if theirs == 0:
        if on_board(b.mine) < 15:
            return -1
        return -3 if mine & 0x3F80000 else -2
    return 0


cdef inline uint64_t hash_board(const Board* b) noexcept nogil:
    """A 64-bit mix of all eight planes; the same on every machine."""
    cdef uint64_t h = <uint64_t>0x9E3779B97F4A7C15
    cdef int k
    for k in range(4):
        h ^= (<uint64_t>b.mine[k] << 32) | b.theirs[k]
        h ^= h >> 32
        h *= <uint64_t>0xD6E8FEB86659FD93
    h ^= h >> 32
    return h


cdef void board_to_row(const Board* b, int8_t* row) noexcept nogil
cdef void row_to_board(const int8_t* row, Board* out) noexcept nogil
cdef int row_faults(const int8_t* row) noexcept nogil


cdef class Position:
    cdef Board board_bits

cdef Position wrap(const Board* b)
cdef Position as_position(object value)
