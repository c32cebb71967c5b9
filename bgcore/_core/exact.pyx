"""The exact solver of bear-offs: both sides' best play and best use of the cube, for any payoffs.

The game is a table over (A's layout, B's layout, who is to roll, cube state); A is the side to move at the
root, and every number is worth to A. Layouts only go down, so one pass fills it. Numbers are integers: with
at most K rolls left to play, a value has a denominator of 36^K times that of the payoffs, so every average
over 36 rolls divides without remainder. Where few rolls are left, and so nearly everywhere, 64 bits carry the
numbers, elsewhere 128. Where those would overflow, too, the same pass runs in float64 and carries a bound of its
own error.
"""

from functools import lru_cache

cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from bgcore._core.board cimport Position, count_at, is_contact
from bgcore._core.layouts cimport ROLLS, Graph, index_of_counts, roll_weight

from bgcore.errors import UnsupportedError

cdef extern from *:
    """
    #if defined(__SIZEOF_INT128__) && !defined(BG_NO_INT128)
      typedef __int128 bg_wide;
      typedef unsigned __int128 bg_unsigned;
      #define BG_WIDE_BITS 127
      static bg_wide bg_join(long long high, unsigned long long low) {
          return (bg_wide)(((unsigned __int128)(unsigned long long)high << 64) | low);
      }
      static long long bg_high(bg_wide x) { return (long long)(x >> 64); }
    #else
      typedef long long bg_wide;
      typedef unsigned long long bg_unsigned;
      #define BG_WIDE_BITS 63
      static bg_wide bg_join(long long high, unsigned long long low) { (void)high; return (bg_wide)low; }
      static long long bg_high(bg_wide x) { return x < 0 ? -1 : 0; }
    #endif
    static unsigned long long bg_low(bg_wide x) { return (unsigned long long)x; }
    /* Without remainder: shift the 4 out, and multiply by what 9 times gives 1 in this many bits. */
    static bg_wide bg_thirty_sixth_wide(bg_wide x) {
        bg_unsigned inverse = 9;
        for (int bits = 3; bits < 128; bits *= 2) inverse *= 2 - 9 * inverse;
        return (bg_wide)((bg_unsigned)(x >> 2) * inverse);
    }
    static int64_t bg_thirty_sixth(int64_t x) {
        return (int64_t)((uint64_t)(x >> 2) * 0x8e38e38e38e38e39u);
    }
    """
    ctypedef long long wide "bg_wide"
    const int WIDE_BITS "BG_WIDE_BITS"
    wide join_wide "bg_join"(long long high, unsigned long long low) noexcept nogil
    long long high_half "bg_high"(wide x) noexcept nogil
    unsigned long long low_half "bg_low"(wide x) noexcept nogil
    wide thirty_sixth_wide "bg_thirty_sixth_wide"(wide x) noexcept nogil
    int64_t thirty_sixth "bg_thirty_sixth"(int64_t x) noexcept nogil

ctypedef fused number:
    double
    int64_t
    wide

cdef enum:
    MOST_STATES = 72
    MOST_FOLLOWED = 5
    MOST_NUMBERS = 1 << 25     # in one table: half a gigabyte
    PAYS = 12                  # numbers a state: see Cubes

cdef int64_t MOST_WORK = 4_000_000_000    # numbers compared: some seconds


cdef struct Cubes:
    # Cube states, the last of them without cube. A row of payoffs for each: win single, gammon,
    # backgammon, lose single, gammon, backgammon; then for A's double and for B's: passed, beaver
    # refused, raccoon refused. ``to`` [side][0 double, 1 beaver, 2 raccoon] is the state in which play
    # goes on, -1 where that is not allowed, and ``factor`` what its values count for.
    int states
    int to[2][3][MOST_STATES]
    int factor[2][3][MOST_STATES]


cdef struct Group:
    # Rolls (weight of 36) that lead from a layout to the same results[first..last-1].
    uint32_t first
    uint32_t last
    int weight


