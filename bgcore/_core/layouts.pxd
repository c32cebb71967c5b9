"""Layouts of one side's checkers as indices, and how rolls lead from one to another when nobody can block or hit.

A layout is where one side's checkers stand, on points 1 to ``points``; up to ``checkers`` of them. With
t_i the checkers on the i highest points, its index is the sum of C(t_i + i - 1, i): the combinatorial
number system. So the empty layout is 0, layouts with fewer checkers come first (those of a table with
fewer checkers keep their indices in a larger one), and every move of a checker leads to a lower index:
walking indices upwards meets every successor before its source.
"""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t

from bgcore._core.board cimport Board, count_at

cdef enum:
    MOST_POINTS = 24
    MOST_CHECKERS = 15
    MOST_LAYOUTS = 1 << 23    # what a Graph will hold; C(25, 10) = 3,268,760 for ten points and 15 checkers
    ROLLS = 21
    # A double's steps are at most C(15 + 4 - 1, 4) + C(17, 3) + C(16, 2) + 15 + 1 layouts in all.
    MOST_QUEUED = 4096


cdef struct Space:
    int points
    int checkers
    int64_t layouts
    int64_t term[25][16]      # term[i][t] = C(t + i - 1, i)


cdef struct Steps:
    # The layouts one die leads to, for each die.
    int count[7]
    uint32_t to[7][24]


cdef object no_space(int points, int checkers)
cdef bint set_space(Space* space, int points, int checkers) noexcept nogil
cdef void layout_counts(const Space* space, int64_t index, int8_t* counts) noexcept nogil
cdef void find_steps(
    const Space* space, const int8_t* counts, int64_t index, bint highest_first, Steps* out
) noexcept nogil
cdef void roll_dice(int roll, int* die1, int* die2) noexcept nogil


cdef inline int roll_weight(int roll) noexcept nogil:
    """In how many of 36 ways a roll falls; rolls are numbered 1-1, 2-1, 2-2, 3-1 ... 6-6."""
    return 1 if roll == 0 or roll == 2 or roll == 5 or roll == 9 or roll == 14 or roll == 20 else 2


cdef inline int64_t index_of_counts(const Space* space, const int8_t* counts) noexcept nogil:
    """The index of a layout that lies in the space; ``counts[p]`` checkers on point p."""
    cdef int point, behind = 0
    cdef int64_t index = 0
    for point in range(space.points, 0, -1):
        behind += counts[point]
        index += space.term[space.points - point + 1][behind]
    return index


cdef inline int64_t index_mine(const Space* space, const Board* b) noexcept nogil:
    """The index of my checkers' layout, which must lie in the space."""
    cdef int point, behind = 0
    cdef int64_t index = 0
    for point in range(space.points, 0, -1):
        behind += count_at(b.mine, point)
        index += space.term[space.points - point + 1][behind]
    return index


cdef inline int64_t index_theirs(const Space* space, const Board* b) noexcept nogil:
    """The index of the opponent's layout, seen from his side; it must lie in the space."""
    cdef int point, behind = 0
    cdef int64_t index = 0
    for point in range(space.points, 0, -1):
        behind += count_at(b.theirs, 25 - point)
        index += space.term[space.points - point + 1][behind]
    return index


cdef class Graph:
    # Layouts that plays can lead to. An id is a layout's place among them in rising order of index, so
    # id 0 is the empty layout, the last the root, and every play leads to a lower id.
    cdef Space space
    cdef readonly bint highest_first
    cdef readonly int64_t size
    cdef uint32_t* index          # [size] id -> index in the space
    cdef int8_t* count            # [size] checkers on the board
    cdef int8_t* highest          # [size] the rearmost checker's point, 0 for none
    cdef uint64_t* rolls_used     # [size] bit n: some way of playing leads here from the root in n rolls
    cdef uint32_t* roll_start     # [size * ROLLS + 1] by falling id: see first_result
    cdef uint32_t* roll_to        # ids, the distinct results of each (id, roll)
    cdef int build(self, int64_t root) except -1
    cdef int join_steps(self, bint is_whole, const uint32_t* step_start, const uint32_t* step_to) except -1


cdef inline const uint32_t* first_result(Graph graph, int64_t id_, int roll, int* count) noexcept nogil:
    """The results of a roll from a layout, and how many; none for the empty layout."""
    cdef int64_t place = (graph.size - 1 - id_) * ROLLS + roll
    count[0] = <int>(graph.roll_start[place + 1] - graph.roll_start[place])
    return graph.roll_to + graph.roll_start[place]
