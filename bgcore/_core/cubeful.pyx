"""Static cubeful values; see the declarations for the model and its use without the GIL."""

cimport cython

from bgcore._core.board cimport Board, Position, is_contact, pips_mine, pips_theirs

# How live the cube is while there is contact: the value in common use since Janowski's paper. Over 669
# contact positions of self-play the model with it equals, for a centred cube, its own average over the
# next roll (0.68 to 0.70 fit); the opponent's cube alone would ask for 0.8.
cdef double CONTACT_EFFICIENCY = 0.68


cdef struct Chord:
    # A value that is linear in the chance to win, but for one corner.
    double low          # at chance 0
    double high         # at chance 1
    bint has_corner
    double corner
    double corner_value


cdef struct Ladder:
    # The position's average win and loss at each level from the present one up, and its live values there.
    int first
    int last
    double won[LADDER + 1]
    double lost[LADDER + 1]
    Chord mine[LADDER + 1]
    Chord theirs[LADDER + 1]


cdef inline double straight(double low, double high, double p) noexcept nogil:
    return low + (high - low) * p


cdef inline double at(const Chord* chord, double p) noexcept nogil:
    if not chord.has_corner:
        return straight(chord.low, chord.high, p)
    if p <= chord.corner:
        return chord.low + (chord.corner_value - chord.low) * (p / chord.corner)
    return chord.high - (chord.high - chord.corner_value) * ((1.0 - p) / (1.0 - chord.corner))


cdef inline double where(const Chord* chord, double value) noexcept nogil:
    """The chance at which a rising chord has a value strictly between its ends."""
    if not chord.has_corner:
        return (value - chord.low) / (chord.high - chord.low)
    if value <= chord.corner_value:
        return chord.corner * ((value - chord.low) / (chord.corner_value - chord.low))
    return 1.0 - (1.0 - chord.corner) * ((chord.high - value) / (chord.high - chord.corner_value))


cdef inline bint is_inside(double corner) noexcept nogil:
    return 0.0 < corner < 1.0


cdef void own(const CubeLevel* level, double won, double lost, const Chord* taken, Chord* out) noexcept nogil:
    """My live cube: the least concave value above what doubling pays, min(taken, pass)."""
    cdef double cash = level.pass_mine
    out.low, out.high, out.has_corner = lost, won, False
    out.corner, out.corner_value = 0.0, 0.0
    if not level.can_mine:
        return
    out.low = max(lost, min(taken.low, cash))
    out.high = max(won, min(taken.high, cash))
    if taken.low < cash < taken.high:
        out.corner, out.corner_value = where(taken, cash), cash
        out.has_corner = is_inside(out.corner) and cash > straight(out.low, out.high, out.corner)


cdef void face(const CubeLevel* level, double won, double lost, const Chord* taken, Chord* out) noexcept nogil:
    """The opponent's live cube: the greatest convex value below what his doubling pays, max(taken, pass)."""
    cdef double drop = level.pass_theirs
    out.low, out.high, out.has_corner = lost, won, False
    out.corner, out.corner_value = 0.0, 0.0
    if not level.can_theirs:
        return
    out.low = min(lost, max(taken.low, drop))
    out.high = min(won, max(taken.high, drop))
    if taken.low < drop < taken.high:
        out.corner, out.corner_value = where(taken, drop), drop
        out.has_corner = is_inside(out.corner) and drop < straight(out.low, out.high, out.corner)


cdef double centred(
    const CubeLevel* level, double won, double lost, const Chord* mine, const Chord* theirs, double p
) noexcept nogil:
    """A centred live cube: the tight string above what my doubling pays and below what the opponent's pays.

    The string runs from a certain loss to a certain win; only my cash point can push it up and only the
    opponent's can push it down, so it has at most these two corners, each bent the way it is pushed.
    """
    cdef double low = lost, high = won, cash = level.pass_mine, drop = level.pass_theirs
    cdef double up = 0.0, down = 0.0
    cdef bint has_up = False, has_down = False, is_up_first
    cdef double x1, y1, x2, y2, kink
    if level.can_mine:
        low, high = max(low, min(theirs.low, cash)), max(high, min(theirs.high, cash))
        if theirs.low < cash < theirs.high:
            up = where(theirs, cash)
            has_up = is_inside(up)
    if level.can_theirs:
        low, high = min(low, max(mine.low, drop)), min(high, max(mine.high, drop))
        if mine.low < drop < mine.high:
            down = where(mine, drop)
            has_down = is_inside(down)
    # No corner, or one that the other leaves alone.
    if (not has_up or cash <= straight(low, high, up)) and (not has_down or drop >= straight(low, high, down)):
        return straight(low, high, p)
    if has_up and cash > straight(low, high, up):
        if not has_down or drop >= bent(low, high, up, cash, down):
            return bent(low, high, up, cash, p)
    if has_down and drop < straight(low, high, down):
        if not has_up or cash <= bent(low, high, down, drop, up):
            return bent(low, high, down, drop, p)
    is_up_first = up < down
    x1, y1 = (up, cash) if is_up_first else (down, drop)
    x2, y2 = (down, drop) if is_up_first else (up, cash)
    if p <= x1:
        return low + (y1 - low) * (p / x1)
    if p >= x2:
        return high - (high - y2) * ((1.0 - p) / (1.0 - x2))
    kink = (p - x1) / (x2 - x1)
    return y1 + (y2 - y1) * kink


