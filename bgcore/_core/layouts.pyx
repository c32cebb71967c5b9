"""Layouts as indices, single steps, and the graph of whole rolls; see layouts.pxd for the numbering.

Without contact nobody blocks: with any checker left, any die can be played. (One that stands higher than
the die moves; else the rearmost checker is home and is borne off.) So a roll is its two dice in either
order, or four times the one, each step legal by itself; only a finished bear-off leaves dice unplayed.
"""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from bgcore.errors import UnsupportedError

cdef int FIRST_DIE[21]
cdef int SECOND_DIE[21]
cdef int die_high, die_low, roll_number = 0
for die_high in range(1, 7):
    for die_low in range(1, die_high + 1):
        FIRST_DIE[roll_number] = die_high
        SECOND_DIE[roll_number] = die_low
        roll_number += 1


cdef void roll_dice(int roll, int* die1, int* die2) noexcept nogil:
    """The dice of a numbered roll, the larger first."""
    die1[0] = FIRST_DIE[roll]
    die2[0] = SECOND_DIE[roll]


cdef object no_space(int points, int checkers):
    """The error for a numbering that does not fit."""
    return UnsupportedError(
        f"{checkers} checkers on {points} points cannot be numbered: 1 to {MOST_CHECKERS} checkers on 1 to"
        f" {MOST_POINTS} points, {MOST_LAYOUTS:,} layouts at most"
    )


cdef bint set_space(Space* space, int points, int checkers) noexcept nogil:
    """Set up the numbering of layouts; False if it would not fit."""
    cdef int i, t
    cdef int64_t product
    if not (1 <= points <= MOST_POINTS and 1 <= checkers <= MOST_CHECKERS):
        return False
    space.points = points
    space.checkers = checkers
    for i in range(25):
        for t in range(16):
            space.term[i][t] = 0
    for t in range(1, checkers + 1):
        space.term[1][t] = t
    for i in range(2, points + 1):
        for t in range(1, checkers + 1):
            # C(t + i - 1, i) = C(t + i - 2, i) + C(t + i - 2, i - 1)
            space.term[i][t] = space.term[i][t - 1] + space.term[i - 1][t]
    product = 1
    for i in range(1, points + 1):
        product = product * (checkers + i) // i
        if product > MOST_LAYOUTS:
            space.layouts = 0
            return False
    space.layouts = product
    return True


cdef void layout_counts(const Space* space, int64_t index, int8_t* counts) noexcept nogil:
    """The checkers on each point of the layout with an index; ``counts`` has room for 26."""
    cdef int i, point, t = space.checkers, before = 0
    memset(counts, 0, 26)
    for i in range(space.points, 0, -1):
        while space.term[i][t] > index:
            t -= 1
        index -= space.term[i][t]
        # t checkers stand on the i highest points; the layer above told how many on the i + 1 highest.
        point = space.points - i + 1
        if i < space.points:
            counts[point - 1] = <int8_t>(before - t)
        before = t
    counts[space.points] = <int8_t>before


cdef void find_steps(
    const Space* space, const int8_t* counts, int64_t index, bint highest_first, Steps* out
) noexcept nogil:
    """Every layout that one die leads to, for each die; none for the empty layout.

    The standard rule bears a checker off its point by the exact die, and by a larger die if none stands
    higher. ``highest_first`` bears off from the rearmost point only, by any die that reaches.
    """
    cdef int64_t drop[25]    # drop[p]: by how much the index falls when one checker goes from p to 0
    cdef int point, die, behind = 0, highest = 0
    for point in range(space.points, 0, -1):
        behind += counts[point]
        if behind and not highest:
            highest = point
        # Kept from above first; summed from below in the next loop.
        drop[point] = space.term[space.points - point + 1][behind]
        if behind:
            drop[point] -= space.term[space.points - point + 1][behind - 1]
    drop[0] = 0
    for point in range(1, space.points + 1):
        drop[point] += drop[point - 1]
    for die in range(1, 7):
        out.count[die] = 0
        for point in range(highest, 0, -1):
            if counts[point] == 0:
                continue
            if point > die:
                out.to[die][out.count[die]] = <uint32_t>(index - drop[point] + drop[point - die])
            elif highest <= 6 and (point == highest or (point == die and not highest_first)):
                out.to[die][out.count[die]] = <uint32_t>(index - drop[point])
            else:
                continue
            out.count[die] += 1


cdef int expand(
    uint32_t id_, int die1, int die2, const uint32_t* step_start, const uint32_t* step_to,
    uint32_t* stamped, uint32_t* stamp, uint32_t* out,
) noexcept nogil:
    """Write the distinct results of a roll to ``out`` (room for MOST_QUEUED); returns how many."""
    cdef uint32_t queue[MOST_QUEUED]
    cdef int used, begin, end, _, count = 0
    cdef uint32_t n, k, middle, to
    if die1 == die2:
        queue[0] = id_
        begin, end = 0, 1
        for _ in range(4):
            stamp[0] += 1
            n = <uint32_t>end
            while begin < end:
                middle = queue[begin]
                begin += 1
                if middle == 0:    # all off: the dice left over are not played
                    if stamped[0] != stamp[0]:
                        stamped[0] = stamp[0]
                        queue[n] = 0
                        n += 1
                    continue
                for k in range(step_start[middle * 6 + die1 - 1], step_start[middle * 6 + die1]):
                    to = step_to[k]
                    if stamped[to] != stamp[0]:
                        stamped[to] = stamp[0]
                        queue[n] = to
                        n += 1
            end = <int>n
        for used in range(begin, end):
            out[count] = queue[used]
            count += 1
        return count
    stamp[0] += 1
    for _ in range(2):
        for n in range(step_start[id_ * 6 + die1 - 1], step_start[id_ * 6 + die1]):
            middle = step_to[n]
            if middle == 0:
                if stamped[0] != stamp[0]:
                    stamped[0] = stamp[0]
                    out[count] = 0
                    count += 1
                continue
            for k in range(step_start[middle * 6 + die2 - 1], step_start[middle * 6 + die2]):
                to = step_to[k]
                if stamped[to] != stamp[0]:
                    stamped[to] = stamp[0]
                    out[count] = to
                    count += 1
        die1, die2 = die2, die1
    return count


