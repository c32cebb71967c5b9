"""Exhaustive legal plays: every distinct resulting position exactly once.

Why no table of seen positions is needed
----------------------------------------
*Doubles.* A play is a multiset of single steps; let f(s) be the steps that start on slot s. The
change of my checkers on slot p is f(p + d) - f(p), so f follows from the result, highest slot
first: different multisets give different results. Any legal order may be sorted from the rear
forwards and stays legal (a checker has arrived before it leaves, more checkers are home, nothing
stands behind), so walking sources downwards meets every result once.

*Mixed rolls.* A play is a pair (a by die1, b by die2). Two pairs can give the same result only if
they are the same pair in the other order, or one checker that goes both dice by two routes without
a hit on either, or two checkers borne off with the dice exchanged. ``mixed`` drops exactly those.
"""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc

import operator

import numpy as np

from bgcore._core.board cimport (
    any_mine, as_position, bg_highest, blocked, blots_theirs, board_to_row, count_at, is_same, row_faults, row_to_board,
    wrap,
)

from bgcore._core.board import describe
from bgcore.errors import DiceError, NotationError, PositionError, shown


cdef struct Doubles:
    # The walk of doubles(): where results go and the most steps any of them has used so far.
    Board* out
    int count
    int most
    int die
    uint32_t made


cdef void walk(Doubles* state, const Board* b, uint32_t last, int depth) noexcept nogil:
    """Play one more step from a slot no higher than ``last``, then go on; keeps the deepest results only."""
    cdef Board* child
    cdef Board local
    cdef uint32_t bit
    cdef uint32_t rest = sources(any_mine(b), state.made, state.die) & (last | (last - 1))
    if rest and depth + 1 > state.most:
        state.most = depth + 1
        state.count = 0
    if depth == 3:
        while rest:
            bit = <uint32_t>1 << bg_highest(rest)
            rest ^= bit
            child = &state.out[state.count]
            child[0] = b[0]
            step(child, bit, state.die)
            state.count += 1
        return
    while rest:
        bit = <uint32_t>1 << bg_highest(rest)
        rest ^= bit
        local = b[0]
        step(&local, bit, state.die)
        if depth + 1 == state.most:
            state.out[state.count] = local
            state.count += 1
        walk(state, &local, bit, depth + 1)


cdef int doubles(const Board* b, int die, Board* out) noexcept nogil:
    """All results of a double: as many of the four steps as can be played."""
    cdef Doubles state
    state.out = out
    state.count = 0
    state.most = 0
    state.die = die
    state.made = blocked(b)
    walk(&state, b, <uint32_t>1 << 25, 0)
    return state.count


