"""Self-play, labels and descent for the network, in nogil loops; driven by ``training/train.py``."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import mmap

import numpy as np

from bgcore._core.board cimport (
    Board, add_checker, any_mine, any_theirs, board_to_row, count_at, flip, is_contact, is_same, outcome, row_faults,
)
from bgcore._core.network cimport (
    Network, Weights, Workspace, best_play, evaluate_board, free_workspace, new_workspace,
)
from bgcore._core.plays cimport MAX_PLAYS, legal_results

cdef enum:
    MAX_PLIES = 600

cdef extern from "float_net.h" nogil:
    const char* feature_names[1]
    int[1] feature_sizes
    enum:
        BG_TACTICAL
        BG_BASE_ROWS
        BG_INPUTS_VERSION
        BG_ROWS
        BG_HIDDEN
        BG_PHASES
        BG_ACTIVE
        BG_BASE_ACTIVE
        HV
    ctypedef struct Vec:
        pass
    ctypedef struct FloatNet:
        float *rows
        float *bias
        float *w1
        float *b1
        float *w2
        float *b2
        float *scale
    ctypedef struct Pass:
        Vec sum[1]
        float probs[8]
        uint16_t rows[1]
        int phase
        int possible
    void bg_inputs_init()
    void bg_base(const uint32_t*, uint16_t*)
    int bg_base_changes(const uint32_t*, const uint32_t*, uint16_t*, uint16_t*)
    int bg_tactical(const uint32_t*, uint16_t*)
    int bg_possible(const uint32_t*)
    void float_forward(const FloatNet*, const uint32_t*, Pass*)
    void float_finish(const FloatNet*, Pass*)
    void float_step(FloatNet*, Pass*, const float*, float, float)

cdef extern from "filter_net.h" nogil:
    ctypedef struct FilterNet:
        float *rows
        float *bias
        float *out
    ctypedef struct FilterPass:
        pass
    float filter_forward(const FilterNet*, const uint32_t*, FilterPass*)
    float filter_group(FilterNet*, const uint32_t*, const float*, int, float)

cdef extern from *:
    """
    /* The row sum of the base rows alone, and a candidate's from its parent's. */
    static void base_sum(const FloatNet *net, const uint32_t *planes, Pass *p) {
        bg_base(planes, p->rows);
        for (int v = 0; v < HV; v++) p->sum[v] = ((const Vec *)net->bias)[v];
        float_add(net, p->sum, p->rows, BG_BASE_ACTIVE);
    }
    static void from_parent(const FloatNet *net, const Pass *parent, const uint32_t *before, const uint32_t *result,
                            Pass *p) {
        uint16_t gone[16], come[16];
        uint32_t planes[8];
        int n = bg_base_changes(before, result, gone, come);
        bg_turn(result, planes);
        for (int v = 0; v < HV; v++) p->sum[v] = parent->sum[v];
        for (int i = 0; i < n; i++) {
            const Vec *a = (const Vec *)(net->rows + (size_t)gone[i] * BG_HIDDEN);
            const Vec *b = (const Vec *)(net->rows + (size_t)come[i] * BG_HIDDEN);
            for (int v = 0; v < HV; v++) p->sum[v] += b[v] - a[v];
        }
        p->phase = bg_tactical(planes, p->rows);
        p->possible = bg_possible(planes);
        float_add(net, p->sum, p->rows, BG_TACTICAL);
        float_finish(net, p);
    }
    static void *new_pass(void) { return aligned_alloc(64, (sizeof(Pass) + 63) / 64 * 64); }
    """
    void base_sum(const FloatNet*, const uint32_t*, Pass*) nogil
    void from_parent(const FloatNet*, const Pass*, const uint32_t*, const uint32_t*, Pass*) nogil
    void* new_pass() nogil

bg_inputs_init()

SHAPES = {
    "rows": (BG_ROWS, BG_HIDDEN),
    "bias": (BG_HIDDEN,),
    "w1": (BG_PHASES + 1, BG_HIDDEN, 32),
    "b1": (BG_PHASES + 1, 32),
    "w2": (BG_PHASES + 1, 32, 8),
    "b2": (BG_PHASES + 1, 8),
    "scale": (BG_ROWS,),
}

BASE_ROWS = BG_BASE_ROWS
INPUTS_VERSION = BG_INPUTS_VERSION
FEATURE_NAMES = [feature_names[i].decode() for i in range(BG_TACTICAL)]
FEATURE_SIZES = [feature_sizes[i] for i in range(BG_TACTICAL)]


def aligned(shapes):
    """Zeroed float32 arrays side by side, each at a multiple of 64 bytes, in large pages where there are any."""
    sizes = {name: (int(np.prod(shape)) + 15) // 16 * 16 for name, shape in shapes.items()}
    memory = mmap.mmap(-1, max(4 * sum(sizes.values()), 2 << 20))
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    floats, arrays, at = np.frombuffer(memory, dtype=np.float32), {}, 0
    for name, shape in shapes.items():
        arrays[name] = floats[at : at + int(np.prod(shape))].reshape(shape)
        at += sizes[name]
    return arrays


cdef struct Random:
    uint64_t state


cdef inline uint64_t draw(Random* r) noexcept nogil:
    """Splitmix64."""
    cdef uint64_t z
    r.state += <uint64_t>0x9E3779B97F4A7C15
    z = r.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int below(Random* r, int n) noexcept nogil:
    return <int>((draw(r) >> 33) % <uint64_t>n)


cdef inline float unit(Random* r) noexcept nogil:
    return <float>(draw(r) >> 40) / <float>16777216.0


cdef inline float equity(const float* p) noexcept nogil:
    return p[0] + 2 * p[1] + 3 * p[2] - p[3] - 2 * p[4] - 3 * p[5]


cdef inline void swap(const float* p, float* out) noexcept nogil:
    """Six outcomes seen by the other side."""
    cdef int k
    for k in range(3):
        out[k] = p[k + 3]
        out[k + 3] = p[k]


cdef inline void result_of(const Board* b, float* out) noexcept nogil:
    """Six outcomes of a finished game."""
    cdef int k, points = outcome(b)
    for k in range(6):
        out[k] = 0
    out[points - 1 if points > 0 else 2 - points] = 1


cdef void opening(Board* b) noexcept nogil:
    cdef int k, _
    cdef int[4] slots
    cdef int[4] counts
    slots[0], slots[1], slots[2], slots[3] = 24, 13, 8, 6
    counts[0], counts[1], counts[2], counts[3] = 2, 5, 3, 5
    for k in range(4):
        b.mine[k] = 0
        b.theirs[k] = 0
    for k in range(4):
        for _ in range(counts[k]):
            add_checker(b.mine, <uint32_t>1 << slots[k])
            add_checker(b.theirs, <uint32_t>1 << (25 - slots[k]))


cdef void place(Random* r, uint32_t* own, uint32_t taken, int n, int low, int high, int deep) noexcept nogil:
    """Put ``n`` checkers on free slots low..high, mostly in pairs; ``deep`` draws them towards the low end."""
    cdef int slot, tries = 0, _, pair
    while n > 0 and tries < 200:
        tries += 1
        slot = low + below(r, high - low + 1)
        for _ in range(deep):
            slot = min(slot, low + below(r, high - low + 1))
        if taken >> slot & 1:
            continue
        pair = 1 if n == 1 or below(r, 3) == 0 else 2
        if count_at(own, slot) + pair > 7:
            continue
        for _ in range(pair):
            add_checker(own, <uint32_t>1 << slot)
        n -= pair


cdef void side_setup(Random* r, uint32_t* own, uint32_t taken, int kind) noexcept nogil:
    """One side of a set-up, seen by itself: off, bar, back, outer and home checkers by kind."""
    cdef int bar = 0, back = 0, off = 0, outer, deep = 0, left, primed = 0, far = 18, low, high, slot, _
    if kind == 0:      # ordinary: a few back, the rest anywhere
        back = below(r, 4)
        outer = below(r, 8)
        bar = 1 if below(r, 6) == 0 else 0
    elif kind == 1:    # back game: four to seven back on anchors
        back = 4 + below(r, 4)
        outer = below(r, 6)
        deep = below(r, 3)
        bar = 1 if below(r, 5) == 0 else 0
    elif kind == 2:    # several on the bar
        bar = 2 + below(r, 4)
        back = below(r, 3)
        outer = below(r, 5)
        deep = below(r, 3)
    elif kind == 3:    # bearing off or in, nothing back
        off = below(r, 13) if below(r, 2) else 0
        outer = below(r, 4) if off == 0 else 0
        deep = below(r, 2)
    elif kind == 4:    # crashed, with checkers still back
        back = 1 + below(r, 4)
        outer = below(r, 3)
        deep = 2
        bar = 1 if below(r, 4) == 0 else 0
    elif kind == 5:    # late: some off, one to three back or on the bar
        off = below(r, 8)
        bar = below(r, 3)
        back = below(r, 3)
        outer = below(r, 3)
        deep = below(r, 3)
    elif kind == 6:    # escaped, bringing everything home
        outer = 4 + below(r, 9)
    elif kind == 8:    # racing: everything on slots 1 to 12, at times clumped
        off = below(r, 6) if below(r, 3) == 0 else 0
        outer = below(r, 16 - off)
        far = 7 + below(r, 6)
        deep = below(r, 3)
    else:              # a prime of five or six points, with or without checkers still behind
        back = below(r, 3)
        outer = below(r, 3)
        low = 2 + below(r, 6)
        high = low + 4 + below(r, 2)
        for slot in range(low, high + 1):
            if not taken >> slot & 1:
                add_checker(own, <uint32_t>1 << slot)
                add_checker(own, <uint32_t>1 << slot)
                primed += 2
    left = 15 - off - bar - back - primed
    outer = min(outer, left)
    for _ in range(bar):
        add_checker(own, <uint32_t>1 << 25)
    place(r, own, taken, back, 19, 24, 0)
    place(r, own, taken, outer, 7, far, 0)
    place(r, own, taken, left - outer, 1, 6, deep)


cdef void setup(Random* r, Board* b) noexcept nogil:
    """A random legal set-up of a rare kind; either side may be the rare one, both in a race."""
    cdef Board half, other
    cdef int k, first, second
    cdef signed char row[32]
    while True:
        for k in range(4):
            half.mine[k] = 0
            half.theirs[k] = 0
        first = below(r, 9)
        second = below(r, 8)
        if first == 8:
            second = 8
        elif first == 7:
            second = below(r, 4)
            second = 4 if second == 3 else second
        elif below(r, 2):
            second = 0 if below(r, 2) else 6
        side_setup(r, half.mine, 0, first)
        flip(&half, &other)
        side_setup(r, other.mine, any_theirs(&other), second)
        if below(r, 2):
            flip(&other, b)
        else:
            b[0] = other
        if any_mine(b) == 0 or any_theirs(b) == 0:
            continue
        board_to_row(b, row)
        if row_faults(row):
            continue
        return


cdef class Trainer:
    """The float network's memory and the loops over it; arrays are shared with numpy in ``arrays``."""

    cdef FloatNet net
    cdef readonly dict arrays

    def __init__(self):
        self.arrays = aligned(SHAPES)
        self.net.rows = <float*><size_t>self.arrays["rows"].ctypes.data
        self.net.bias = <float*><size_t>self.arrays["bias"].ctypes.data
        self.net.w1 = <float*><size_t>self.arrays["w1"].ctypes.data
        self.net.b1 = <float*><size_t>self.arrays["b1"].ctypes.data
        self.net.w2 = <float*><size_t>self.arrays["w2"].ctypes.data
        self.net.b2 = <float*><size_t>self.arrays["b2"].ctypes.data
        self.net.scale = <float*><size_t>self.arrays["scale"].ctypes.data

    def evaluate(self, const uint32_t[:, ::1] planes):
        """Six outcomes of each position."""
        out = np.empty((planes.shape[0], 6), dtype=np.float32)
        cdef float[:, ::1] view = out
        cdef int64_t i
        cdef int k
        cdef Pass* p = <Pass*>new_pass()
        with nogil:
            for i in range(planes.shape[0]):
                float_forward(&self.net, &planes[i, 0], p)
                for k in range(6):
                    view[i, k] = p.probs[k]
        free(p)
        return out

    def activity(self, const uint32_t[:, ::1] planes):
        """How often each row is active, and how often each phase is met."""
        rows = np.zeros(BG_ROWS, dtype=np.int64)
        phases = np.zeros(BG_PHASES, dtype=np.int64)
        cdef int64_t[::1] view = rows
        cdef int64_t[::1] met = phases
        cdef uint16_t[128] active
        cdef int64_t i
        cdef int k
        for i in range(planes.shape[0]):
            bg_base(&planes[i, 0], active)
            met[bg_tactical(&planes[i, 0], active + BG_BASE_ACTIVE)] += 1
            for k in range(BG_ACTIVE):
                view[active[k]] += 1
        return rows, phases

    def descend(self, const uint32_t[:, ::1] planes, const float[:, ::1] targets, const int64_t[::1] order,
                float rate_from, float rate_to, float row_share):
        """One step for each index of ``order``, the rate going evenly from one value to the other."""
        cdef int64_t i, at, n = order.shape[0]
        cdef float rate
        cdef double loss = 0
        cdef Pass* p = <Pass*>new_pass()
        with nogil:
            for i in range(n):
                at = order[i]
                rate = rate_from + (rate_to - rate_from) * (<float>i / <float>n)
                float_forward(&self.net, &planes[at, 0], p)
                loss += (equity(p.probs) - equity(&targets[at, 0])) ** 2
                float_step(&self.net, p, &targets[at, 0], rate, rate * row_share)
        free(p)
        return loss / max(n, 1)

    def td_games(self, uint64_t seed, int games, float rate_from, float rate_to, float row_share, float rare):
        """Plain TD(0) self-play: play greedily, step every value towards its successor's. Returns plies."""
        cdef Random r
        cdef Board* results = <Board*>malloc(MAX_PLAYS * sizeof(Board))
        cdef Pass* parent = <Pass*>new_pass()
        cdef Pass* p = <Pass*>new_pass()
        cdef Board board, turned, next_board
        cdef float best, e, rate
        cdef float[8] target
        cdef int64_t plies = 0
        cdef int g, n, i, pick, d1, d2, length
        r.state = seed
        with nogil:
            for g in range(games):
                rate = rate_from + (rate_to - rate_from) * (<float>g / <float>games)
                if unit(&r) < rare:
                    setup(&r, &board)
                else:
                    opening(&board)
                length = 0
                while length < MAX_PLIES:
                    length += 1
                    d1 = 1 + below(&r, 6)
                    d2 = 1 + below(&r, 6)
                    n = legal_results(&board, d1, d2, results)
                    flip(&board, &turned)
                    if n == 0:
                        next_board = turned
                    else:
                        base_sum(&self.net, <uint32_t*>&turned, parent)
                        pick = 0
                        best = 1e9
                        for i in range(n):
                            if any_mine(&results[i]) == 0:
                                pick = i
                                best = -1e9
                                break
                            from_parent(&self.net, parent, <uint32_t*>&board, <uint32_t*>&results[i], p)
                            e = equity(p.probs)
                            if e < best:
                                best = e
                                pick = i
                        flip(&results[pick], &next_board)
                    if any_theirs(&next_board) == 0:
                        result_of(&next_board, p.probs)
                    else:
                        float_forward(&self.net, <uint32_t*>&next_board, p)
                    swap(p.probs, target)
                    float_forward(&self.net, <uint32_t*>&board, p)
                    float_step(&self.net, p, target, rate, rate * row_share)
                    if any_theirs(&next_board) == 0:
                        break
                    board = next_board
                plies += length
        free(results)
        free(parent)
        free(p)
        return plies


