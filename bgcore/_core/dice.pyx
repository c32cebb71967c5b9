"""Rolls for rollouts: unbiased, reproducible, and dealt evenly over the first rolls of a trial.

Every random number is a word of Philox4x64-10 (``philox.h``) with the key ``(seed, purpose)`` and the
counter ``(ply, trial, attempt, branch)``: a trial that splits has branches with dice of their own, and is
branch 0 itself. A 32-bit half h is turned into a number below n by h * n >> 32, and is thrown away when
the low half of the product is below 2**32 mod n; what is left is exactly uniform (Lemire, "Fast random
integer generation in an interval", ACM TOMACS 29, 2019).

Stratification
--------------
Trials come in deals of 36 x 36 = 1,296. Trial r of a deal, with i = r // 36 and j = r % 36, takes its
first four rolls from positions m[k] * i + j of four random orders of the 36 rolls, one for each ply k.
Sum and product are those of the ring GF(4) x GF(9), and the differences of the four multipliers m[k]
are units of it. Hence (1) in every run of 36 trials each of the four rolls takes all 36 values once;
(2) in every deal any two of the four rolls take all 36 x 36 pairs once: an orthogonal array of
strength two (Bose and Bush, Annals of Mathematical Statistics 23, 1952). Later rolls are drawn. One
trial by itself still sees independent uniform rolls, so means are unbiased whatever their number.

For the opening roll of a game the first order holds the 30 rolls that are no doubles, and a deal is
30 x 36 = 1,080 trials.
"""

from libc.stdint cimport int8_t, uint32_t

import numpy as np

from bgcore.errors import RulesError

cdef enum:
    # The second word of the key: what the numbers are for.
    PURPOSE_ROLL = 0x726F6C6C
    PURPOSE_ORDER = 0x6F726472


cdef struct Source:
    # Numbers of one purpose at one counter; refilled as they are used up.
    uint64_t key[2]
    uint64_t counter[4]
    uint64_t words[4]
    int used                # 32-bit halves of ``words`` already given out


cdef inline void open_source(
    Source* source, uint64_t seed, uint64_t purpose, uint64_t a, uint64_t b, uint64_t c
) noexcept nogil:
    source.key[0] = seed
    source.key[1] = purpose
    source.counter[0] = a
    source.counter[1] = b
    source.counter[2] = 0
    source.counter[3] = c
    bg_philox(source.counter, source.key, source.words)
    source.used = 0


cdef inline uint32_t below(Source* source, uint32_t n) noexcept nogil:
    """An exactly uniform number below ``n``."""
    cdef uint64_t product
    cdef uint32_t threshold = (<uint32_t>0 - n) % n
    while True:
        if source.used == 8:
            source.counter[2] += 1
            bg_philox(source.counter, source.key, source.words)
            source.used = 0
        product = <uint64_t><uint32_t>(source.words[source.used >> 1] >> (32 * (source.used & 1))) * n
        source.used += 1
        if <uint32_t>product >= threshold:
            return <uint32_t>(product >> 32)


cdef inline int ring_sum(int a, int b) noexcept nogil:
    """a + b in GF(4) x GF(9); an element is x + 4 * (y + 3 * z) with x in GF(4) and y + z * i in GF(9)."""
    cdef int y = (a >> 2) % 3 + (b >> 2) % 3
    cdef int z = (a >> 2) // 3 + (b >> 2) // 3
    return ((a ^ b) & 3) + 4 * (y % 3 + 3 * (z % 3))


cdef inline int ring_times(int ply, int a) noexcept nogil:
    """m[ply] * a, where m is 0, 1, (w, i), (w + 1, 2) for plies 0 to 3; w * w = w + 1 and i * i = -1."""
    cdef int x = a & 3, y = (a >> 2) % 3, z = (a >> 2) // 3
    if ply == 0:
        return 0
    if ply == 1:
        return a
    if ply == 2:
        return (x >> 1 | ((x & 1) << 1) ^ (x & 2)) + 4 * ((3 - z) % 3 + 3 * y)
    return ((x >> 1) ^ x & 1 | (x & 1) << 1) + 4 * (2 * y % 3 + 3 * (2 * z % 3))


cdef void prepare_shaker(Shaker* shaker, uint64_t seed, bint is_stratified, bint is_initial) noexcept nogil:
    """Set a shaker up; any trial and ply may then be asked for in any order."""
    shaker.seed = seed
    shaker.is_stratified = is_stratified
    shaker.is_initial = is_initial
    shaker.is_dealt = False


