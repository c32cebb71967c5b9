"""Evaluation by an integer network whose first layer is shared between the plays of a roll.

The weights come from a file that names its version, its shape and its SHA-256; the arithmetic is in
``kernels/`` (one header for each instruction set, all with the same bits). See ``kernels/inputs.h``
for what the network sees and ``kernels/shape.h`` for its layers and scales.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t
from libc.string cimport memcpy, memset

import hashlib
import os
import struct
import threading
from importlib.resources import files

from bgcore._core.bearoff cimport (
    OneSided, OneSidedTable, TwoSided, TwoSidedTable, find_two_sided, in_one_sided, is_within, one_sided_outcomes,
)
from bgcore._core.board cimport Board, Position, any_mine, any_theirs, flip, outcome, row_to_board, wrap
from bgcore._core.layouts cimport index_mine, index_theirs
from bgcore._core.plays cimport legal_results

from bgcore.errors import DataError, RulesError, binary

cdef extern from "kernels/kernels.h" nogil:
    """
    static inline const int32_t *bg_keep(const BgWeights *w) { return w->keep; }
    """
    enum:
        BG_ROWS
        BG_HIDDEN
        BG_SECOND
        BG_PHASES
        BG_LEVELS
        BG_INPUTS_VERSION
        BG_FILE_BYTES
    void bg_fill_stacks(Weights* weights) noexcept
    ctypedef struct Scratch "BgScratch":
        pass
    ctypedef struct Kernels "BgKernels":
        const char* name
        void (*evaluate)(const Weights*, Scratch*, const uint32_t*, double*) noexcept nogil
        void (*parent)(const Weights*, Scratch*, const uint32_t*) noexcept nogil
        int32_t (*rank)(const Weights*, const Scratch*, const uint32_t*) noexcept nogil
        void (*child)(const Weights*, Scratch*, const uint32_t*, double*) noexcept nogil
    const Kernels* bg_levels
    int bg_is_supported(int level) noexcept
    const int32_t* bg_keep(const Weights* weights) noexcept
    void bg_inputs_init() noexcept

cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(_MSC_VER)
      #include <malloc.h>
      #define bg_aligned(size) _aligned_malloc((size + 63) / 64 * 64, 64)
      #define bg_release _aligned_free
    #else
      #define bg_aligned(size) aligned_alloc(64, (size + 63) / 64 * 64)
      #define bg_release free
    #endif
    #if defined(__linux__)
      #include <sys/mman.h>
    #endif
    /* Memory for the weights; on Linux in large pages, because every row read is another page. */
    static void *bg_weights_memory(void) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        size_t page = 2 << 20, size = (sizeof(BgWeights) + page - 1) / page * page;
        void *memory = aligned_alloc(page, size);
        if (memory) (void)madvise(memory, size, MADV_HUGEPAGE);
        return memory;
    #else
        return bg_aligned(sizeof(BgWeights));
    #endif
    }
    /* what the six outcomes are worth in cubeless money play */
    static const double bg_money[6] = {1.0, 2.0, 3.0, -1.0, -2.0, -3.0};
    struct BgWorkspace {
        BgScratch scratch;
        uint32_t results[3060][8]; /* MAX_PLAYS boards of eight planes */
    };
    """
    const double* MONEY "bg_money"
    void* bg_aligned(size_t size) noexcept nogil
    void* bg_weights_memory() noexcept nogil
    void bg_release(void* memory) noexcept nogil
    ctypedef struct Memory "struct BgWorkspace":
        Scratch scratch
        uint32_t[3060][8] results

MAGIC = b"bgcore network\r\n"
HEADER = struct.Struct("<16s5I32s")

cdef const Kernels* active = NULL
bg_inputs_init()


def supported_levels():
    """SIMD levels that this processor can run, from the plainest to the fastest."""
    return [bg_levels[i].name.decode() for i in range(BG_LEVELS) if bg_is_supported(i)]


def active_level():
    """The SIMD level in use: the fastest supported one, unless ``BGCORE_SIMD`` names another."""
    return active.name.decode()


cdef int resolve() except -1:
    """Pick the level once, at import."""
    global active
    cdef int i
    wanted = os.environ.get("BGCORE_SIMD", "").strip().lower()
    for i in range(BG_LEVELS):
        if bg_is_supported(i) and (not wanted or bg_levels[i].name.decode() == wanted):
            active = &bg_levels[i]
    if active == NULL:
        raise DataError(f"BGCORE_SIMD asks for {wanted!r}; this processor runs {', '.join(supported_levels())}")
    return 0

resolve()