def label(Network network, uint64_t seed, uint32_t[:, ::1] planes, float[:, ::1] targets, float[:, ::1] before,
          float decay, float rare_decay, float rare, float keep_race):
    """Play games and label every position by dice-free TD(lambda); returns how many labels were written.

    A label is the one-ply expectation V1 plus, for every later position of the game up to the first
    move that was not the best, ``decay`` to the power of its distance times V1 - V0 there
    (``rare_decay`` in games from random set-ups, whose outcome takes long to show). ``before`` takes V0.
    ``keep_race`` is the share of games that are played on once contact is gone; the others end there with
    the network's value. Three games in eight are played with noise on the values of the plays, so that
    positions vary.
    """
    cdef Random r
    cdef Board* results = <Board*>malloc(MAX_PLAYS * sizeof(Board))
    cdef Board* boards = <Board*>malloc(MAX_PLIES * sizeof(Board))
    cdef double* v0 = <double*>malloc(MAX_PLIES * 6 * sizeof(double))
    cdef double* v1 = <double*>malloc(MAX_PLIES * 6 * sizeof(double))
    cdef uint8_t* greedy = <uint8_t*>malloc(MAX_PLIES)
    cdef Workspace* work = new_workspace()
    cdef const Weights* weights = network.weights
    cdef Board after, best_board, chosen
    cdef double[6] tail
    cdef double[6] carry
    cdef double[6] p
    cdef double[6] worth
    cdef double noisy, e, weight, level, lasting
    cdef int64_t written = 0, room = planes.shape[0]
    cdef int n, i, k, d1, d2, roll1, roll2, t, last
    for k in range(6):
        worth[k] = k + 1 if k < 3 else 2 - k
    memset(carry, 0, sizeof(carry))  # every turn sets it, at the roll that was thrown; C compilers cannot see that
    r.state = seed
    with nogil:
        while written < room:
            if unit(&r) < rare:
                setup(&r, &boards[0])
                lasting = rare_decay
            else:
                opening(&boards[0])
                lasting = decay
            level = 0
            i = below(&r, 8)
            if i == 0:
                level = 0.4
            elif i == 1:
                level = 0.15
            elif i == 2:
                level = 0.05
            evaluate_board(weights, work, &boards[0], v0)
            t = 0
            while True:
                for k in range(6):
                    v1[t * 6 + k] = 0
                roll1 = 1 + below(&r, 6)
                roll2 = 1 + below(&r, 6)
                if roll1 < roll2:
                    roll1, roll2 = roll2, roll1
                greedy[t] = 1
                for d1 in range(1, 7):
                    for d2 in range(1, d1 + 1):
                        weight = (1.0 if d1 == d2 else 2.0) / 36.0
                        best_play(weights, work, &boards[t], d1, d2, worth, &best_board, p)
                        for k in range(6):
                            v1[t * 6 + k] += weight * p[k]
                        if d1 == roll1 and d2 == roll2:
                            chosen = best_board
                            memcpy(carry, p, sizeof(p))
                if level > 0:
                    # Any play may be taken whose value is near the best; a deviation ends the sum below.
                    n = legal_results(&boards[t], roll1, roll2, results)
                    noisy = 1e9
                    best_board = chosen
                    for i in range(n):
                        flip(&results[i], &after)
                        evaluate_board(weights, work, &after, p)
                        e = p[0] + 2 * p[1] + 3 * p[2] - p[3] - 2 * p[4] - 3 * p[5]
                        e += (unit(&r) + unit(&r) + unit(&r) - 1.5) * 2 * level
                        if e < noisy:
                            noisy = e
                            chosen = results[i]
                            for k in range(3):
                                carry[k] = p[k + 3]
                                carry[k + 3] = p[k]
                    greedy[t] = is_same(&best_board, &chosen)
                if any_mine(&chosen) == 0 or t + 1 == MAX_PLIES:
                    break
                if is_contact(&boards[t]) and not is_contact(&chosen) and unit(&r) > keep_race:
                    break
                t += 1
                flip(&chosen, &boards[t])
                for k in range(3):
                    v0[t * 6 + k] = carry[k + 3]
                    v0[t * 6 + k + 3] = carry[k]
            for k in range(6):
                tail[k] = 0
            last = t
            for t in range(last, -1, -1):
                # tail: what later positions of the game add, seen by the side to move at t
                if t < last:
                    for k in range(6):
                        carry[k] = lasting * (v1[(t + 1) * 6 + k] - v0[(t + 1) * 6 + k] + tail[k]) if greedy[t] else 0
                    for k in range(3):
                        tail[k] = carry[k + 3]
                        tail[k + 3] = carry[k]
                if written < room:
                    memcpy(&planes[written, 0], &boards[t], 32)
                    for k in range(6):
                        targets[written, k] = v1[t * 6 + k] + tail[k]
                        before[written, k] = v0[t * 6 + k]
                    written += 1
    free(results)
    free(boards)
    free(v0)
    free(v1)
    free(greedy)
    free_workspace(work)
    return written