cdef void deal_orders(Shaker* shaker, uint64_t deal) noexcept nogil:
    """Shuffle the rolls for one deal of trials (Fisher and Yates)."""
    cdef Source source
    cdef int ply, i, k, n, value
    cdef int* order
    for ply in range(STRATIFIED_PLIES):
        order = shaker.order[ply]
        n = 0
        for value in range(36):
            # 7 * v are the doubles 1-1, 2-2, ... among the 36 rolls.
            if not (shaker.is_initial and ply == 0 and value % 7 == 0):
                order[n] = value
                n += 1
        open_source(&source, shaker.seed, PURPOSE_ORDER, ply, deal, 0)
        for i in range(n - 1, 0, -1):
            k = <int>below(&source, i + 1)
            value = order[i]
            order[i] = order[k]
            order[k] = value
    shaker.deal = deal
    shaker.is_dealt = True


cdef void roll_dice(Shaker* shaker, uint64_t trial, int branch, int ply, int* die1, int* die2) noexcept nogil:
    """The roll of a branch of a trial at a ply (0 is the first roll); branches above 0 are drawn at every ply."""
    cdef Source source
    cdef int run = 30 if shaker.is_initial else 36
    cdef uint64_t deal
    cdef int r, value
    if shaker.is_stratified and branch == 0 and ply < STRATIFIED_PLIES:
        deal = trial // (36 * run)
        r = <int>(trial % (36 * run))
        if not shaker.is_dealt or shaker.deal != deal:
            deal_orders(shaker, deal)
        value = shaker.order[ply][ring_sum(ring_times(ply, r // run), r % run)]
    else:
        open_source(&source, shaker.seed, PURPOSE_ROLL, ply, trial, branch)
        value = <int>below(&source, 36)
        while shaker.is_initial and ply == 0 and value % 7 == 0:
            value = <int>below(&source, 36)
    die1[0] = value // 6 + 1
    die2[0] = value % 6 + 1


def philox(key, counter):
    """One block of Philox4x64-10.

    Parameters
    ----------
    key : (int, int)
    counter : (int, int, int, int)
        Each from 0 to 2**64 - 1, least significant first.

    Returns
    -------
    tuple of four int
        What ``numpy.random.Philox(key=key, counter=counter - 1).random_raw(4)`` gives: numpy counts
        up before it draws.
    """
    cdef uint64_t keys[2]
    cdef uint64_t counters[4]
    cdef uint64_t words[4]
    cdef int i
    if len(key) != 2 or len(counter) != 4:
        raise RulesError("a Philox key has two words and its counter four")
    for i in range(2):
        keys[i] = key[i]
    for i in range(4):
        counters[i] = counter[i]
    bg_philox(counters, keys, words)
    return words[0], words[1], words[2], words[3]


def rolls(seed, first, trials, plies, *, bint stratified=True, bint as_initial_position=False):
    """The dice that a rollout uses, for replay and audit.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1.
    first, trials : int
        Trials ``first`` to ``first + trials - 1``.
    plies : int
        Rolls of each trial, from its first on.
    stratified : bool
        Whether the first four rolls are dealt (see the module) or drawn.
    as_initial_position : bool
        Whether the first roll opens a game, and so is never a double.

    Returns
    -------
    (trials, plies, 2) int8 array

    Raises
    ------
    RulesError
        If a number is outside its range.

    Notes
    -----
    About 30 ns a roll; the GIL is released. Thread-safe.
    """
    if not 0 <= seed < 1 << 64:
        raise RulesError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    if first < 0 or trials < 0 or plies < 0 or first + trials > 1 << 62:
        raise RulesError(f"cannot roll {plies} plies of trials {first} to {first + trials - 1}")
    array = np.empty((trials, plies, 2), dtype=np.int8)
    cdef int8_t[:, :, ::1] out = array
    cdef Shaker shaker
    cdef Py_ssize_t trial
    cdef uint64_t start = first
    cdef int ply, die1, die2
    prepare_shaker(&shaker, seed, stratified, as_initial_position)
    with nogil:
        for trial in range(out.shape[0]):
            for ply in range(<int>out.shape[1]):
                roll_dice(&shaker, start + <uint64_t>trial, 0, ply, &die1, &die2)
                out[trial, ply, 0] = die1
                out[trial, ply, 1] = die2
    return array
