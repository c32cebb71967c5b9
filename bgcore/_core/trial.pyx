"""One trial after another: play a position out with the static evaluator and say what it paid.

A trial is a pure function of its settings and its number. Nothing in it reads a clock, a thread number
or another trial, so blocks of trials may run anywhere, in any order, twice.

Variance reduction
------------------
Before each roll the 21 rolls are all played by a good reply: the best of the few plays that the
network's filter ranks first. The value of the roll that came less the weighted mean of all 21
is its *luck*; its expectation is zero whatever evaluator and replies are used, so taking the luck of
every roll off the result leaves the mean as it was (an exact control variate) and takes most of the
variance away. Few replies cost little of that and make it much cheaper; the play that is really made
is chosen from more. A roll whose outcome can hardly matter any more (``least_spread``) is played
without: that is decided before it is thrown, and so cannot bias. With a cube, the luck is also kept in
what the stakes pay, through the static cubeful value of each reply.

The cube
--------
Before each roll but the first of a line that is past it, the side with the cube decides by the static
cubeful values of :mod:`cubeful` after each of its 21 rolls (which the luck needs anyway), averaged for rolling
and for doubling, and the other side takes or passes by the same figures; whether it beavers, the static
value at the mean of the rolls says. A pass ends the trial; the chances of that trial are then those of the
evaluator.

After a take the game pays twice as much, and so does every error of the rest. There the trial splits:
four lines with dice of their own go on, each with a quarter of the weight, and in two at each later cube.
The mean is that of a single line, the error is smaller for the time it takes (splitting, in the sense
of Kahn and Harris, "Estimation of particle transmission by random sampling", 1951).

Bear-offs
---------
Once both sides bear off without contact, plays, luck and cube go by the rolls that both sides need, taken as
independent (``one_sided_outcomes``), and not by the network: that is closer to the truth, and quicker.
"""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from bgcore._core.bearoff cimport OneSidedTable, TwoSidedTable, in_one_sided
from bgcore._core.board cimport Board, Position, flip
from bgcore._core.cubeful cimport (
    BEAVER, PASS, TAKE, THEIRS, CubeDecision, CubeModel, CubeOwner, cube_decision, cubeful_value, efficiency_of,
    payoff,
)
from bgcore._core.dice cimport Shaker, prepare_shaker, roll_dice
from bgcore._core.endings cimport Endings
from bgcore._core.gammon_rule cimport finished
from bgcore._core.lookahead cimport Search, best_ahead
from bgcore._core.network cimport Network, Weights, Workspace, best_play, free_workspace, new_workspace
from bgcore._core.plays cimport MAX_PLAYS
from bgcore._core.survey cimport (
    Survey, best_bearoff, exact_outcomes, exact_worth, find_worths, judge, roll_index, survey_rolls, survey_worths,
    worth_after,
)

from bgcore.errors import RulesError

# How far from the present chances the slope of the cubeful value is taken: about what a roll moves them.
cdef double SLOPE_STEP = 0.0625
cdef double FLAT_SHARE = 0.0625

# Which plays are looked at one roll ahead: so many at most, so far (in points) behind the best.
cdef int AHEAD_PLAYS = 5
cdef double AHEAD_MARGIN = 0.12

GAMMON_RULES = ("standard", "portal_home_only", "manual_garlando")
COLUMNS = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "equity", "value")


cdef void find_utility(const Setup* setup, const Line* line, double efficiency, double* utility) noexcept nogil:
    """What each outcome is worth to the mover when it chooses its play.

    Without a cube that is what the game pays. With one it is the slope of the cubeful value at the
    present chances, which knows that a gammon is worth less to a side about to cash, and more to one
    that cannot; a part of what the game pays keeps plays apart where the slope is flat.
    """
    cdef double point[6]
    cdef double base
    cdef int i, k
    if not setup.is_cubeful:
        for k in range(6):
            utility[k] = setup.utility[line.side][k]
        return
    base = worth_after(setup, line.side, line.level, line.owner, line.known, efficiency)
    for i in range(6):
        for k in range(6):
            point[k] = line.known[k] - SLOPE_STEP * line.known[k]
        point[i] += SLOPE_STEP
        utility[i] = worth_after(setup, line.side, line.level, line.owner, point, efficiency) - base
        utility[i] /= SLOPE_STEP
        utility[i] += FLAT_SHARE * (payoff(setup.stakes[line.side], line.level, i + 1 if i < 3 else 2 - i) - base)