def rolls_of(Network network not None, uint64_t seed, const uint32_t[:, ::1] planes, int most):
    """A random roll for each position: its plays (at most ``most``), turned, with the network's equities.

    Returns ``(planes, equities, offsets)``; rolls with fewer than two plays are left out.
    """
    cdef Random r
    cdef Board* results = <Board*>malloc(MAX_PLAYS * sizeof(Board))
    cdef Workspace* work = new_workspace()
    cdef Board after
    cdef double[6] p
    cdef int64_t room = planes.shape[0] * most, written = 0, i
    cdef int n, j, group
    plays = np.empty((room, 8), dtype=np.uint32)
    equities = np.empty(room, dtype=np.float32)
    offsets = np.zeros(planes.shape[0] + 1, dtype=np.int64)
    cdef uint32_t[:, ::1] out = plays
    cdef float[::1] values = equities
    cdef int64_t[::1] edges = offsets
    r.state = seed
    group = 0
    with nogil:
        for i in range(planes.shape[0]):
            n = legal_results(<const Board*>&planes[i, 0], 1 + below(&r, 6), 1 + below(&r, 6), results)
            if n < 2 or n > most:
                continue
            for j in range(n):
                flip(&results[j], &after)
                evaluate_board(network.weights, work, &after, p)
                memcpy(&out[written, 0], &after, 32)
                values[written] = p[0] + 2 * p[1] + 3 * p[2] - p[3] - 2 * p[4] - 3 * p[5]
                written += 1
            group += 1
            edges[group] = written
    free(results)
    free_workspace(work)
    return plays[:written], equities[:written], offsets[: group + 1]