cdef struct Game:
    # Both sides' graphs as raw pointers: the groups of an id are groups[starts[id] .. starts[id + 1] - 1];
    # kind is what a side loses with a layout: 0 single, 1 gammon, 2 backgammon; longest the most rolls it takes.
    int64_t size[2]
    const uint32_t* starts[2]
    const Group* groups[2]
    const uint32_t* results[2]
    const uint64_t* rolls[2]
    const uint8_t* kind[2]
    const uint8_t* longest[2]
    int followed


cdef inline number better(number a, number b, bint is_low) noexcept nogil:
    """The larger of two values, or the smaller for the side that wants little."""
    return (a if a < b else b) if is_low else (a if a > b else b)


cdef void decide(
    const Cubes* cubes, const number* pay, int side, const number* rolled, number* out,
    const double* error, double* error_out,
) noexcept nogil:
    """From the values of rolling in each state, those before the choice to double."""
    cdef int s, to
    cdef bint is_low = side == 1, is_clear
    cdef number answer, choice, no
    cdef double spread
    cdef const number* paid
    for s in range(cubes.states):
        no = rolled[s]
        out[s] = no
        if number is double:
            error_out[s] = error[s]
        to = cubes.to[side][0][s]
        if to < 0:
            continue
        paid = pay + PAYS * s + 6 + 3 * side
        answer = better(rolled[to] * cubes.factor[side][0][s], paid[0], not is_low)
        if number is double:
            spread = error[to] * cubes.factor[side][0][s]
        to = cubes.to[side][1][s]
        if to >= 0:
            choice = better(rolled[to] * cubes.factor[side][1][s], paid[1], is_low)
            if number is double:
                spread = max(spread, error[to] * cubes.factor[side][1][s])
            to = cubes.to[side][2][s]
            if to >= 0:
                choice = better(choice, better(rolled[to] * cubes.factor[side][2][s], paid[2], not is_low), is_low)
                if number is double:
                    spread = max(spread, error[to] * cubes.factor[side][2][s])
            answer = better(answer, choice, not is_low)
        out[s] = better(no, answer, is_low)
        if number is double:
            # Not doubling is clearly better: the double's error does not enter.
            is_clear = answer - spread > no + error[s] if is_low else answer + spread < no - error[s]
            if not is_clear:
                error_out[s] = max(error[s], spread)


@cython.cdivision(True)
cdef void roll_out(
    const Game* game, const Cubes* cubes, int side, int64_t mover, const number* after, int64_t stride,
    const double* after_error, int64_t error_stride, double rounding, number* rolled, double* error,
) noexcept nogil:
    """The values of rolling now: the mean over 36 rolls of the best result, in each state by itself.

    ``after`` are the values with the other side to roll, ``stride`` apart for one id of the mover's.
    """
    cdef const uint32_t* results = game.results[side]
    cdef const Group* groups = game.groups[side]
    cdef const number* value
    cdef const number* other
    cdef number best, total
    cdef double worst
    cdef int states = cubes.states, s
    cdef uint32_t first = game.starts[side][mover], last = game.starts[side][mover + 1], g, k
    for s in range(states - 1):
        total = 0
        value = after + s
        for g in range(first, last):
            best = value[stride * results[groups[g].first]]
            for k in range(groups[g].first + 1, groups[g].last):
                best = better(value[stride * results[k]], best, side == 1)
            total += best * groups[g].weight
        rolled[s] = total
    # Without cube, remember which play it was: the followed chances go with it.
    for s in range(states - 1, states + game.followed):
        rolled[s] = 0
    for g in range(first, last):
        value = after + stride * results[groups[g].first]
        for k in range(groups[g].first + 1, groups[g].last):
            other = after + stride * results[k]
            if (other[states - 1] < value[states - 1]) if side == 1 else (other[states - 1] > value[states - 1]):
                value = other
        for s in range(states - 1, states + game.followed):
            rolled[s] += value[s] * groups[g].weight
    if number is double:
        for s in range(states):
            error[s] = 0.0
            for g in range(first, last):
                worst = 0.0
                for k in range(groups[g].first, groups[g].last):
                    worst = max(worst, after_error[error_stride * results[k] + s])
                error[s] += worst * groups[g].weight
    for s in range(states + game.followed):
        if number is double:
            rolled[s] = rolled[s] / 36.0
        elif number is int64_t:
            rolled[s] = thirty_sixth(rolled[s])    # without remainder: see the module's docstring
        else:
            rolled[s] = thirty_sixth_wide(rolled[s])
    if number is double:
        for s in range(states):
            error[s] = error[s] / 36.0 + rounding