cdef bint is_noted(const Setup* setup, const Line* line) noexcept nogil:
    """Whether the luck of the next roll is worth noting."""
    cdef double paid[6]
    cdef int k
    if not setup.is_reduced:
        return False
    if setup.least_spread == 0 or not line.is_known:
        return True
    if not setup.is_cubeful:
        return spread_of(line.known, setup.utility[line.side]) >= setup.least_spread
    for k in range(6):
        paid[k] = payoff(setup.stakes[line.side], line.level, k + 1 if k < 3 else 2 - k)
    return spread_of(line.known, paid) >= setup.least_spread


cdef void look_at_cube(
    const Setup* setup, const Line* line, const Survey* survey, CubeDecision* decision
) noexcept nogil:
    """Decide by what doubling and not doubling are worth on average over the 21 replies; leave a beaver as it is."""
    cdef double worths[21]
    if not decision.can_double or decision.answer == BEAVER:
        return
    decision.no_double = survey_worths(setup, line.side, line.level, line.owner, survey, worths)
    decision.double_take = survey_worths(setup, line.side, line.level + 1, THEIRS, survey, worths)
    decision.answer = PASS if decision.double_pass < decision.double_take else TAKE
    decision.double_answered = min(decision.double_pass, decision.double_take)
    decision.is_double = decision.double_answered >= decision.no_double


cdef void add_outcomes(Trial* trial, const Line* line, double weight, const double* outcomes) noexcept nogil:
    """Add outcomes of the side to roll to the trial."""
    cdef int k
    for k in range(6):
        trial.outcomes[k] += weight * outcomes[k if line.side == 0 else (k + 3) % 6]


cdef void add_worth(const Setup* setup, Trial* trial, const Line* line, double worth) noexcept nogil:
    """Add what the side to roll is paid to the trial."""
    trial.worth += line.weight * (worth if line.side == 0 else setup.origin - worth)


cdef void split(const Setup* setup, Trial* trial, Line* line) noexcept nogil:
    """Let more lines go on from here, with equal shares of the weight and dice of their own: four, later two."""
    cdef int halvings = min(1 if line.splits else 2, setup.splits - line.splits), i
    cdef int shift = line.splits
    line.splits += halvings
    line.weight /= 1 << halvings
    for i in range(1, 1 << halvings):
        trial.waiting[trial.count] = line[0]
        trial.waiting[trial.count].branch |= i << shift
        trial.count += 1


cdef void note_luck(
    const Setup* setup, Trial* trial, const Line* line, const Survey* survey, int index
) noexcept nogil:
    """Take the luck of a roll off the trial."""
    cdef double luck[6]
    cdef double worths[21]
    cdef double mean, worth
    cdef int k
    for k in range(6):
        luck[k] = survey.out[index][k] - survey.mean[k]
    add_outcomes(trial, line, -line.weight, luck)
    if not setup.is_cubeful:
        return
    mean = survey_worths(setup, line.side, line.level, line.owner, survey, worths)
    worth = worths[index] - mean
    trial.worth -= line.weight * (worth if line.side == 0 else -worth)