cdef inline double bent(double low, double high, double corner, double value, double p) noexcept nogil:
    if p <= corner:
        return low + (value - low) * (p / corner)
    return high - (high - value) * ((1.0 - p) / (1.0 - corner))


cdef double win_chance(const double* chances) noexcept nogil:
    return chances[0] + chances[1] + chances[2]


cdef void climb(const CubeStakes* stakes, int first, const double* chances, Ladder* out) noexcept nogil:
    """Fill a ladder from level ``first`` up; the highest level it holds counts as never turned again."""
    cdef double p = win_chance(chances), q = chances[3] + chances[4] + chances[5]
    cdef double win[3]
    cdef double lose[3]
    cdef int i, k
    cdef const CubeLevel* level
    for i in range(3):
        # What is not possible has no kinds: where I cannot win, a win would be single.
        win[i] = chances[i] / p if p > 0.0 else <double>(i == 0)
        lose[i] = chances[3 + i] / q if q > 0.0 else <double>(i == 0)
    out.first = first
    out.last = min(stakes.count - 1, first + LADDER)
    for k in range(out.last - first, -1, -1):
        level = &stakes.levels[first + k]
        out.won[k] = win[0] * level.win[0] + win[1] * level.win[1] + win[2] * level.win[2]
        out.lost[k] = lose[0] * level.lose[0] + lose[1] * level.lose[1] + lose[2] * level.lose[2]
        if first + k == out.last:
            out.mine[k].low, out.mine[k].high, out.mine[k].has_corner = out.lost[k], out.won[k], False
            out.theirs[k] = out.mine[k]
        else:
            own(level, out.won[k], out.lost[k], &out.theirs[k + 1], &out.mine[k])
            face(level, out.won[k], out.lost[k], &out.mine[k + 1], &out.theirs[k])


cdef double ladder_value(
    const CubeStakes* stakes, const Ladder* ladder, int level, CubeOwner owner, double p, double efficiency
) noexcept nogil:
    """The worth of playing on at a level without a double now."""
    cdef int k = level - ladder.first
    cdef const CubeLevel* here = &stakes.levels[level]
    cdef double dead = straight(ladder.lost[k], ladder.won[k], p), live
    if level >= ladder.last or not (here.can_mine or here.can_theirs):
        return dead
    if owner == MINE:
        live = at(&ladder.mine[k], p)
    else:
        if here.is_free_theirs:
            dead = min(dead, max(straight(ladder.lost[k + 1], ladder.won[k + 1], p), here.pass_theirs))
        if owner == THEIRS:
            live = at(&ladder.theirs[k], p)
        else:
            live = centred(
                here, ladder.won[k], ladder.lost[k], &ladder.mine[k + 1], &ladder.theirs[k + 1], p
            )
    return dead + efficiency * (live - dead)


cdef void decide(
    const CubeStakes* stakes, const Ladder* ladder, CubeOwner owner, double p, double efficiency, CubeDecision* out
) noexcept nogil:
    """The decision at the foot of a ladder, as if the chance to win were ``p``."""
    cdef int level = ladder.first
    cdef const CubeLevel* here = &stakes.levels[level]
    cdef double refused
    out.cubeless = straight(ladder.lost[0], ladder.won[0], p)
    out.no_double = ladder_value(stakes, ladder, level, owner, p, efficiency)
    out.can_double = owner != THEIRS and here.can_mine and level < ladder.last
    out.double_take = out.double_pass = out.double_beaver = out.double_answered = out.value = out.no_double
    out.is_double = False
    out.answer = TAKE
    if not out.can_double:
        return
    out.double_take = ladder_value(stakes, ladder, level + 1, THEIRS, p, efficiency)
    out.double_pass = here.pass_mine
    out.double_beaver = out.double_take
    out.double_answered = out.double_take
    if out.double_pass < out.double_take:
        out.answer, out.double_answered = PASS, out.double_pass
    if stakes.beavers and level + 2 <= ladder.last and stakes.levels[level + 1].can_theirs:
        refused = stakes.levels[level + 1].lose[0]
        out.double_beaver = max(refused, ladder_value(stakes, ladder, level + 2, THEIRS, p, efficiency))
        if stakes.raccoons and level + 3 <= ladder.last and stakes.levels[level + 2].can_mine:
            # A raccoon may be refused too, for the cube as beavered.
            out.double_beaver = max(out.double_beaver, min(
                stakes.levels[level + 2].win[0], ladder_value(stakes, ladder, level + 3, THEIRS, p, efficiency)
            ))
        if out.double_beaver < out.double_answered:
            out.answer, out.double_answered = BEAVER, out.double_beaver
    out.is_double = out.double_answered >= out.no_double
    out.value = max(out.no_double, out.double_answered)