cdef int mixed(const Board* b, int high, int low, Board* out) noexcept nogil:
    """All results of two different dice: both if any order allows, else the larger if it can be played."""
    cdef uint32_t made = blocked(b), mine = any_mine(b), blots = blots_theirs(b)
    cdef uint32_t first_high = sources(mine, made, high), first_low = sources(mine, made, low)
    cdef uint32_t then_low[26]    # by the slot the high die was played from: the slots the low die may follow from
    cdef uint32_t paired[26]      # by the slot of the low die: the slots of the high die already paired with it
    cdef uint32_t rest, follow, a_bit, b_bit
    cdef int a, c, count = 0
    cdef Board middle
    for c in range(26):
        then_low[c] = 0
        paired[c] = 0

    rest = first_high
    while rest:
        a = bg_highest(rest)
        a_bit = <uint32_t>1 << a
        rest ^= a_bit
        middle = b[0]
        step(&middle, a_bit, high)
        follow = sources(any_mine(&middle), made, low)
        then_low[a] = follow
        c = a + low
        if c <= 25 and c > high and follow >> c & 1 and then_low[c] >> (c - high) & 1:
            # c steps to where a stood, as if one checker had gone both dice; it has been counted by the other route.
            if not blots & <uint32_t>1 << (c - high):
                follow ^= <uint32_t>1 << c
                paired[c] |= a_bit
        while follow:
            c = bg_highest(follow)
            b_bit = <uint32_t>1 << c
            follow ^= b_bit
            paired[c] |= a_bit
            out[count] = middle
            step(&out[count], b_bit, low)
            count += 1

    rest = first_low
    while rest:
        c = bg_highest(rest)
        b_bit = <uint32_t>1 << c
        rest ^= b_bit
        middle = b[0]
        step(&middle, b_bit, low)
        follow = sources(any_mine(&middle), made, high) & ~paired[c]
        while follow:
            a = bg_highest(follow)
            a_bit = <uint32_t>1 << a
            follow ^= a_bit
            if a == c - low and c > high and then_low[c] >> (c - high) & 1:
                # One checker goes both dice, and can by either die first: the same unless a blot is hit on the way.
                if not blots & (<uint32_t>1 << (c - high) | a_bit):
                    continue
            if a <= low and c <= low and then_low[c] & a_bit:
                continue    # both borne off, and the first loop bore them off with the dice exchanged
            out[count] = middle
            step(&out[count], a_bit, high)
            count += 1
    if count:
        return count

    rest = first_high if first_high else first_low
    while rest:
        a = bg_highest(rest)
        a_bit = <uint32_t>1 << a
        rest ^= a_bit
        out[count] = b[0]
        step(&out[count], a_bit, high if first_high else low)
        count += 1
    return count


cdef int legal_results(const Board* b, int die1, int die2, Board* out) noexcept nogil:
    """Write every distinct result of a roll to ``out`` (room for MAX_PLAYS); returns how many, 0 for no legal play.

    Results are seen by the mover, before the turn passes. Their order is a function of the board
    and the roll alone. A finished game has no legal play.
    """
    if any_mine(b) == 0 or (b.theirs[0] | b.theirs[1] | b.theirs[2] | b.theirs[3]) == 0:
        return 0
    if die1 == die2:
        return doubles(b, die1, out)
    if die1 > die2:
        return mixed(b, die1, die2, out)
    return mixed(b, die2, die1, out)


cdef int read_dice(object dice, int* die1, int* die2) except -1:
    """Check a pair of dice at the boundary."""
    try:
        first, second = dice
        if isinstance(first, bool) or isinstance(second, bool):
            raise TypeError
        first, second = first.__index__(), second.__index__()
    except (TypeError, ValueError, AttributeError):
        raise DiceError(f"dice are two whole numbers from 1 to 6, such as (6, 5), not {shown(dice)}") from None
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise DiceError(f"each die shows 1 to 6, not {shown(first)} and {shown(second)}")
    die1[0] = first
    die2[0] = second
    return 0


cdef int doubles_steps(const Board* before, const Board* after, int die, int* steps) noexcept nogil:
    """The slots from which a double was played, rear first; returns how many (see the module's proof)."""
    cdef int slot, _, above, count = 0
    cdef int started[32]
    for slot in range(32):
        started[slot] = 0
    for slot in range(25, 0, -1):
        above = started[slot + die] if slot + die <= 25 else 0
        started[slot] = above + count_at(before.mine, slot) - count_at(after.mine, slot)
        for _ in range(started[slot]):
            if count < 4:
                steps[count] = slot
                count += 1
    return count