cdef void play_turn(
    const Setup* setup, const Weights* weights, Workspace* work, Shaker* shaker, uint64_t number, Trial* trial,
    Line* line
) noexcept nogil:
    """One turn: the cube, the roll, the play. The side to roll changes unless the line ends by a pass."""
    cdef Survey survey
    cdef Search search
    cdef Board best, after
    cdef double out[6]
    cdef double utility[6]
    cdef double efficiency = 0
    cdef int die1, die2, index
    cdef bint is_surveyed = False, is_thrown = True
    cdef bint is_bearoff = setup.rolls != NULL and in_one_sided(setup.rolls, &line.board)
    cdef CubeDecision decision
    cdef const double* chances = line.known
    if setup.is_cubeful:
        efficiency = efficiency_of(&line.board)
        if not line.is_known:
            judge(setup, weights, work, &line.board, line.known)
            line.is_known = True
    if line.ply == 0 and setup.is_played:
        flip(&setup.played, &best)
        judge(setup, weights, work, &best, line.known)
        end_turn(setup, line, &setup.played)
        return
    find_utility(setup, line, efficiency, utility)
    if (
        setup.is_cubeful and not line.is_cube_done and line.owner != THEIRS
        and setup.stakes[line.side].levels[min(line.level, setup.stakes[line.side].count - 1)].can_mine
    ):
        if setup.is_surveyed:
            survey_rolls(setup, weights, work, line, utility, trial.results, &survey)
            is_surveyed = True
            chances = survey.mean
        cube_decision(setup.stakes[line.side], line.level, line.owner, chances, efficiency, &decision)
        if is_surveyed:
            look_at_cube(setup, line, &survey, &decision)
        if decision.is_double:
            if decision.answer == PASS:
                line.is_ended = True
                line.worth = decision.double_pass
                return
            line.level += 2 if decision.answer == BEAVER else 1
            line.owner = THEIRS
            line.is_cube_done = True
            split(setup, trial, line)
            find_utility(setup, line, efficiency, utility)
            is_surveyed = False
    if line.ply == 0 and setup.die1:
        die1, die2 = setup.die1, setup.die2
        is_thrown = False
    else:
        roll_dice(shaker, number, line.branch, line.thrown, &die1, &die2)
        line.thrown += 1
    if is_thrown and is_noted(setup, line):
        index = roll_index(die1, die2)
        if not is_surveyed:
            survey_rolls(setup, weights, work, line, utility, trial.results, &survey)
        note_luck(setup, trial, line, &survey, index)
    if is_bearoff:
        best_bearoff(setup, weights, work, &line.board, die1, die2, utility, trial.results, &best, out)
        turned(out, line.known)
    elif setup.plies:
        search.weights = weights
        search.workspace = work
        search.one = setup.rolls
        search.two = setup.table
        search.few = 0
        search.cache = NULL
        best_ahead(
            &search, &line.board, die1, die2, setup.plies, AHEAD_PLAYS, AHEAD_MARGIN * scale_of(utility), utility,
            trial.results, &best, out
        )
        flip(&best, &after)
        judge(setup, weights, work, &after, line.known)
    else:
        best_play(weights, work, &line.board, die1, die2, utility, &best, out)
        turned(out, line.known)
    line.is_known = True
    end_turn(setup, line, &best)


cdef void end_turn(const Setup* setup, Line* line, const Board* after) noexcept nogil:
    """Pass the turn, or end the line if the game is over."""
    cdef int ended = finished(after, setup.gammon_rule)
    flip(after, &line.board)
    line.ply += 1
    line.side ^= 1
    line.owner = other_owner(line.owner)
    line.is_cube_done = False
    if ended < 0:
        return
    ended = (ended + 3) % 6
    memset(line.known, 0, sizeof(line.known))
    line.known[ended] = 1
    line.is_ended = True
    if setup.is_cubeful:
        line.worth = payoff(setup.stakes[line.side], line.level, ended + 1 if ended < 3 else 2 - ended)


cdef void look_up(const Setup* setup, Line* line) noexcept nogil:
    """End a line whose value an exact table knows, before its roll."""
    cdef const float* worths
    if line.ply == 0 and (setup.is_played or setup.die1):
        return
    if not exact_outcomes(setup, &line.board, line.known):
        return
    line.is_known = True
    if not setup.is_cubeful:
        line.is_ended = True
        return
    worths = find_worths(setup, line.side, &line.board)
    if worths == NULL:
        return
    if not line.is_cube_done or line.owner == THEIRS:
        line.is_ended = True
        line.worth = exact_worth(setup, line.side, line.level, worths, line.owner)
    elif setup.is_worth_exact:
        # Past a double that was not made; only the table of plain money keeps what rolling is worth then.
        line.is_ended = True
        line.worth = payoff(setup.stakes[line.side], line.level, 1) * worths[1 + <int>line.owner]