cdef double power_of_two(int exponent) noexcept nogil:
    cdef double result = 1.0
    while exponent > 0:
        result *= 2.0
        exponent -= 1
    return result


cdef int listed_level(const CubeStakes* stakes, int level, double* scale) noexcept nogil:
    """The level whose values, times ``scale``, are those of ``level``."""
    scale[0] = 1.0
    if level <= stakes.base or not stakes.is_rescaling:
        return min(max(level, 0), stakes.count - 1)
    scale[0] = power_of_two(level - stakes.base)
    return stakes.base


cdef void cube_decision(
    const CubeStakes* stakes, int level, CubeOwner owner, const double* chances, double efficiency,
    CubeDecision* out,
) noexcept nogil:
    """Decide whether to double, and how the opponent should answer.

    A cube that nobody may turn gives a decision not to double, with all worths equal.
    """
    cdef Ladder ladder
    cdef double scale
    climb(stakes, listed_level(stakes, level, &scale), chances, &ladder)
    decide(stakes, &ladder, owner, win_chance(chances), efficiency, out)
    if scale != 1.0:
        out.no_double *= scale
        out.double_take *= scale
        out.double_pass *= scale
        out.double_beaver *= scale
        out.double_answered *= scale
        out.value *= scale
        out.cubeless *= scale


cdef double cubeful_value(
    const CubeStakes* stakes, int level, CubeOwner owner, const double* chances, double efficiency,
) noexcept nogil:
    """The worth of a position before its roll, when both sides handle the cube best."""
    cdef CubeDecision decision
    cube_decision(stakes, level, owner, chances, efficiency, &decision)
    return decision.value


cdef void cube_window(
    const CubeStakes* stakes, int level, CubeOwner owner, const double* chances, double efficiency,
    CubeWindow* out,
) noexcept nogil:
    """The chances to win between which doubling and taking are right, the shares of gammons unchanged.

    Found by halving, to the last bit; a point that does not exist is the end of the range it would lie in.
    """
    cdef Ladder ladder
    cdef CubeDecision decision
    cdef double scale, low, high, middle
    climb(stakes, listed_level(stakes, level, &scale), chances, &ladder)
    decide(stakes, &ladder, owner, 0.5, efficiency, &decision)
    out.take_point, out.double_point, out.cash_point, out.too_good_point = 0.0, 1.0, 1.0, 1.0
    if not decision.can_double:
        return
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        decide(stakes, &ladder, owner, middle, efficiency, &decision)
        if decision.double_take >= decision.double_pass:
            high = middle
        else:
            low = middle
    out.cash_point = high
    out.take_point = 1.0 - high
    low, high = 0.0, out.cash_point
    for _ in range(60):
        middle = 0.5 * (low + high)
        decide(stakes, &ladder, owner, middle, efficiency, &decision)
        if decision.double_answered >= decision.no_double:
            high = middle
        else:
            low = middle
    out.double_point = high
    low, high = out.cash_point, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        decide(stakes, &ladder, owner, middle, efficiency, &decision)
        if decision.no_double > decision.double_pass:
            high = middle
        else:
            low = middle
    out.too_good_point = high


cdef double payoff(const CubeStakes* stakes, int level, int points) noexcept nogil:
    """What a finished game pays the side to move; ``points`` is 1 to 3 for a win, -1 to -3 for a loss."""
    cdef double scale
    cdef const CubeLevel* here = &stakes.levels[listed_level(stakes, level, &scale)]
    return scale * (here.win[points - 1] if points > 0 else here.lose[-points - 1])


cdef double efficiency_of(const Board* board) noexcept nogil:
    """How live the cube is: 0 never turned again, 1 turned at the perfect moment.

    In a race it grows with the pips of the side that is ahead, since a longer race moves in smaller steps.
    The curve was fitted to the exact values of 40,000 bear-offs of up to 6 checkers a side, and beyond them
    to exactly solved races of 25 to 120 pips without wastage; it is within 0.05 of the fits of each length.
    """
    cdef double ahead, curve
    if is_contact(board):
        return CONTACT_EFFICIENCY
    ahead = <double>min(pips_mine(board), pips_theirs(board))
    curve = 0.87 - 7.0 / (ahead + 2.0)
    return curve if curve > 0.0 else 0.0