cdef void finish(
    const Game* game, const Cubes* cubes, const number* pay, number one, int side, int kind, number* out
) noexcept nogil:
    """The values of a finished game that ``side`` has won."""
    cdef int s
    for s in range(cubes.states):
        out[s] = pay[PAYS * s + 3 * side + kind]
    for s in range(game.followed):
        out[cubes.states + s] = 0
    if side == 0:
        out[cubes.states] = one
    for s in range(1, game.followed):
        # 1, 2: gammon and backgammon won; 3, 4: lost.
        if (s <= 2) == (side == 0) and kind >= (s if s <= 2 else s - 2):
            out[cubes.states + s] = one


cdef inline int plies_left(const Game* game, int side, int64_t mover, int64_t other) noexcept nogil:
    """The most rolls, of both sides together, that a game may still take."""
    return min(2 * game.longest[side][mover] - 1, 2 * game.longest[1 - side][other])


cdef void solve_game(
    const Game* game, const Cubes* cubes, const number* pay, number one, double rounding,
    number* values, double* errors, number* root, double* root_error, int done, int most,
) noexcept nogil:
    """Fill the table from below, the nodes with more than ``done`` and at most ``most`` rolls left.

    ``root`` receives the values of rolling at the last of them, which is the root if that is among them.
    """
    cdef int64_t a, b, size_a = game.size[0], size_b = game.size[1]
    cdef int64_t width = cubes.states + game.followed, states = cubes.states
    cdef int64_t half = size_a * size_b * width, error_half = size_a * size_b * states
    cdef double no_error[MOST_STATES]
    cdef double* error = no_error
    for b in range(size_b):
        finish[number](game, cubes, pay, one, 0, game.kind[1][b], values + half + b * width)
    for a in range(size_a):
        finish[number](game, cubes, pay, one, 1, game.kind[0][a], values + a * size_b * width)
    # Only nodes that can come up: both have rolled equally often, or A once more. One side's rolls after the other's,
    # so that what they lead to is still at hand.
    for a in range(1, size_a):
        for b in range(1, size_b):
            if game.rolls[0][a] & game.rolls[1][b] and done < plies_left(game, 0, a, b) <= most:
                roll_out[number](
                    game, cubes, 0, a, values + half + b * width, size_b * width,
                    errors + error_half + b * states, size_b * states, rounding, root, root_error,
                )
                if number is double:
                    error = errors + (a * size_b + b) * states
                decide[number](cubes, pay, 0, root, values + (a * size_b + b) * width, root_error, error)
                copy_followed[number](cubes.states, game.followed, root, values + (a * size_b + b) * width)
        for b in range(1, size_b):
            if game.rolls[0][a] & game.rolls[1][b] << 1 and done < plies_left(game, 1, b, a) <= most:
                roll_out[number](
                    game, cubes, 1, b, values + a * size_b * width, width,
                    errors + a * size_b * states, states, rounding, root, root_error,
                )
                if number is double:
                    error = errors + error_half + (a * size_b + b) * states
                decide[number](cubes, pay, 1, root, values + half + (a * size_b + b) * width, root_error, error)
                copy_followed[number](cubes.states, game.followed, root, values + half + (a * size_b + b) * width)


cdef inline void copy_followed(int states, int followed, const number* source, number* target) noexcept nogil:
    cdef int s
    for s in range(states, states + followed):
        target[s] = source[s]


cdef object integer_of(wide x):
    """A wide integer as a Python one."""
    cdef object high = high_half(x), low = low_half(x)
    return (high << 64) | low


