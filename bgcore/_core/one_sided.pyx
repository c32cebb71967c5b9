"""Filling one-sided bear-off tables: how many rolls a side needs, when it plays to need few.

One pass over the layouts in rising order of index. The best result of a whole roll is found through
chains: the best result of one more die from each layout is kept, so a mixed roll is the best of at most
two dozen look-ups and a double adds one link a step; no play is ever listed. That is exact because
"best" is a total order of results: the mean number of rolls, rounded to 2^-20, then fewer checkers left,
then the lower index. Means differing by less than a millionth of a roll thus count as tied.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy

import numpy as np

from bgcore._core.layouts cimport ROLLS, Space, Steps, find_steps, layout_counts, roll_dice, roll_weight, set_space

from bgcore.errors import UnsupportedError

cdef enum:
    LONGEST = 128         # more rolls than any layout within MOST_LAYOUTS needs
    BLOCK = 2048          # layouts between two reports of progress
    INDEX_BITS = 22
    COUNT_BITS = 4

# Chances below this are not stored: far under the precision of float32 sums, and well clear of subnormal numbers.
cdef double NEGLIGIBLE = 1.0 / (1 << 30) / (1 << 30)


cdef struct Links:
    # Best results of one, two and three more steps of each die, by the three aims of the fill.
    uint32_t best[6][3]
    uint8_t shortest[6][3]
    uint8_t longest[6][3]


cdef struct Rows:
    # Distributions, one after another, without leading and trailing zeros.
    float* chances
    int64_t filled
    int64_t room


cdef class Aim:
    # One thing to be done in few rolls: bear off all (base 0), or the first checker (base: layouts with one off).
    cdef int64_t base, size
    cdef Links* links
    cdef double[::1] mean
    cdef uint32_t[::1] start
    cdef uint8_t[::1] shift
    cdef uint8_t[:, ::1] bounds
    cdef Rows rows
    cdef readonly object arrays

    def __cinit__(self, int64_t base, int64_t size):
        self.base = base
        self.size = size
        self.links = <Links*>calloc(size + 1, sizeof(Links))
        if self.links == NULL:
            raise MemoryError
        self.arrays = (
            np.zeros(size), np.zeros(size + 1, np.uint32), np.zeros(size, np.uint8), np.zeros((size, 2), np.uint8),
        )
        self.mean, self.start, self.shift, self.bounds = self.arrays

    def __dealloc__(self):
        free(self.links)
        free(self.rows.chances)

    cdef object take_rows(self):
        """The chances as an array of their own."""
        chances = np.empty(self.rows.filled, np.float32)
        cdef float[::1] target = chances
        if self.rows.filled:
            memcpy(&target[0], self.rows.chances, self.rows.filled * sizeof(float))
        return chances


cdef struct State:
    # What both aims share: the order of results.
    Space space
    const uint64_t* key      # of bearing off all: rounded mean, checkers, index
    const uint32_t* rank     # of the aim at hand: rounded mean; NULL when key says it already
    int64_t base
    const Links* links
    const Links* links_done  # for layouts where the aim is reached already


cdef inline bint is_better(const State* state, uint32_t a, uint32_t b) noexcept nogil:
    """Whether result a comes before result b in the order of the aim."""
    cdef uint32_t first, second
    if state.rank != NULL:
        first = 0 if a < state.base else state.rank[a - state.base]
        second = 0 if b < state.base else state.rank[b - state.base]
        if first != second:
            return first < second
    return state.key[a] < state.key[b]


cdef inline const Links* links_of(const State* state, uint32_t index) noexcept nogil:
    return &state.links_done[index] if index < state.base else &state.links[index - state.base]


cdef void link(const State* state, const Steps* steps, Links* out, Links* fourth) noexcept nogil:
    """Find the best results of one to three steps of each die, and of four (as step 1 of ``fourth``)."""
    cdef int die, used, n
    cdef uint32_t to, found, best
    cdef const Links* after
    for die in range(6):
        for used in range(4):
            best = 0
            for n in range(steps.count[die + 1]):
                to = steps.to[die + 1][n]
                after = links_of(state, to)
                found = to if used == 0 else after.best[die][used - 1]
                if n == 0 or is_better(state, found, best):
                    best = found
            if used < 3:
                out.best[die][used] = best
            else:
                fourth.best[die][0] = best


cdef inline uint8_t bound_of(const uint8_t* bounds, int64_t base, uint32_t index, int which) noexcept nogil:
    return 0 if index < base else bounds[2 * (index - base) + which]


cdef void link_bounds(
    const State* state, const Steps* steps, const uint8_t* bounds, Links* out, Links* fourth
) noexcept nogil:
    """As link(), for the fewest rolls if all goes well and the most if all goes ill."""
    cdef int die, used, n
    cdef uint32_t to
    cdef uint8_t low, high, best_low, best_high
    for die in range(6):
        for used in range(4):
            best_low = best_high = 255
            for n in range(steps.count[die + 1]):
                to = steps.to[die + 1][n]
                if to < state.base:
                    low = high = 0
                elif used == 0:
                    low, high = bound_of(bounds, state.base, to, 0), bound_of(bounds, state.base, to, 1)
                else:
                    low, high = links_of(state, to).shortest[die][used - 1], links_of(state, to).longest[die][used - 1]
                best_low, best_high = min(best_low, low), min(best_high, high)
            if used < 3:
                out.shortest[die][used], out.longest[die][used] = best_low, best_high
            else:
                fourth.shortest[die][0], fourth.longest[die][0] = best_low, best_high


cdef bint fill_layout(State* state, Aim aim, int64_t index, const Steps* steps, const uint8_t* bounds) noexcept nogil:
    """Fill one row of an aim from rows with lower indices; False if memory runs out."""
    cdef Links fourth
    cdef Links* mine = &aim.links[index - aim.base]
    cdef Rows* rows = &aim.rows
    cdef double chance[LONGEST]
    cdef double mean = 0.0, weight
    cdef int roll, die1, die2, _, n, j, low, high, lowest_shift = LONGEST, end = 0
    cdef uint32_t best = 0, found, place, row
    cdef uint8_t roll_low, roll_high, shortest = 255, longest = 0
    cdef bint is_first
    cdef float* bigger
    link(state, steps, mine, &fourth)
    link_bounds(state, steps, bounds, mine, &fourth)
    for j in range(LONGEST):
        chance[j] = 0.0
    for roll in range(ROLLS):
        roll_dice(roll, &die1, &die2)
        if die1 == die2:
            best = fourth.best[die1 - 1][0]
            roll_low, roll_high = fourth.shortest[die1 - 1][0], fourth.longest[die1 - 1][0]
        else:
            is_first = True
            roll_low = roll_high = 255
            for _ in range(2):
                for n in range(steps.count[die1]):
                    place = steps.to[die1][n]
                    found = links_of(state, place).best[die2 - 1][0]
                    if is_first or is_better(state, found, best):
                        best = found
                        is_first = False
                    if place < aim.base:
                        roll_low = roll_high = 0
                    else:
                        roll_low = min(roll_low, links_of(state, place).shortest[die2 - 1][0])
                        roll_high = min(roll_high, links_of(state, place).longest[die2 - 1][0])
                die1, die2 = die2, die1
        shortest, longest = min(shortest, roll_low), max(longest, roll_high)
        weight = roll_weight(roll) / 36.0
        if best < aim.base or best == 0:    # reached within this roll
            chance[1] += weight
            lowest_shift = 1
            end = max(end, 2)
            continue
        row = <uint32_t>(best - aim.base)
        mean += weight * aim.mean[row]
        low = aim.shift[row] + 1
        high = <int>(aim.start[row + 1] - aim.start[row])
        for j in range(high):
            chance[low + j] += weight * rows.chances[aim.start[row] + j]
        lowest_shift = min(lowest_shift, low)
        end = max(end, low + high)
    while end > lowest_shift + 1 and chance[end - 1] < NEGLIGIBLE:
        end -= 1
    row = <uint32_t>(index - aim.base)
    aim.mean[row] = 1.0 + mean
    aim.bounds[row, 0], aim.bounds[row, 1] = shortest + 1, longest + 1
    aim.shift[row] = <uint8_t>lowest_shift
    if rows.filled + LONGEST > rows.room:
        rows.room += rows.room // 2 + 65536
        bigger = <float*>realloc(rows.chances, rows.room * sizeof(float))
        if bigger == NULL:
            return False
        rows.chances = bigger
    for j in range(lowest_shift, end):
        rows.chances[rows.filled] = <float>chance[j]
        rows.filled += 1
    aim.start[row + 1] = <uint32_t>rows.filled
    return True


def fill_one_sided(int points, int checkers, progress=None):
    """Fill a one-sided table.

    Returns the arrays of "bear off all" and of "bear off the first checker" (rows only for layouts with
    all 15 checkers): for each, mean (n,) float64, start (n + 1,) uint32, shift (n,) uint8, bounds (n, 2)
    uint8, chances float32. ``progress(done, total)`` is called between blocks of layouts.
    """
    cdef State state
    cdef int64_t index = 1, block_end, base
    cdef int count, point
    cdef int8_t counts[26]
    cdef Steps steps
    cdef bint is_enough = True
    if not set_space(&state.space, points, checkers) or state.space.layouts > (1 << INDEX_BITS):
        raise UnsupportedError(f"a one-sided table of {checkers} checkers on {points} points would be too large")
    cdef int64_t layouts = state.space.layouts
    # Layouts with all 15 checkers have the highest indices; the rest have borne one off.
    base = state.space.term[points][15] if checkers == 15 else layouts
    cdef Aim all_off = Aim(0, layouts), first_off = Aim(base, layouts - base)
    key_array, rank_array = np.zeros(layouts, np.uint64), np.zeros(layouts - base + 1, np.uint32)
    cdef uint64_t[::1] keys = key_array
    cdef uint32_t[::1] ranks = rank_array
    state.key = &keys[0]
    # The empty layout: no rolls, for certain. Its links point to itself, as calloc left them.
    all_off.rows.room = 65536
    all_off.rows.chances = <float*>calloc(all_off.rows.room, sizeof(float))
    if all_off.rows.chances == NULL:
        raise MemoryError
    all_off.rows.chances[0] = 1.0
    all_off.rows.filled = 1
    all_off.start[1] = 1
    while index < layouts:
        block_end = min(index + BLOCK, layouts)
        with nogil:
            while index < block_end and is_enough:
                layout_counts(&state.space, index, counts)
                count = 0
                for point in range(1, points + 1):
                    count += counts[point]
                find_steps(&state.space, counts, index, False, &steps)
                state.base, state.rank, state.links, state.links_done = 0, NULL, all_off.links, NULL
                is_enough = fill_layout(&state, all_off, index, &steps, &all_off.bounds[0, 0])
                keys[index] = (
                    <uint64_t>(all_off.mean[index] * (1 << 20) + 0.5) << (COUNT_BITS + INDEX_BITS)
                    | <uint64_t>count << INDEX_BITS | <uint64_t>index
                )
                if index >= base and is_enough:
                    state.base, state.rank = base, &ranks[0]
                    state.links, state.links_done = first_off.links, all_off.links
                    is_enough = fill_layout(&state, first_off, index, &steps, &first_off.bounds[0, 0])
                    ranks[index - base] = <uint32_t>(first_off.mean[index - base] * (1 << 20) + 0.5)
                index += 1
        if not is_enough:
            raise MemoryError
        if progress is not None:
            progress(index, layouts)
    return (
        (*all_off.arrays, all_off.take_rows()),
        (*first_off.arrays, first_off.take_rows()),
    )