cdef class Network:
    """Weights of the evaluation network, checked and immutable; share one between threads freely.

    Pickles with its weights; the one that comes with bgcore by its digest alone, which the reader's has to equal.

    Attributes
    ----------
    digest : str
        SHA-256 of the weights, 64 hexadecimal digits. Equal digests give equal evaluations.
    """

    def __cinit__(self):
        self.weights = NULL

    def __init__(self):
        raise TypeError("use Network.from_bytes() or Network.default()")

    def __dealloc__(self):
        if self.weights != NULL:
            bg_release(self.weights)

    @staticmethod
    def from_bytes(data, name="weights"):
        """Read a weights file.

        Parameters
        ----------
        data : bytes, bytearray or memoryview
            The whole file: magic, version, shape, SHA-256 of the rest, then the rest.
        name : str
            What to call the file in error messages.

        Raises
        ------
        DataError
            If it is not a bgcore weights file, of another version or shape, cut short, or damaged.
        """
        cdef Network network
        cdef const char* payload
        data = binary(data, "weights are bytes")
        if len(data) < HEADER.size or data[:16] != MAGIC:
            raise DataError(f"{name} is not a bgcore weights file")
        _, version, rows, hidden, second, phases, checksum = HEADER.unpack_from(data)
        if version != BG_INPUTS_VERSION:
            raise DataError(f"{name} is a weights file of version {version}, not {BG_INPUTS_VERSION}")
        if (rows, hidden, second, phases) != (BG_ROWS, BG_HIDDEN, BG_SECOND, BG_PHASES):
            raise DataError(f"{name} holds a network of another shape: {rows} x {hidden} x {second}, {phases} phases")
        body = data[HEADER.size:]
        if len(body) != BG_FILE_BYTES:
            raise DataError(f"{name} is cut short or too long: {len(body)} bytes of weights, not {BG_FILE_BYTES}")
        if hashlib.sha256(body).digest() != checksum:
            raise DataError(f"{name} is damaged: its SHA-256 is not the one it states")
        network = Network.__new__(Network)
        network.weights = <Weights*>bg_weights_memory()
        if network.weights == NULL:
            raise MemoryError
        payload = body
        memcpy(network.weights, payload, BG_FILE_BYTES)
        bg_fill_stacks(network.weights)
        least, most = bg_keep(network.weights)[0], bg_keep(network.weights)[1]
        if not (1 <= least <= most <= 16 or least == most == 0):
            raise DataError(f"{name} is damaged: it keeps {least} to {most} plays, not 1 to 16")
        network.digest = checksum.hex()
        return network

    @staticmethod
    def default():
        """The network that comes with bgcore; read once, when first asked for."""
        return default_network()

    def __eq__(self, other):
        return self.digest == (<Network>other).digest if isinstance(other, Network) else NotImplemented

    def __hash__(self):
        return hash(self.digest)

    def __reduce__(self):
        if self is shipped:
            return network_of_digest, (self.digest,)
        sizes = (BG_INPUTS_VERSION, BG_ROWS, BG_HIDDEN, BG_SECOND, BG_PHASES)
        head = HEADER.pack(MAGIC, *sizes, bytes.fromhex(self.digest))
        return Network.from_bytes, (head + (<const char*>self.weights)[:BG_FILE_BYTES],)


cdef Network shipped = None
lock = threading.Lock()


cdef Network default_network():
    """The network that comes with bgcore; read once, when first asked for."""
    global shipped
    if shipped is None:
        with lock:
            if shipped is None:
                path = files("bgcore") / "data" / "weights.bin"
                try:
                    data = path.read_bytes()
                except OSError as error:
                    raise DataError(f"the network's weights cannot be read: {error}") from None
                shipped = Network.from_bytes(data, str(path))
    return shipped


def network_of_digest(digest):
    """The network that comes with bgcore, if it has this digest; DataError if it has another."""
    cdef Network network = default_network()
    if network.digest != digest:
        raise DataError(f"weights {digest[:12]} are wanted, and this bgcore comes with {network.digest[:12]}")
    return network


cdef Workspace* new_workspace() noexcept nogil:
    """Memory for one thread, or NULL; give it back with free_workspace."""
    cdef Workspace* workspace = <Workspace*>bg_aligned(sizeof(Memory))
    if workspace != NULL:
        memset(workspace, 0, sizeof(Scratch))    # room for plays follows, and needs no zeros
    return workspace


cdef void free_workspace(Workspace* workspace) noexcept nogil:
    """Give a workspace back."""
    bg_release(workspace)