cdef wide wide_of(object x) except? -1:
    """A Python integer, known to fit, as a wide one."""
    return join_wide(<long long>(x >> 64), <unsigned long long>(x & 0xFFFFFFFFFFFFFFFF))


cdef void sort(uint32_t* values, uint32_t count) noexcept nogil:
    """Sort a handful of numbers in place."""
    cdef uint32_t i, j, value
    for i in range(1, count):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value


cdef bint is_same(const uint32_t* results, const Group* a, const Group* b) noexcept nogil:
    """Whether two groups have the same results."""
    cdef uint32_t k, count = a.last - a.first
    if b.last - b.first != count:
        return False
    for k in range(count):
        if results[a.first + k] != results[b.first + k]:
            return False
    return True


cdef class Side:
    # One side's graph, its rolls grouped by their results, and what it loses with each of its layouts.
    cdef Graph graph
    cdef uint8_t* kind
    cdef uint8_t* longest
    cdef uint32_t* starts
    cdef Group* groups

    def __cinit__(self, bytes layout, bint highest_first, str gammon_rule, bint is_end_best):
        cdef const int8_t* counts = <const int8_t*><const char*>layout
        cdef int slot, checkers = 0, highest = 0, pips = 0
        cdef int64_t id_
        for slot in range(26):
            checkers += counts[slot]
            pips += slot * counts[slot]
            if counts[slot]:
                highest = slot
        if highest > 24 or pips > 180:
            raise UnsupportedError(f"a side with {pips} pips to go has too many layouts to solve the game exactly")
        if highest > 6 and highest_first:
            raise UnsupportedError("the highest-first rule of bearing off is solved only when both sides are home")
        self.graph = Graph(highest, checkers, highest_first)
        self.graph.build(index_of_counts(&self.graph.space, counts))
        self.kind = <uint8_t*>calloc(self.graph.size, 1)
        self.longest = <uint8_t*>calloc(self.graph.size, 1)
        if self.kind == NULL or self.longest == NULL:
            raise MemoryError
        for id_ in range(self.graph.size):
            self.kind[id_] = kind_of(self.graph.count[id_], self.graph.highest[id_], gammon_rule)
        self.starts = <uint32_t*>calloc(self.graph.size + 1, sizeof(uint32_t))
        self.groups = <Group*>calloc(self.graph.size * ROLLS, sizeof(Group))
        if self.starts == NULL or self.groups == NULL:
            raise MemoryError
        self.group_rolls(is_end_best)

    def __dealloc__(self):
        free(self.kind)
        free(self.longest)
        free(self.starts)
        free(self.groups)

    cdef int64_t group_rolls(self, bint is_end_best):
        """Put rolls with the same results together; where bearing off all is best anyway, it is the only result."""
        cdef uint32_t* results = self.graph.roll_to
        cdef uint32_t filled = 0, g, k
        cdef Group group
        cdef int64_t id_, place
        cdef int roll
        for id_ in range(self.graph.size):
            self.starts[id_] = filled
            for roll in range(ROLLS):
                place = (self.graph.size - 1 - id_) * ROLLS + roll
                group.first, group.last = self.graph.roll_start[place], self.graph.roll_start[place + 1]
                group.weight = roll_weight(roll)
                if group.first == group.last:
                    continue
                for k in range(group.first, group.last):
                    self.longest[id_] = max(self.longest[id_], self.longest[results[k]] + 1)
                sort(results + group.first, group.last - group.first)
                if is_end_best and results[group.first] == 0:
                    group.last = group.first + 1
                for g in range(self.starts[id_], filled):
                    if is_same(results, &group, &self.groups[g]):
                        self.groups[g].weight += group.weight
                        break
                else:
                    self.groups[filled] = group
                    filled += 1
        self.starts[self.graph.size] = filled
        return filled

    cdef int64_t comparisons(self):
        """How many results of groups there are in all."""
        cdef int64_t total = 0
        cdef uint32_t g
        for g in range(self.starts[self.graph.size]):
            total += self.groups[g].last - self.groups[g].first
        return total