cdef void fill(CubeStakes* stakes, const double[:, ::1] table, bint is_rescaling, bint beavers, bint raccoons):
    cdef int k, i, count = table.shape[0]
    cdef CubeLevel* level
    cdef const CubeLevel* last
    stakes.base = count - 1
    stakes.is_rescaling = is_rescaling
    stakes.beavers = beavers
    stakes.raccoons = raccoons
    for k in range(count):
        level = &stakes.levels[k]
        for i in range(3):
            level.win[i] = table[k, i]
            level.lose[i] = table[k, 3 + i]
        level.pass_mine = table[k, 6]
        level.pass_theirs = table[k, 7]
        level.can_mine = table[k, 8] != 0
        level.can_theirs = table[k, 9] != 0
        level.is_free_theirs = False
    while is_rescaling and count < MAX_LEVELS:
        last = &stakes.levels[count - 1]
        level = &stakes.levels[count]
        level[0] = last[0]
        for i in range(3):
            level.win[i] *= 2
            level.lose[i] *= 2
        level.pass_mine *= 2
        level.pass_theirs *= 2
        count += 1
    stakes.count = count
    for k in range(count - 1):
        level = &stakes.levels[k]
        last = &stakes.levels[k + 1]
        level.is_free_theirs = level.can_theirs
        for i in range(3):
            if last.win[i] > level.win[i] or last.lose[i] > level.lose[i]:
                level.is_free_theirs = False


@cython.final
cdef class CubeModel:
    """The stakes of a game as the compiled core reads them, seen by both sides; immutable.

    Parameters
    ----------
    mine, theirs : array of float64, shape (levels, 10)
        ``Stakes.table`` of the stakes and of their flip.
    is_rescaling, beavers, raccoons : bool
        As in the stakes.

    Attributes
    ----------
    total : float
        What the worths of the two sides add up to: 0 in points, 1 in match-winning chance.
    """

    def __init__(self, const double[:, ::1] mine not None, const double[:, ::1] theirs not None,
                 bint is_rescaling, bint beavers, bint raccoons):
        if not 1 <= mine.shape[0] <= MAX_LEVELS or mine.shape[1] != 10:
            raise ValueError(f"a table of stakes has 1 to {MAX_LEVELS} rows of 10")
        if theirs.shape[0] != mine.shape[0] or theirs.shape[1] != 10:
            raise ValueError("the two sides must have tables of the same shape")
        fill(&self.mine, mine, is_rescaling, beavers, raccoons)
        fill(&self.theirs, theirs, is_rescaling, beavers, raccoons)
        self.total = 1.0 if mine[0, 0] + theirs[0, 3] > 0.5 else 0.0

    def decision(self, double[::1] chances not None, int level, int owner, double efficiency):
        """Return the cube decision of the side to move.

        Parameters
        ----------
        chances : array of 6 float64
            Its six exclusive outcomes before the roll.
        level : int
            Doubles since the stakes were made.
        owner : int
            0 centre, 1 the side to move, 2 the other side.
        efficiency : float
            How live the cube is, 0 to 1.

        Returns
        -------
        tuple
            No double, double/take, double/pass, double/beaver, double with the best answer, value, cubeless
            value, whether a double is possible, whether it is right, and the answer (0 take, 1 pass, 2 beaver).
        """
        cdef CubeDecision out
        if chances.shape[0] != 6:
            raise ValueError("there are six outcomes")
        cube_decision(&self.mine, level, <CubeOwner>owner, &chances[0], efficiency, &out)
        return (
            out.no_double, out.double_take, out.double_pass, out.double_beaver, out.double_answered, out.value,
            out.cubeless, bool(out.can_double), bool(out.is_double), <int>out.answer,
        )

    def window(self, double[::1] chances not None, int level, int owner, double efficiency):
        """Return take, double, cash and too-good point for these shares of gammons; parameters as `decision`."""
        cdef CubeWindow out
        if chances.shape[0] != 6:
            raise ValueError("there are six outcomes")
        cube_window(&self.mine, level, <CubeOwner>owner, &chances[0], efficiency, &out)
        return out.take_point, out.double_point, out.cash_point, out.too_good_point


def cube_efficiency(Position position not None):
    """Return how live the cube is taken to be in a position of this kind, 0 (dead) to 1 (turned perfectly)."""
    return efficiency_of(&position.board_bits)