cdef class Filter:
    """The filter's memory and the loops over it."""

    cdef FilterNet net
    cdef readonly dict arrays

    def __init__(self):
        self.arrays = aligned({"rows": (BG_BASE_ROWS, 32), "bias": (32,), "out": (32,)})
        self.net.rows = <float*><size_t>self.arrays["rows"].ctypes.data
        self.net.bias = <float*><size_t>self.arrays["bias"].ctypes.data
        self.net.out = <float*><size_t>self.arrays["out"].ctypes.data

    def descend(self, const uint32_t[:, ::1] planes, const float[::1] equities, const int64_t[::1] offsets,
                const int64_t[::1] order, float rate):
        """One step for each roll of ``order``; returns the mean loss of a roll."""
        cdef int64_t i, g
        cdef double loss = 0
        with nogil:
            for i in range(order.shape[0]):
                g = order[i]
                loss += filter_group(&self.net, &planes[offsets[g], 0], &equities[offsets[g]],
                                     <int>min(offsets[g + 1] - offsets[g], 64), rate)
        return loss / max(order.shape[0], 1)

    def scores(self, const uint32_t[:, ::1] planes):
        """The filter's value of each position: comparable within a roll only."""
        out = np.empty(planes.shape[0], dtype=np.float32)
        cdef float[::1] view = out
        cdef int64_t i
        cdef FilterPass* p = <FilterPass*>new_pass()
        with nogil:
            for i in range(planes.shape[0]):
                view[i] = filter_forward(&self.net, &planes[i, 0], p)
        free(p)
        return out