cdef Side side_of(Position position, bint is_mine, bint highest_first, str gammon_rule, bint is_end_best):
    """A side of a position; small ones are kept, since a batch asks about the same few again and again."""
    cdef char counts[26]
    cdef int slot, checkers = 0
    cdef bint is_home = True
    for slot in range(26):
        if is_mine:
            counts[slot] = <char>count_at(position.board_bits.mine, slot)
        else:
            counts[slot] = <char>count_at(position.board_bits.theirs, 25 - slot)
        checkers += counts[slot]
        if slot > 6 and counts[slot]:
            is_home = False
    layout = <bytes>counts[:26]
    if is_home and checkers <= 4:
        return small_side(layout, highest_first, gammon_rule, is_end_best)
    return Side(layout, highest_first, gammon_rule, is_end_best)


@lru_cache(maxsize=256)
def small_side(layout, highest_first, gammon_rule, is_end_best):
    """Return a side with few checkers, all home; a few kilobytes each."""
    return Side(layout, highest_first, gammon_rule, is_end_best)


cdef int kind_of(int count, int highest, str gammon_rule):
    """What is lost with a layout: 0 single, 1 gammon, 2 backgammon; the bar is never in question without contact."""
    if gammon_rule == "manual_garlando":
        return 2 if highest > 6 else 1 if count == 15 else 0
    if highest >= 19 and (count == 15 or gammon_rule == "portal_home_only"):
        return 2
    return 1 if count == 15 else 0


cdef void read_cubes(Cubes* cubes, object moves):
    """Copy the cube's moves: for each state and side, (to, factor) of double, beaver and raccoon."""
    cdef int state, side, way
    cubes.states = len(moves)
    for state in range(cubes.states):
        for side in range(2):
            for way in range(3):
                cubes.to[side][way][state] = moves[state][side][way][0]
                cubes.factor[side][way][state] = moves[state][side][way][1]


def solve_race(
    Position position not None, bint highest_first, str gammon_rule, moves, payoffs, scale_base, bint is_end_best
):
    """Solve a race for the values of rolling now.

    Parameters
    ----------
    position : Position
        Without contact, not finished.
    highest_first : bool
        The bear-off rule.
    gammon_rule : str
        As in `bgcore.rules.Rules`.
    moves, payoffs : list
        For each cube state, the last of them without cube: see Cubes. Payoffs are whole numbers.
    scale_base : int
        The largest payoff, factors included: what must fit beside 36^K.
    is_end_best : bool
        Whether bearing off the last checker is never worse than any other play: no refused double pays
        more than the win it saves.

    Returns
    -------
    values, followed, scale, error
        For each state the value of rolling; the chances followed without cube (win alone if no gammon is
        possible, else win, win_gammon, win_backgammon, lose_gammon, lose_backgammon); both over
        ``scale``, which is 0 if they are floats. ``error`` bounds the error of the floats.
    """
    cdef Side mine, theirs, found
    cdef Game game
    cdef Cubes cubes
    cdef int64_t width, numbers
    cdef int plies, side
    if is_contact(&position.board_bits) or position.outcome:
        raise UnsupportedError("only a race that is not finished can be solved exactly")
    mine = side_of(position, True, highest_first, gammon_rule, is_end_best)
    theirs = side_of(position, False, highest_first, gammon_rule, is_end_best)
    read_cubes(&cubes, moves)
    for side in range(2):
        found = mine if side == 0 else theirs
        game.size[side] = found.graph.size
        game.starts[side] = found.starts
        game.groups[side] = found.groups
        game.results[side] = found.graph.roll_to
        game.rolls[side] = found.graph.rolls_used
        game.kind[side] = found.kind
        game.longest[side] = found.longest
    # The roots have the most checkers and the rearmost: if they lose no gammon, nothing does.
    game.followed = MOST_FOLLOWED if mine.kind[game.size[0] - 1] or theirs.kind[game.size[1] - 1] else 1
    width = cubes.states + game.followed
    numbers = 2 * game.size[0] * game.size[1] * width
    work = (mine.comparisons() * game.size[1] + theirs.comparisons() * game.size[0]) * width
    if numbers > MOST_NUMBERS or work > MOST_WORK:
        raise UnsupportedError(f"{game.size[0]} layouts against {game.size[1]} are too many to solve the game exactly")
    plies = plies_left(&game, 0, game.size[0] - 1, game.size[1] - 1)
    if scale_base * 36 ** <object>(plies + 1) < 2 ** <object>WIDE_BITS:
        return solve_whole(&game, &cubes, payoffs, scale_base, plies, numbers)
    return solve_float(&game, &cubes, payoffs, scale_base, plies, numbers)