cdef int mixed_steps(const Board* before, const Board* after, int die1, int die2, int* steps, int* dice) noexcept nogil:
    """The slots and dice of a mixed roll, in a legal order; returns how many.

    One die alone can lead to the same board as two (5/off by a five, or 5/4/off by a one and a
    five), so a use of both dice is looked for first.
    """
    cdef uint32_t made = blocked(before), first, second, a_bit, b_bit
    cdef Board middle, last
    cdef int order, high, low
    for order in range(2):
        high = die1 if order == 0 else die2
        low = die2 if order == 0 else die1
        first = sources(any_mine(before), made, high)
        while first:
            a_bit = <uint32_t>1 << bg_highest(first)
            first ^= a_bit
            middle = before[0]
            step(&middle, a_bit, high)
            second = sources(any_mine(&middle), made, low)
            while second:
                b_bit = <uint32_t>1 << bg_highest(second)
                second ^= b_bit
                last = middle
                step(&last, b_bit, low)
                if is_same(&last, after):
                    steps[0] = bg_highest(a_bit)
                    dice[0] = high
                    steps[1] = bg_highest(b_bit)
                    dice[1] = low
                    return 2
    for order in range(2):
        high = die1 if order == 0 else die2
        first = sources(any_mine(before), made, high)
        while first:
            a_bit = <uint32_t>1 << bg_highest(first)
            first ^= a_bit
            middle = before[0]
            step(&middle, a_bit, high)
            if is_same(&middle, after):
                steps[0] = bg_highest(a_bit)
                dice[0] = high
                return 1
    return 0


@cython.wraparound(True)
def format_moves(moves):
    """Write single moves as a play: merged by checker, rear first, with hit marks.

    Parameters
    ----------
    moves : iterable of (from_point, to_point, hit)
        Mover's view; 25 is the bar, 0 is off.

    Returns
    -------
    str
        Such as ``"24/18*/13"``, ``"bar/20(2)"`` or ``"6/off 5/off"``; ``""`` for no moves. A point
        passed on the way is named only when a blot is hit there.
    """
    paths = []
    for start, end, hit in sorted(moves, key=lambda move: (-move[0], -move[1])):
        mark = "*" if hit else ""
        for path in paths:
            if path[-1][0] == start and start > 0:
                path.append((end, mark))
                break
        else:
            paths.append([(start, ""), (end, mark)])
    texts = {}
    for path in paths:
        kept = [path[0], *(stop for stop in path[1:-1] if stop[1]), path[-1]]
        ends = tuple(point for point, _ in kept)
        marks, number = texts.get(ends, (("",) * len(ends), 0))
        texts[ends] = (tuple(old or new for old, (_, new) in zip(marks, kept)), number + 1)
    words = []
    for ends, (marks, number) in texts.items():
        names = ("bar" if point == 25 else "off" if point == 0 else str(point) for point in ends)
        words.append("/".join(name + mark for name, mark in zip(names, marks)) + (f"({number})" if number > 1 else ""))
    return " ".join(words)


@cython.final
cdef class Play:
    """One legal play of a roll: how the checkers move and the position it leaves.

    Made by :func:`legal_plays`; immutable. Two plays are equal when the position before, the dice
    and the result are. Everything beyond the result is worked out when asked for.
    """

    def __init__(self):
        raise TypeError("plays come from legal_plays(position, dice)")

    @property
    def position(self):
        """The position before the play."""
        return wrap(&self.before)

    @property
    def result(self):
        """The position after the play, still seen by the mover."""
        return wrap(&self.after)

    @property
    def dice(self):
        """The roll, as it was given."""
        return self.die1, self.die2

    @property
    def moves(self):
        """The single moves in an order that is legal: tuples ``(from_point, to_point, hit)``.

        Mover's view; 25 is the bar, 0 is off.
        """
        cdef int steps[4]
        cdef int dice[4]
        cdef int i, count
        cdef Board board = self.before
        cdef uint32_t target
        if self.die1 == self.die2:
            count = doubles_steps(&self.before, &self.after, self.die1, steps)
            for i in range(count):
                dice[i] = self.die1
        else:
            count = mixed_steps(&self.before, &self.after, self.die1, self.die2, steps, dice)
        moves = []
        for i in range(count):
            target = (<uint32_t>1 << steps[i] >> dice[i]) & 0x1FFFFFE
            moves.append((steps[i], max(steps[i] - dice[i], 0), (blots_theirs(&board) & target) != 0))
            step(&board, <uint32_t>1 << steps[i], dice[i])
        return tuple(moves)

    def __str__(self):
        return format_moves(self.moves)

    def __repr__(self):
        return f"<Play {self.die1}{self.die2}: {self}>"

    def _repr_html_(self):
        from bgcore.render.notebook import play_html

        return play_html(self)

    def __eq__(self, other):
        if not isinstance(other, Play):
            return NotImplemented
        cdef Play them = other
        return (
            is_same(&self.after, &them.after) and is_same(&self.before, &them.before)
            and max(self.die1, self.die2) == max(them.die1, them.die2)
            and min(self.die1, self.die2) == min(them.die1, them.die2)
        )

    def __hash__(self):
        return hash((wrap(&self.before), wrap(&self.after)))

    def __reduce__(self):
        return restored_play, (wrap(&self.before), (self.die1, self.die2), wrap(&self.after))