cdef void run_line(
    const Setup* setup, const Weights* weights, Workspace* work, Shaker* shaker, uint64_t number, Trial* trial,
    Line* line
) noexcept nogil:
    """Play a line to its end."""
    while not line.is_ended:
        look_up(setup, line)
        if line.is_ended:
            break
        if line.ply == MOST_PLIES or (setup.truncation and line.ply == setup.truncation):
            if not line.is_known:
                judge(setup, weights, work, &line.board, line.known)
            if setup.is_cubeful:
                line.worth = cubeful_value(
                    setup.stakes[line.side], line.level, line.owner, line.known, efficiency_of(&line.board)
                )
            break
        play_turn(setup, weights, work, shaker, number, trial, line)
    add_outcomes(trial, line, line.weight, line.known)
    if setup.is_cubeful:
        add_worth(setup, trial, line, line.worth)


cdef void run_trial(
    const Setup* setup, const Weights* weights, Workspace* work, Board* results, Shaker* shaker, uint64_t number,
    double* row
) noexcept nogil:
    """Write what one trial paid to a row of COLUMNS."""
    cdef Trial trial
    cdef Line line
    cdef const double* paid = trial.outcomes
    cdef int k, ended
    memset(&trial, 0, sizeof(trial))
    trial.results = results
    memset(&line, 0, sizeof(line))
    line.board = setup.start
    line.level = setup.level
    line.owner = setup.owner
    line.is_cube_done = not setup.is_decided_first
    line.weight = 1
    ended = finished(&line.board, setup.gammon_rule)
    if ended >= 0:
        line.is_ended = True
        line.known[ended] = 1
        if setup.is_cubeful:
            line.worth = payoff(setup.stakes[0], line.level, ended + 1 if ended < 3 else 2 - ended)
    elif setup.level:
        split(setup, &trial, &line)
    run_line(setup, weights, work, shaker, number, &trial, &line)
    while trial.count:
        trial.count -= 1
        line = trial.waiting[trial.count]
        run_line(setup, weights, work, shaker, number, &trial, &line)
    row[0] = paid[0] + paid[1] + paid[2]
    row[1] = paid[1] + paid[2]
    row[2] = paid[2]
    row[3] = paid[4] + paid[5]
    row[4] = paid[5]
    row[5] = row[0] + row[1] + row[2] - (paid[3] + paid[4] + paid[5]) - row[3] - row[4]
    row[6] = trial.worth
    if not setup.is_cubeful:
        for k in range(6):
            row[6] += paid[k] * setup.utility[0][k]