cdef int read_utility(object utility, double* out) except -1:
    """Read what the six outcomes are worth."""
    cdef int k = 0
    for value in utility:
        if k < 6:
            out[k] = value
        k += 1
    if k != 6:
        raise RulesError(f"a utility is six numbers, not {k}")
    return 0


cdef inline void result_of(int points, double* out) noexcept nogil:
    """The six outcomes of a finished game worth ``points`` to the side to move."""
    cdef int k
    for k in range(6):
        out[k] = 0.0
    out[points - 1 if points > 0 else 2 - points] = 1.0


cdef inline void swap_sides(double* p) noexcept nogil:
    """Six outcomes seen by the other side, in place."""
    cdef double kept
    cdef int k
    for k in range(3):
        kept = p[k]
        p[k] = p[k + 3]
        p[k + 3] = kept


cdef void evaluate_board(const Weights* weights, Workspace* workspace, const Board* board, double* out) noexcept nogil:
    """Six outcomes of the side to move before its roll; a finished game is answered with its result."""
    if any_mine(board) == 0 or any_theirs(board) == 0:
        result_of(outcome(board), out)
        return
    active.evaluate(weights, &(<Memory*>workspace).scratch, <const uint32_t*>board, out)


cdef inline bint precedes(const Board* a, const Board* b) noexcept nogil:
    """The order that settles equal plays: the planes compared as eight numbers, mine first."""
    cdef const uint32_t* x = <const uint32_t*>a
    cdef const uint32_t* y = <const uint32_t*>b
    cdef int k
    for k in range(8):
        if x[k] != y[k]:
            return x[k] < y[k]
    return False


cdef int likely(const Weights* weights, const Scratch* scratch, const Board* results, int n,
                int few, int* chosen) noexcept nogil:
    """Indices of the plays worth evaluating, best-ranked first; returns how many (at most 16, or ``few``)."""
    cdef const int32_t* keep = bg_keep(weights)
    cdef int room = few if few else keep[1]
    cdef int32_t[17] ranks
    cdef int32_t rank
    cdef int i, at, kept = 0
    memset(ranks, 0, sizeof(ranks))
    for i in range(n):
        rank = active.rank(weights, scratch, <const uint32_t*>&results[i])
        at = kept
        while at > 0 and rank < ranks[at - 1]:
            ranks[at] = ranks[at - 1]
            chosen[at] = chosen[at - 1]
            at -= 1
        ranks[at] = rank
        chosen[at] = i
        if kept < room:
            kept += 1
    while few == 0 and kept > keep[0] and <int64_t>ranks[kept - 1] - ranks[0] > keep[2]:
        kept -= 1
    return kept


cdef int best_of_few(const Weights* weights, Workspace* workspace, const Board* board, int die1, int die2, int few,
                     const double* utility, Board* best, double* out) noexcept nogil:
    """``best_play`` among the ``few`` plays that the filter ranks best, or with 0 those it would evaluate."""
    cdef Memory* memory = <Memory*>workspace
    cdef Board* results = <Board*>memory.results
    cdef Board turned
    cdef double[6] p
    cdef int[17] chosen
    cdef double worth, most = 0
    cdef bint is_filtered
    cdef int i, j, k, kept, n = legal_results(board, die1, die2, results)
    if n == 0:
        best[0] = board[0]
        flip(board, &turned)
        evaluate_board(weights, workspace, &turned, out)
        swap_sides(out)
        return 0
    active.parent(weights, &memory.scratch, <const uint32_t*>board)
    # Weights without a filter (both bounds 0) have all plays evaluated.
    is_filtered = bg_keep(weights)[1] > 0 and n > (few if few else bg_keep(weights)[0])
    kept = likely(weights, &memory.scratch, results, n, few, chosen) if is_filtered else n
    for j in range(kept):
        i = chosen[j] if is_filtered else j
        if any_mine(&results[i]) == 0:
            result_of(outcome(&results[i]), p)
        else:
            active.child(weights, &memory.scratch, <const uint32_t*>&results[i], p)
            swap_sides(p)
        worth = 0
        for k in range(6):
            worth += utility[k] * p[k]
        if j == 0 or worth > most or (worth == most and precedes(&results[i], best)):
            most = worth
            best[0] = results[i]
            memcpy(out, p, sizeof(p))
    return n


