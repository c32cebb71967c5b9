"""Whether the parts of a record fit together; every misfit is noted, none is mended by guessing."""

from dataclasses import replace
from functools import cache
from typing import Final

from bgcore._core import Position
from bgcore.adjudication.faults import Faults
from bgcore.adjudication.proof import most_possible
from bgcore.adjudication.record import COLOURS, OTHER, Board, Colour, Record
from bgcore.adjudication.turn import completions
from bgcore.errors import PositionError
from bgcore.met import available
from bgcore.rules import MAX_CUBE, outcome_points

MOST_CUBE: Final = 1024
"""The highest cube a record may show: a trial counts up to 2**20 points, and its game may go on to redouble."""

_MATCH_FORBIDS: Final = ("jacoby", "beavers", "raccoons", "automatic_doubles")


def check(record: Record, faults: Faults, *, crawford: object, has_board: bool, value_only: bool) -> Record:
    """Check a record whose parts are sound by themselves; returns it with what had to be resolved.

    Parameters
    ----------
    record : Record
        With ``match.is_crawford`` still unresolved.
    faults : Faults
        Where every misfit is noted.
    crawford : object
        The record's ``match.crawford`` as it stands.
    has_board : bool
        Whether the board could be read; if not, nothing is said about it.
    value_only : bool
        Whether a record with nobody away is welcome.
    """
    if has_board:
        _check_board(record, faults)
    if not any(fault.path.startswith("cube") for fault in faults.errors):
        _check_cube(record, faults)
    record = _resolve_crawford(record, faults, crawford)
    _check_match(record, faults)
    _check_turn(record, faults, has_board=has_board)
    _check_pending(record, faults, has_board=has_board)
    _check_money(record, faults)
    if (
        not value_only
        and not record.absence.gone
        and record.absence.clock_expired is None
        and not any(fault.path.split(".")[0] == "absence" for fault in faults.errors)
    ):
        faults.add(
            "E42",
            "absence",
            "nobody is away and no clock has run out: there is nothing to adjudicate",
            None,
            "ask for the value only, if that is all that is wanted",
        )
    return replace(record, warnings=tuple(faults.warnings)) if faults.warnings else record


def _check_board(record: Record, faults: Faults) -> None:
    board = record.board
    for point in range(1, 25):
        if board.white.points[point - 1] and board.black.points[24 - point]:
            faults.add(
                "E09",
                f"board.white.points.{point}",
                f"both sides stand on one point: white's {point} point is black's {25 - point} point",
            )
    done = [colour for colour in COLOURS if board.side(colour).off == 15]
    if len(done) == 2:
        faults.add("E11", "board", "both sides have borne off all 15 checkers")
    elif record.is_finished and not done:
        faults.add("W04", "finished", "the game is not over, so it is judged like any other", True)
    elif done and not record.is_finished:
        position = Position.from_board(board.slots(done[0]))
        points = outcome_points(position, record.rules.gammon_rule) * record.cube.value
        faults.add(
            "E10",
            f"board.{done[0]}.off",
            f"the game is over: {done[0]} has borne off all 15 checkers",
            15,
            f"the final result pays {done[0]} {plural(points, 'point')}; set finished to true to settle it as finished",
        )
    if all(board.side(colour).bar and _is_closed(board, OTHER[colour]) for colour in COLOURS):
        faults.add("E12", "board", "both sides are on the bar against a closed home board: no play can lead there")
    for colour in COLOURS:
        side = board.side(colour)
        if 0 < side.off < 15 and (side.bar or any(side.points[6:])):
            faults.add(
                "W01",
                f"board.{colour}.off",
                f"{colour} has {plural(side.off, 'checker')} off and others on the bar or outside home",
                side.off,
                "legal after a hit during the bear-off; gammon rules differ here",
            )


def _is_closed(board: Board, colour: Colour) -> bool:
    return all(count >= 2 for count in board.side(colour).points[:6])