cdef object solve_whole(Game* game, Cubes* cubes, object payoffs, object scale_base, int plies, int64_t numbers):
    """Solve in integers: in 64 bits the nodes whose values fit there, in 128 bits the rest."""
    cdef int64_t pay[MOST_STATES * PAYS]
    cdef int64_t root[MOST_STATES + MOST_FOLLOWED]
    cdef wide pay_wide[MOST_STATES * PAYS]
    cdef wide root_wide[MOST_STATES + MOST_FOLLOWED]
    cdef int64_t* values
    cdef wide* values_wide
    cdef int64_t one, i
    cdef wide one_wide, times
    cdef int s, k, fit = plies
    while fit and scale_base * 36 ** <object>(fit + 1) >= 2 ** 63:
        fit -= 1
    if 2 * fit < plies:
        fit = 0    # the few nodes that fit would not repay a pass of their own
    scale = 36 ** <object>plies
    # The narrow numbers lie in the upper half of the room for wide ones, so that widening never overtakes them.
    values_wide = <wide*>calloc(numbers, sizeof(int64_t) if fit == plies else sizeof(wide))
    if values_wide == NULL:
        raise MemoryError
    values = <int64_t*>values_wide + (0 if fit == plies else numbers)
    try:
        if fit:
            one = 36 ** <object>fit
            for s in range(cubes.states):
                for k in range(PAYS):
                    pay[s * PAYS + k] = payoffs[s][k] * one
            with nogil:
                solve_game[int64_t](game, cubes, pay, one, 0.0, values, NULL, root, NULL, 0, fit)
        if fit == plies:
            found = [root[s] for s in range(cubes.states + game.followed)]
        else:
            one_wide, times = wide_of(scale), wide_of(36 ** <object>(plies - fit))
            for s in range(cubes.states):
                for k in range(PAYS):
                    pay_wide[s * PAYS + k] = wide_of(payoffs[s][k] * scale)
            with nogil:
                for i in range(numbers if fit else 0):
                    values_wide[i] = times * values[i]
                solve_game[wide](game, cubes, pay_wide, one_wide, 0.0, values_wide, NULL, root_wide, NULL, fit, plies)
            found = [integer_of(root_wide[s]) for s in range(cubes.states + game.followed)]
    finally:
        free(values_wide)
    return found[:cubes.states], found[cubes.states:], scale, 0.0


cdef object solve_float(Game* game, Cubes* cubes, object payoffs, object scale_base, int plies, int64_t numbers):
    cdef double pay[MOST_STATES * PAYS]
    cdef double root[MOST_STATES + MOST_FOLLOWED]
    cdef double root_error[MOST_STATES]
    cdef double* values = <double*>calloc(numbers, sizeof(double))
    cdef double* errors = <double*>calloc(numbers, sizeof(double))
    # A sum of 21 products and a division: fewer than 32 roundings of numbers below twice the largest payoff.
    cdef double rounding = 64.0 * float(scale_base) / (<int64_t>1 << 53)
    cdef int s, k
    try:
        if values == NULL or errors == NULL:
            raise MemoryError
        for s in range(cubes.states):
            for k in range(PAYS):
                pay[s * PAYS + k] = payoffs[s][k]
        with nogil:
            solve_game[double](game, cubes, pay, 1.0, rounding, values, errors, root, root_error, 0, plies)
    finally:
        free(values)
        free(errors)
    found = [root[s] for s in range(cubes.states + game.followed)]
    return found[:cubes.states], found[cubes.states:], 0, max([root_error[s] for s in range(cubes.states)])