cdef int best_play(const Weights* weights, Workspace* workspace, const Board* board, int die1, int die2,
                   const double* utility, Board* best, double* out) noexcept nogil:
    """The play of a roll that is worth most; returns the number of legal plays.

    ``utility[i]`` is what exclusive outcome i is worth to the mover. ``best`` takes the resulting board,
    seen by the mover (``board`` itself when there is no legal play), ``out`` the mover's six outcomes
    after it. All plays are ranked by the filter; those near the top are evaluated. Of plays worth the
    same to the last bit, the one whose planes come first is taken.
    """
    return best_of_few(weights, workspace, board, die1, die2, 0, utility, best, out)


def outcomes(Network network not None, Position position not None):
    """Six exclusive outcomes of the side to move: win single, gammon, backgammon, then losses."""
    cdef double[6] p
    cdef Workspace* workspace = new_workspace()
    if workspace == NULL:
        raise MemoryError
    evaluate_board(network.weights, workspace, &position.board_bits, p)
    free_workspace(workspace)
    return tuple([p[k] for k in range(6)])


def is_any_bearoff(const int8_t[:, ::1] boards, int points, int checkers):
    """Whether some board has both sides on their lowest points only, with at most so many checkers each."""
    cdef int64_t i
    cdef int slot
    cdef Board board
    cdef bint found = False
    with nogil:
        for i in range(boards.shape[0]):
            slot = 25
            while slot > points and boards[i, slot] <= 0:
                slot -= 1
            if slot > points:
                continue
            row_to_board(&boards[i, 0], &board)
            if is_within(&board, points, checkers):
                found = True
                break
    return found


cdef bint from_tables(const OneSided* one, const TwoSided* two, const Board* board, double* out) noexcept nogil:
    """Six outcomes from the exact table, else from the one-sided one; False if neither holds the board."""
    cdef const float* entry = find_two_sided(two, board)
    cdef int k
    if entry != NULL:
        for k in range(6):
            out[k] = 0.0
        out[0] = entry[0]
        out[3] = 1.0 - <double>entry[0]
        return True
    if in_one_sided(one, board):
        one_sided_outcomes(one, index_mine(&one.space, board), index_theirs(&one.space, board), out)
        return True
    return False


def outcomes_batch(Network network not None, const int8_t[:, ::1] boards, float[:, ::1] out,
                   OneSidedTable one=None, TwoSidedTable two=None):
    """Cumulative probabilities of boards that are known to be legal, into ``out`` (n, 5); without the GIL.

    With tables (both or none), the boards they hold are answered by them.
    """
    cdef int64_t i
    cdef Board board
    cdef bint with_tables = one is not None and two is not None
    cdef double[6] p
    cdef Workspace* workspace = new_workspace()
    if workspace == NULL:
        raise MemoryError
    with nogil:
        for i in range(boards.shape[0]):
            row_to_board(&boards[i, 0], &board)
            if not (with_tables and from_tables(&one.raw, &two.raw, &board, p)):
                evaluate_board(network.weights, workspace, &board, p)
            out[i, 0] = <float>(p[0] + p[1] + p[2])
            out[i, 1] = <float>(p[1] + p[2])
            out[i, 2] = <float>p[2]
            out[i, 3] = <float>(p[4] + p[5])
            out[i, 4] = <float>p[5]
        free_workspace(workspace)


def chosen_play(Network network not None, Position position not None, int die1, int die2, utility):
    """The best play of a roll: ``(result, six outcomes of the mover after it, number of legal plays)``."""
    cdef Board best
    cdef double[6] p
    cdef double[6] worth
    cdef Workspace* workspace
    cdef int k, n
    read_utility(utility, worth)
    workspace = new_workspace()
    if workspace == NULL:
        raise MemoryError
    n = best_play(network.weights, workspace, &position.board_bits, die1, die2, worth, &best, p)
    free_workspace(workspace)
    return wrap(&best), tuple([p[k] for k in range(6)]), n


def self_play(Network network not None, Position position not None, const int8_t[:, ::1] dice):
    """Play on from a position with given rolls, both sides by ``best_play`` for cubeless money.

    Returns ``(positions evaluated, plies played, position at the end)``; a game that ends early starts again
    from ``position``. It is the play-selection loop that the benchmarks time.
    """
    cdef Workspace* workspace = new_workspace()
    cdef double[6] p
    cdef Board board = position.board_bits, best
    cdef int64_t i, evaluated = 0
    cdef int n
    if workspace == NULL:
        raise MemoryError
    with nogil:
        for i in range(dice.shape[0]):
            n = best_play(network.weights, workspace, &board, dice[i, 0], dice[i, 1], MONEY, &best, p)
            evaluated += n if n else 1
            flip(&best, &board)
            if any_theirs(&board) == 0:
                board = position.board_bits
        free_workspace(workspace)
    return evaluated, dice.shape[0], wrap(&board)