def _check_cube(record: Record, faults: Faults) -> None:
    cube = record.cube
    is_power = cube.value >= 1 and cube.value & (cube.value - 1) == 0
    if not is_power:
        faults.add("E14", "cube.value", f"the cube shows a power of two, not {cube.value}", cube.value)
    if cube.limit is not None and (cube.limit < 1 or cube.limit & (cube.limit - 1)):
        faults.add("E16", "cube.limit", f"the cube limit is a power of two or null, not {cube.limit}", cube.limit)
    elif cube.limit is not None and is_power and cube.value > cube.limit:
        faults.add("E15", "cube.value", f"the cube shows {cube.value}, above its limit {cube.limit}", cube.value)
    elif is_power and cube.value > MOST_CUBE:
        faults.add("E15", "cube.value", f"the cube shows {cube.value}; the highest here is {MOST_CUBE}", cube.value)
    if cube.limit is not None and cube.limit > MAX_CUBE:
        faults.add(
            "E15",
            "cube.limit",
            f"the cube limit is {MAX_CUBE} at most, not {cube.limit}",
            cube.limit,
            "null is a cube without a limit",
        )
    if not cube.enabled:
        if cube.value != 1 or cube.owner != "centre":
            faults.add("E19", "cube", "a game without a cube has it in the centre at 1", cube.to_dict())
    elif cube.value == 1 and cube.owner != "centre":
        faults.add("E17", "cube.owner", "a cube that somebody owns was turned, so it shows 2 or more", cube.owner)
    elif is_power and cube.value > 1 and cube.owner == "centre" and not record.rules.automatic_doubles:
        faults.add(
            "E18",
            "cube.owner",
            f"a cube at {cube.value} belongs to somebody, unless automatic doubles are played",
            cube.owner,
            "name the owner, or set rules.automatic_doubles",
        )
    if record.rules.raccoons and not record.rules.beavers:
        faults.add("E46", "rules.raccoons", "raccoons answer beavers, so they need rules.beavers", True)


def _resolve_crawford(record: Record, faults: Faults, crawford: object) -> Record:
    match = record.match
    if match is None:
        return record
    at_one = [colour for colour in COLOURS if match.away(colour) == 1]
    if crawford in ("yes", "post") and not at_one:
        faults.add("E21", "match.crawford", f"nobody needs exactly one point, so this cannot be {crawford!r}", crawford)
    elif crawford == "yes" and len(at_one) == 2:
        faults.add("E21", "match.crawford", "both sides need one point: the Crawford game is over", crawford)
    elif crawford == "auto" and len(at_one) == 1:
        faults.add(
            "E22",
            "match.crawford",
            f"{at_one[0]} needs one point: is this the Crawford game or a later one?",
            crawford,
            "say yes (this is the Crawford game) or post (it has been played)",
        )
    is_crawford = crawford == "yes" and len(at_one) == 1
    return replace(record, match=replace(match, is_crawford=True)) if is_crawford else record


def _check_match(record: Record, faults: Faults) -> None:
    match = record.match
    if record.mode == "match":
        for name in _MATCH_FORBIDS:
            if getattr(record.rules, name):
                faults.add("E26", f"rules.{name}", f"{name} belongs to money play, not to a match", True)
    if match is None:
        return
    if match.met not in known_tables():
        faults.add(
            "E48",
            "match.met",
            f"there is no match equity table {match.met!r}",
            match.met,
            "known: " + ", ".join(known_tables()),
        )
    if match.is_crawford and (record.cube.value != 1 or record.cube.owner != "centre"):
        faults.add("E20", "cube", "in the Crawford game nobody may double, so the cube is in the centre at 1")
    if match.is_crawford and record.pending is not None and record.pending.type != "resign":
        faults.add("E20", "pending", "in the Crawford game nobody may double")


@cache
def known_tables() -> tuple[str, ...]:
    """Return the names of the match equity tables that come with the package."""
    return available()


def _check_turn(record: Record, faults: Faults, *, has_board: bool) -> None:
    if record.on_roll is None and record.dice is None and has_board:
        begun = _begun(record)
        if begun:
            faults.add(
                "E04",
                "on_roll",
                f"on_roll is null only before the opening roll, but {begun}",
                None,
                "say whose turn it is: white or black",
            )
    if record.dice is not None:
        if record.on_roll is None:
            faults.add(
                "E37", "dice", "before the opening roll nobody has dice", list(record.dice), "say who is on_roll"
            )
        if record.pending is not None and record.pending.type != "resign":
            faults.add(
                "E38",
                "pending",
                f"a {record.pending.type} is offered before the roll, not after it",
                record.pending.type,
            )
        if record.dice[0] == record.dice[1] and record.absence.plies_played == 0:
            faults.add("E36", "dice", "the first roll of a game is never a double", list(record.dice))
    if not record.moved:
        return
    if record.dice is None or record.on_roll is None:
        faults.add("E39", "moved", "checkers were moved, but no dice are given")
    elif has_board and not faults.errors:
        try:
            position = record.position
        except PositionError:
            return
        if not completions(position, record.dice, record.moved, record.rules.bearoff_rule):
            from bgcore._core import legal_plays

            plays = "; ".join(map(str, legal_plays(position, record.dice)[:20])) or "none"
            faults.add(
                "E39",
                "moved",
                f"no legal play of {record.dice[0]}-{record.dice[1]} begins with these moves",
                [list(move) for move in record.moved],
                f"legal plays: {plays}; moved holds moves of one die each, such as 6/4 and 4/3 for 6/3",
            )