cdef Play made_play(const Board* before, const Board* after, int die1, int die2):
    """A Play around boards that are known to be a legal step apart."""
    cdef Play play = Play.__new__(Play)
    play.before = before[0]
    play.after = after[0]
    play.die1 = die1
    play.die2 = die2
    return play


def restored_play(position, dice, result):
    """The play of ``dice`` that leads from ``position`` to ``result``; NotationError if none does."""
    cdef Position wanted = as_position(result)
    for play in legal_plays(position, dice):
        if is_same(&(<Play>play).after, &wanted.board_bits):
            return play
    raise NotationError(f"no legal play of {dice!r} leads from {position!r} to {result!r}")


def legal_plays(position, dice):
    """List every legal play of a roll, one for each distinct resulting position.

    Parameters
    ----------
    position : Position
        Seen by the player who rolled.
    dice : (int, int)
        The roll, in any order.

    Returns
    -------
    list of Play
        Empty when nothing can be moved (or the game is over). The order depends on the position
        and the roll alone, not on the order of the dice.

    Raises
    ------
    DiceError
        If the dice are not two whole numbers from 1 to 6.
    ArgumentError
        If ``position`` is none.

    Notes
    -----
    Both dice must be played if any order allows it, else the larger if it can be. About 0.03
    microseconds a play; thread-safe.
    """
    cdef Position before = as_position(position)
    cdef const Board* board = &before.board_bits
    cdef Board few[256]
    cdef Board* results = few
    cdef int die1, die2, count, i
    read_dice(dice, &die1, &die2)
    if die1 == die2:
        results = <Board*>PyMem_Malloc(MAX_PLAYS * sizeof(Board))
        if results == NULL:
            raise MemoryError
    try:
        count = legal_results(board, die1, die2, results)
        return [made_play(board, &results[i], die1, die2) for i in range(count)]
    finally:
        if results != few:
            PyMem_Free(results)


class PlayBatch:
    """The results of :func:`legal_plays_batch`.

    Attributes
    ----------
    results : (m, 26) int8 array
        The boards after each play, seen by the mover.
    offsets : (n + 1,) int64 array
        The plays of input ``i`` are rows ``offsets[i]:offsets[i + 1]``; none for no legal play.
    """

    __slots__ = ("offsets", "results")

    def __init__(self, results, offsets):
        self.results = results
        self.offsets = offsets

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, index):
        at = operator.index(index)
        if not -len(self) <= at < len(self):
            raise IndexError(f"there are plays of {len(self)} boards, and none of number {at}")
        at %= len(self)
        return self.results[self.offsets[at]:self.offsets[at + 1]]


cdef object as_array(object values, str wanted, type refusal):
    """What numpy makes of nested sequences; else a ``refusal`` that begins with what is ``wanted``."""
    if isinstance(values, np.ndarray) and np.any(getattr(values, "mask", False)):
        raise refusal(f"{wanted}, not one with masked numbers")
    try:
        return np.asarray(values)
    except ValueError:
        raise refusal(f"{wanted}, not rows of unequal length") from None