@cython.final
cdef class Trials:
    """Numbered trials of one position under fixed settings.

    Parameters
    ----------
    network : Network
        The evaluator that plays.
    position : Position
        Seen by the side to roll ("me"); not a finished game.
    dice : (int, int) or None
        The first roll, if it is already thrown.
    played : Position or None
        What my first play leaves, seen by me, if it is made already.
    utility : (2, 6) float64 array
        What single win, gammon, backgammon, single loss, gammon loss and backgammon loss are worth to
        the mover without a cube, first to me, then to the opponent.
    origin : float
        What is worth v to one side is worth ``origin - v`` to the other: 0 for points, 1 for chances.
    cube : CubeModel or None
        What the game pays at each level; None for no cube.
    level, owner : int
        Doubles already taken since the stakes were made, and who owns the cube: 0 nobody, 1 me, 2 the opponent.
    decides_first : bool
        Whether I may double before the first roll.
    surveys : bool
        Whether cube decisions rest on what follows each of the 21 rolls rather than on the static evaluation.
    seed : int
    gammon_rule : str
    variance_reduction, stratified, as_initial_position : bool
    luck_plays : int
        Of how many plays of each roll, those the network's filter ranks first, the best stands for the
        roll when luck is noted and the cube decided: 1 to 16, or 0 for those that ``best_play`` weighs.
    splits : int
        How often the weight of a line may be halved by splitting when the cube goes up; 0 to 8.
    rolls : OneSidedTable or None
        What judges bear-offs in place of the network.
    table : TwoSidedTable or None
        Where a trial may end with the exact value.
    worth_from_table : bool
        Whether the table's cubeful values are those of the stakes.
    endings : Endings or None
        What bear-offs are worth under other stakes. Without either, cubeful trials only take outcomes from
        the table and play on.
    plies : int
        How many rolls ahead plays are chosen: 0 or 1.
    truncation : int
        Plies after which the evaluator ends a trial; 0 to play out.
    least_spread : float
        Rolls of positions whose payoff has a smaller variance are played without noting their luck; in
        squared units of the stakes.

    Notes
    -----
    Immutable, so any number of threads may run it at once.
    """

    cdef Setup setup
    cdef Network network
    cdef CubeModel cube
    cdef OneSidedTable rolls
    cdef TwoSidedTable table
    cdef Endings endings

    def __init__(
        self, Network network not None, Position position not None, *, dice, Position played,
        const double[:, ::1] utility not None, seed, gammon_rule, bint variance_reduction, bint stratified,
        bint as_initial_position, int truncation, double least_spread, double origin=0.0, CubeModel cube=None,
        int level=0, int owner=0, bint decides_first=True, bint surveys=True, int luck_plays=0, int splits=0,
        OneSidedTable rolls=None, TwoSidedTable table=None, bint worth_from_table=False, Endings endings=None,
        int plies=0,
    ):
        cdef int side, k
        if utility.shape[0] != 2 or utility.shape[1] != 6:
            raise RulesError("utility is a (2, 6) array")
        self.network = network
        self.setup.start = position.board_bits
        self.setup.die1, self.setup.die2 = (0, 0) if dice is None else dice
        self.setup.is_played = played is not None
        if played is not None:
            self.setup.played = played.board_bits
        self.setup.seed = seed
        self.setup.gammon_rule = GAMMON_RULES.index(gammon_rule)
        self.setup.is_reduced = variance_reduction
        self.setup.is_stratified = stratified
        self.setup.is_initial = as_initial_position
        self.setup.plies = plies
        self.setup.truncation = truncation
        self.setup.least_spread = least_spread
        self.setup.keep = luck_plays
        self.setup.splits = splits
        self.setup.origin = origin
        self.setup.is_cubeful = cube is not None
        self.setup.is_decided_first = decides_first
        self.setup.is_surveyed = surveys
        self.setup.level = level
        self.setup.owner = <CubeOwner>owner
        self.cube = cube
        self.rolls = rolls
        self.table = table
        self.setup.rolls = NULL if rolls is None else &rolls.raw
        self.setup.table = NULL if table is None else &table.raw
        self.setup.is_worth_exact = worth_from_table and table is not None
        self.endings = endings
        self.setup.endings = NULL if endings is None else &endings.raw
        if cube is not None:
            self.setup.stakes[0] = &cube.mine
            self.setup.stakes[1] = &cube.theirs
        for side in range(2):
            for k in range(6):
                self.setup.utility[side][k] = utility[side, k]

    def run(self, uint64_t first, Py_ssize_t count):
        """Run trials ``first`` to ``first + count - 1``.

        Returns
        -------
        (count, 7) float64 array
            One row a trial, in the order of COLUMNS: my five cumulative chances, the cubeless equity in
            points, and the worth by ``utility[0]``. With variance reduction they are estimates that may
            lie outside their range.

        Notes
        -----
        The GIL is released.
        """
        array = np.empty((count, 7), dtype=np.float64)
        cdef double[:, ::1] rows = array
        cdef Py_ssize_t i
        cdef Shaker shaker
        cdef const Weights* weights = self.network.weights
        cdef Workspace* work = new_workspace()
        cdef Board* results = <Board*>malloc(MAX_PLAYS * sizeof(Board))
        if work == NULL or results == NULL:
            free_workspace(work)
            free(results)
            raise MemoryError
        with nogil:
            prepare_shaker(&shaker, self.setup.seed, self.setup.is_stratified, self.setup.is_initial)
            for i in range(count):
                run_trial(&self.setup, weights, work, results, &shaker, first + <uint64_t>i, &rows[i, 0])
            free_workspace(work)
            free(results)
        return array