def _begun(record: Record) -> str:
    """Return what shows that the opening roll has been made; empty if nothing does."""
    board = record.board
    if record.absence.plies_played:
        return f"plies_played is {record.absence.plies_played}"
    if record.cube.owner != "centre":
        return "the cube has been turned"
    if board.white != board.black or board.white.off or board.white.bar:
        return "the checkers are not where a game begins"
    return ""


def _check_pending(record: Record, faults: Faults, *, has_board: bool) -> None:
    pending, cube = record.pending, record.cube
    if pending is None:
        return

    def refuse(message: str, hint: str = "") -> None:
        faults.add("E40", "pending", message, pending.to_dict(), hint)

    if pending.type == "resign":
        if pending.level and has_board and not _can_lose(record, pending.by, pending.level):
            faults.add(
                "W02",
                "pending.level",
                f"{pending.by} offers {pending.level} times the cube, which this game can no longer cost",
                pending.level,
            )
        return
    doubler = record.on_roll
    if doubler is None:
        refuse("nobody is on roll, so nobody can have doubled")
        return
    offers = {"double": 1, "beaver": 2, "raccoon": 3}[pending.type]
    by = doubler if offers != 2 else OTHER[doubler]
    if pending.by != by:
        refuse(f"{doubler} is on roll, so a {pending.type} comes from {by}, not from {pending.by}")
    if not cube.enabled:
        refuse("this game is played without a cube")
    elif cube.owner == OTHER[doubler]:
        refuse(f"{doubler} cannot double: the cube belongs to {OTHER[doubler]}")
    if pending.type == "beaver" and not record.rules.beavers:
        refuse("beavers are off in this game", "set rules.beavers")
    if pending.type == "raccoon" and not record.rules.raccoons:
        refuse("raccoons are off in this game", "set rules.raccoons")
    if cube.limit is not None and cube.value << offers > cube.limit:
        refuse(f"the cube would show {cube.value << offers}, above its limit {cube.limit}")
    elif cube.value << offers > MOST_CUBE >= cube.value:
        refuse(f"the cube would show {cube.value << offers}; the highest here is {MOST_CUBE}")
    if record.money is not None and record.rules.limit_mode == "block_double":
        cap = record.money.cap
        if cap is not None and (cube.value << offers) * record.money.stake > cap:
            refuse(f"a cube at {cube.value << offers} is more than the loss limit covers (limit_mode block_double)")
    if record.auto_roll and record.rules.auto_roll_waives_double:
        refuse(f"{doubler} rolls automatically and so gave up the double of this turn")


def _can_lose(record: Record, loser: Colour, level: int) -> bool:
    """Whether the loser can still lose that many times the cube."""
    if level == 1 or record.board.side(loser).off == 15:
        return level == 1
    try:
        position = record.position
    except PositionError:
        return True
    rules = record.rules
    if outcome_points(position, rules.gammon_rule):
        return True
    is_mine = (record.on_roll or "white") != loser
    return level <= most_possible(position, is_mine, rules.gammon_rule, rules.bearoff_rule)


def _check_money(record: Record, faults: Faults) -> None:
    money = record.money
    if money is None or money.bankroll is None:
        return
    exposure = money.stake * record.cube.value
    if money.limit is not None:
        exposure = min(exposure, money.limit)
    for colour, purse in zip(COLOURS, money.bankroll, strict=True):
        if purse < exposure:
            faults.add(
                "E31",
                f"money.bankroll.{colour}",
                f"{colour} has {purse}, less than the {exposure} already at risk",
                str(purse),
                "correct the bankroll; limit_mode block_double keeps doubles within it",
            )


def plural(count: int, noun: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