def checked_boards(boards):
    """Boards as a C-contiguous (n, 26) int8 array of legal rows; PositionError names the first that is not."""
    cdef str wanted = "boards are an (n, 26) array"
    array = as_array(boards, wanted, PositionError)
    if array.shape == (0,):    # an empty list
        array = array.reshape(0, 26)
    if array.ndim != 2 or array.shape[1] != 26:
        raise PositionError(f"{wanted}, not one of shape {array.shape}")
    if array.dtype != np.int8 and array.size:
        if array.dtype.kind not in "iu":
            raise PositionError(f"boards hold whole numbers, not {array.dtype}")
        if array.max() > 15 or array.min() < -15:
            index = int(np.argmax(np.abs(array).max(axis=1) > 15))
            raise PositionError(f"board {index} is illegal: a slot holds more than 15 checkers")
    array = np.ascontiguousarray(array, dtype=np.int8)
    cdef const int8_t[:, ::1] rows = array
    cdef Py_ssize_t i
    cdef int faults = 0
    with nogil:
        for i in range(rows.shape[0]):
            faults = row_faults(&rows[i, 0])
            if faults:
                break
    if faults:
        raise PositionError(f"board {i} is illegal: " + "; ".join(describe(faults, array[i])))
    return array


def legal_plays_batch(boards, dice):
    """List every legal play of many rolls at once, as arrays.

    Parameters
    ----------
    boards : (n, 26) int8 array
        Each row seen by the player who rolled; see :meth:`Position.from_board`.
    dice : (n, 2) int8 array
        One roll a row, or a single pair for all rows.

    Returns
    -------
    PlayBatch
        ``.results`` (m, 26) int8, mover's view; ``.offsets`` (n + 1,) int64.

    Raises
    ------
    PositionError, DiceError
        Naming the first row that is wrong, and why.

    Notes
    -----
    The GIL is released. Thread-safe: inputs are read, never changed.
    """
    boards = checked_boards(boards)
    cdef str wanted = f"dice are a ({len(boards)}, 2) array of whole numbers"
    rolls = as_array(dice, wanted, DiceError)
    if not len(boards) and rolls.shape in ((0,), (0, 2)):
        rolls = np.empty((0, 2), dtype=np.int8)
    if rolls.shape == (2,):
        rolls = np.broadcast_to(rolls, (len(boards), 2))
    if rolls.shape != (len(boards), 2) or (rolls.size and rolls.dtype.kind not in "iu"):
        raise DiceError(f"{wanted}, not {rolls.dtype} {rolls.shape}")
    wrong = ((rolls < 1) | (rolls > 6)).any(axis=1)
    if wrong.any():
        index = int(np.argmax(wrong))
        raise DiceError(f"roll {index} is {tuple(int(n) for n in rolls[index])}: each die shows 1 to 6")
    cdef const int8_t[:, ::1] rows = boards
    cdef const int8_t[:, ::1] pairs = np.ascontiguousarray(rolls, dtype=np.int8)
    cdef Py_ssize_t n = rows.shape[0], i = 0, filled = 0, room = max(32 * n, MAX_PLAYS) + 2
    offsets = np.zeros(n + 1, dtype=np.int64)
    results = np.empty((room, 26), dtype=np.int8)
    cdef int64_t[::1] ends = offsets
    cdef int8_t[:, ::1] target
    cdef Board* plays = <Board*>malloc(MAX_PLAYS * sizeof(Board))
    cdef Board board
    cdef int count, k
    if plays == NULL:
        raise MemoryError
    try:
        while i < n:
            if room - filled < MAX_PLAYS + 2:
                room += max(room // 2, (filled // i) * (n - i))
                results.resize((room, 26), refcheck=False)
            target = results
            with nogil:
                # board_to_row writes 32 bytes, so the last rows of the buffer stay free.
                while i < n and room - filled >= MAX_PLAYS + 2:
                    row_to_board(&rows[i, 0], &board)
                    count = legal_results(&board, pairs[i, 0], pairs[i, 1], plays)
                    for k in range(count):
                        board_to_row(&plays[k], &target[filled + k, 0])
                    filled += count
                    i += 1
                    ends[i] = filled
            target = None
    finally:
        free(plays)
    return PlayBatch(results[:filled], offsets)