cdef class Graph:
    """The layouts that can follow a root layout (or all of a space), and every roll's distinct results."""

    def __cinit__(self, int points, int checkers, bint highest_first=False):
        self.highest_first = highest_first
        if not set_space(&self.space, points, checkers):
            raise no_space(points, checkers)

    def __dealloc__(self):
        free(self.index)
        free(self.roll_start)
        free(self.roll_to)
        free(self.rolls_used)
        free(self.count)
        free(self.highest)

    cdef int build(self, int64_t root) except -1:
        """Find everything that can follow the layout with index ``root``; with root -1, the whole space."""
        cdef Space* space = &self.space
        cdef int64_t most = space.layouts - 1 if root < 0 else root
        cdef int64_t i, id_ = 0, n_steps = 0
        cdef int die, n, point
        cdef Steps steps
        cdef int8_t counts[26]
        cdef uint32_t* local = <uint32_t*>calloc(most + 1, sizeof(uint32_t))
        cdef uint32_t* step_start = NULL
        cdef uint32_t* step_to = NULL
        try:
            if local == NULL:
                raise MemoryError
            # Marks first (1 = a step leads here), then ids. Steps lead downwards, so one pass is enough.
            local[most] = 1
            self.size = 0
            for i in range(most, -1, -1):
                if root < 0:
                    local[i] = 1
                if local[i] == 0:
                    continue
                self.size += 1
                layout_counts(space, i, counts)
                find_steps(space, counts, i, self.highest_first, &steps)
                for die in range(1, 7):
                    n_steps += steps.count[die]
                    for n in range(steps.count[die]):
                        local[steps.to[die][n]] = 1
            self.index = <uint32_t*>malloc(self.size * sizeof(uint32_t))
            self.count = <int8_t*>calloc(self.size, 1)
            self.highest = <int8_t*>calloc(self.size, 1)
            step_start = <uint32_t*>malloc((self.size * 6 + 1) * sizeof(uint32_t))
            step_to = <uint32_t*>malloc((n_steps + 1) * sizeof(uint32_t))
            if (
                self.index == NULL or self.count == NULL or self.highest == NULL
                or step_start == NULL or step_to == NULL
            ):
                raise MemoryError
            n_steps = 0
            for i in range(most + 1):
                if local[i] == 0:
                    continue
                local[i] = <uint32_t>id_
                layout_counts(space, i, counts)
                self.index[id_] = <uint32_t>i
                for point in range(1, space.points + 1):
                    self.count[id_] += counts[point]
                    if counts[point]:
                        self.highest[id_] = <int8_t>point
                find_steps(space, counts, i, self.highest_first, &steps)
                for die in range(1, 7):
                    step_start[id_ * 6 + die - 1] = <uint32_t>n_steps
                    for n in range(steps.count[die]):
                        step_to[n_steps] = local[steps.to[die][n]]
                        n_steps += 1
                id_ += 1
            step_start[self.size * 6] = <uint32_t>n_steps
            self.join_steps(root < 0, step_start, step_to)
        finally:
            free(local)
            free(step_start)
            free(step_to)
        return 0

    cdef int join_steps(self, bint is_whole, const uint32_t* step_start, const uint32_t* step_to) except -1:
        """Join steps to whole rolls, from the root down; layouts met only in mid-roll get none."""
        cdef int64_t i, filled = 0, room = 64 * self.size + MOST_QUEUED
        cdef int roll, die1, die2, k, count
        cdef uint32_t stamp = 0
        cdef uint32_t* bigger
        cdef uint32_t* stamped = <uint32_t*>calloc(self.size, sizeof(uint32_t))
        try:
            self.rolls_used = <uint64_t*>calloc(self.size, sizeof(uint64_t))
            self.roll_start = <uint32_t*>malloc((self.size * ROLLS + 1) * sizeof(uint32_t))
            self.roll_to = <uint32_t*>malloc(room * sizeof(uint32_t))
            if stamped == NULL or self.rolls_used == NULL or self.roll_start == NULL or self.roll_to == NULL:
                raise MemoryError
            if is_whole:
                for i in range(self.size):
                    self.rolls_used[i] = ~<uint64_t>0
            else:
                self.rolls_used[self.size - 1] = 1
            for i in range(self.size - 1, -1, -1):
                for roll in range(ROLLS):
                    self.roll_start[(self.size - 1 - i) * ROLLS + roll] = <uint32_t>filled
                    if i == 0 or self.rolls_used[i] == 0:
                        continue
                    if room - filled < MOST_QUEUED:
                        room += room // 2 + MOST_QUEUED
                        bigger = <uint32_t*>realloc(self.roll_to, room * sizeof(uint32_t))
                        if bigger == NULL:
                            raise MemoryError
                        self.roll_to = bigger
                    roll_dice(roll, &die1, &die2)
                    count = expand(<uint32_t>i, die1, die2, step_start, step_to, stamped, &stamp, self.roll_to + filled)
                    for k in range(count):
                        self.rolls_used[self.roll_to[filled + k]] |= self.rolls_used[i] << 1
                    filled += count
            self.roll_start[self.size * ROLLS] = <uint32_t>filled
        finally:
            free(stamped)
        return 0
