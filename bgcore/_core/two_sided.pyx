"""Filling two-sided bear-off tables: exact play of both sides, cubeless and with the money cube.

An entry belongs to (mover's layout, opponent's layout), mover to roll, and holds four float32 numbers: the
mover's chance to win when no cube is used, and the equity per unit of cube of rolling without doubling
when the cube is centred, mine, or the opponent's. (With a double now, the cube is worth the larger of
that and of min(2 x the last, 1).) Each number maximises its own value over the plays of each roll.

Order of filling: an entry needs entries of the swapped pair with a lower index for the side that moved.
Rows are taken in bands of mover's layouts; see fill_band.
"""

from libc.stdint cimport int64_t, uint32_t

from bgcore._core.layouts cimport ROLLS, Graph, roll_weight


cdef struct Fill:
    # The table, and a Graph's rolls as raw pointers, for the inner loop.
    float* values
    const uint32_t* start
    const uint32_t* to
    int64_t size


cdef void fill_entry(const void* given, int64_t i, int64_t j) noexcept nogil:
    """Compute the entry of mover's layout i against j, from row j of the table."""
    cdef const Fill* fill = <const Fill*>given
    cdef const float* row = fill.values + 4 * j * fill.size
    cdef const float* after
    cdef const uint32_t* start = fill.start + (fill.size - 1 - i) * ROLLS
    cdef float lose, centre, mine, theirs, doubled, best_lose, best_centre, best_mine, best_theirs
    cdef double sum_lose = 0.0, sum_centre = 0.0, sum_mine = 0.0, sum_theirs = 0.0
    cdef double weight
    cdef int roll
    cdef uint32_t k
    cdef float* out = fill.values + 4 * (i * fill.size + j)
    for roll in range(ROLLS):
        best_lose = best_centre = best_mine = best_theirs = 4.0
        for k in range(start[roll], start[roll + 1]):
            # What the opponent gets when he is to roll; he takes the better of doubling and not.
            after = row + 4 * fill.to[k]
            lose, centre, mine, theirs = after[0], after[1], after[2], after[3]
            doubled = theirs + theirs
            doubled = doubled if doubled < 1.0 else <float>1.0
            centre = centre if centre > doubled else doubled
            mine = mine if mine > doubled else doubled
            best_lose = lose if lose < best_lose else best_lose
            best_centre = centre if centre < best_centre else best_centre
            # The opponent's own cube is the one that I do not have, and the other way round.
            best_theirs = mine if mine < best_theirs else best_theirs
            best_mine = theirs if theirs < best_mine else best_mine
        weight = roll_weight(roll)
        sum_lose += weight * best_lose
        sum_centre += weight * best_centre
        sum_mine += weight * best_mine
        sum_theirs += weight * best_theirs
    out[0] = <float>(1.0 - sum_lose / 36.0)
    out[1] = <float>(-sum_centre / 36.0)
    out[2] = <float>(-sum_mine / 36.0)
    out[3] = <float>(-sum_theirs / 36.0)


cdef void fill_band(FillEntry fill, const void* table, int64_t first, int64_t last) noexcept nogil:
    """Fill all entries whose larger index lies in first..last-1; those with both below ``first`` are filled.

    (i, j) needs (j, i') for i' < i. For j below the band and i in it, these are old entries or were
    filled just before; (j, i) with i in the band needs (i, j') for j' < j, which earlier rounds filled.
    """
    cdef int64_t i, j
    for j in range(1, first):
        for i in range(first, last):
            fill(table, j, i)
        for i in range(first, last):
            fill(table, i, j)
    for i in range(first, last):
        for j in range(first, i):
            fill(table, i, j)
            fill(table, j, i)
        fill(table, i, i)


def band_count(Graph graph not None):
    """How many bands fill a graph's table."""
    return (graph.size - 1 + BAND - 1) // BAND


def band_span(Graph graph not None, int64_t band):
    """The layouts that a band fills, with each other and with all before them: the first, and one past the last."""
    return 1 + band * BAND, min(graph.size, 1 + (band + 1) * BAND)


def fill_bands(Graph graph not None, float[::1] values not None, int64_t begin, int64_t end):
    """Fill bands begin..end-1 of a table of size x size x 4 numbers; earlier bands must be filled.

    Band 0 also writes the finished games: a side without checkers has won.
    """
    cdef Fill fill
    cdef int64_t k, size = graph.size, band
    cdef int kind
    if values.shape[0] != 4 * size * size:
        raise ValueError(f"a table of {size} layouts holds {4 * size * size} numbers, not {values.shape[0]}")
    fill.values, fill.start, fill.to, fill.size = &values[0], graph.roll_start, graph.roll_to, size
    with nogil:
        if begin == 0:
            for k in range(size - 1, -1, -1):
                for kind in range(4):
                    values[4 * k * size + kind] = 0.0 if kind == 0 else -1.0    # the opponent has borne off
                    values[4 * k + kind] = 1.0                                  # I have
        for band in range(begin, end):
            fill_band(fill_entry, &fill, 1 + band * BAND, min(size, 1 + (band + 1) * BAND))


def whole_graph(int points, int checkers):
    """The graph of all layouts of up to ``checkers`` checkers on ``points`` points."""
    cdef Graph graph = Graph(points, checkers)
    graph.build(-1)
    return graph
