"""From untrusted JSON to a `Record`: shapes, types and ranges; how the parts fit together is checked after."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from bgcore.adjudication.consistency import check
from bgcore.adjudication.document import OBJECT, unreadable
from bgcore.adjudication.faults import Faults
from bgcore.adjudication.fields import MISSING, Fields, kind
from bgcore.adjudication.record import (
    COLOURS,
    SCHEMA,
    Absence,
    Board,
    ClockExpired,
    Colour,
    CubeState,
    Match,
    Money,
    Pending,
    Presence,
    Prize,
    Rake,
    Record,
    RecordRules,
    Side,
)
from bgcore.errors import BgcoreError

MINOR_DIGITS: Final = {
    "AUD": 2, "BRL": 2, "CAD": 2, "CHF": 2, "CNY": 2, "CZK": 2, "DKK": 2, "EUR": 2, "FUN": 0, "GBP": 2, "HKD": 2,
    "HUF": 2, "ILS": 2, "INR": 2, "JPY": 0, "KRW": 0, "KWD": 3, "MXN": 2, "NOK": 2, "NZD": 2, "PLN": 2, "RUB": 2,
    "SEK": 2, "SGD": 2, "TND": 3, "TRY": 2, "USD": 2, "ZAR": 2,
}  # fmt: skip
"""Decimals of the smallest unit of currencies that need not state ``minor_digits``; FUN is play money."""

MOST_DIGITS: Final = 4
LONGEST_MATCH: Final = 64

RECORD_FIELDS: Final = (
    "schema", "case_id", "mode", "board", "on_roll", "dice", "moved", "cube", "pending", "rules", "money", "match",
    "absence", "auto_roll", "finished", "policy", "meta",
)  # fmt: skip
META_FIELDS: Final = ("names", "game_id", "started_at", "notes", "previous")
WORDS: Final = {
    "gammon_rule": ("standard", "portal_home_only", "manual_garlando"),
    "bearoff_rule": ("standard", "highest_first"),
    "decline_value": ("previous", "shown_after_double"),
    "limit_mode": ("clip", "block_double"),
}
FLAGS: Final = (
    "jacoby", "beavers", "raccoons", "automatic_doubles", "auto_move", "auto_roll_waives_double",
)  # fmt: skip


def read_record(document: Mapping[str, Any], *, value_only: bool = False) -> Record:
    """Read a record from JSON values; see `Record.from_dict`."""
    faults = Faults()
    if reason := unreadable(document):
        faults.add("E01", "$", f"this cannot be read: {reason}")
        faults.refuse()
    top = Fields(faults, document, "$", RECORD_FIELDS, required=("schema", "mode", "board", "on_roll", "cube"))
    if not top.is_object:
        faults.refuse()
    schema = top.text("schema")
    if schema is not None and schema != SCHEMA:
        faults.add("E02", "schema", f"this version reads {SCHEMA!r}", schema)
    mode = top.choice("mode", ("money", "match"))
    on_roll = _colour_or_null(top, "on_roll")
    board = _read_board(top, on_roll)
    record = Record(
        board=board or Board(_EMPTY, _EMPTY),
        on_roll=on_roll,
        cube=_read_cube(top),
        mode=mode or "money",
        dice=_read_dice(top),
        moved=_read_moved(top),
        pending=_read_pending(top),
        rules=_read_rules(top),
        money=_read_money(top, mode),
        match=_read_match(top, mode),
        absence=_read_absence(top, value_only=value_only),
        auto_roll=top.boolean("auto_roll"),
        is_finished=top.boolean("finished"),
        policy=_read_policy(top),
        case_id=top.text("case_id"),
        meta=_read_meta(top),
    )
    crawford = top.raw("match", {}).get("crawford", "auto") if isinstance(top.raw("match"), Mapping) else "auto"
    record = check(record, faults, crawford=crawford, has_board=board is not None, value_only=value_only)
    faults.refuse()
    return record


_POINTS: Final = frozenset(map(str, range(1, 25)))
_EMPTY: Final = Side((0,) * 24, 0, 15)


def _colour_or_null(fields: Fields, name: str) -> Colour | None:
    if fields.raw(name) is None:
        return None
    colour: Colour | None = fields.choice(name, COLOURS)
    return colour


def _read_board(top: Fields, on_roll: Colour | None) -> Board | None:
    fields = top.section("board", ("white", "black", "gnubg_id_on_roll", "position_id"))
    if fields is None:
        if "board" in top:
            top.wrong("board", "an object with the sides white and black")
        return None
    if not fields.is_object:
        return None
    identifiers = [name for name in ("gnubg_id_on_roll", "position_id") if fields.text(name) is not None]
    sides = [colour for colour in COLOURS if colour in fields]
    decoded: Board | None = None
    for name in identifiers:
        decoded = _decode(fields, name, on_roll)
    if not sides and identifiers:
        return decoded
    for colour in COLOURS:
        if colour not in fields:
            top.faults.add("E04", fields.at(colour), f"the field {colour!r} is required")
    read = [_read_side(fields, colour) for colour in sides]
    if len(read) < 2 or read[0] is None or read[1] is None:
        return None
    board = Board(read[0], read[1])
    if decoded is None or decoded == board:
        return board
    if Board(decoded.black, decoded.white) == board:
        # The checkers agree; only whose view the identifier was written in does not, and on_roll says whose turn it is.
        top.faults.add(
            "W03",
            fields.at(identifiers[-1]),
            f"the position id is seen by the side not on roll (side on roll: {on_roll or 'white'})",
            fields.raw(identifiers[-1]),
        )
    else:
        top.faults.add(
            "E53",
            fields.at(identifiers[-1]),
            f"the position id and the points of the two sides disagree (side on roll: {on_roll or 'white'})",
            fields.raw(identifiers[-1]),
            "leave one of the two out, or correct it",
        )
    return board


def _decode(fields: Fields, name: str, on_roll: Colour | None) -> Board | None:
    from bgcore._core import Position

    try:
        slots = Position.from_position_id(fields.raw(name)).board.tolist()
    except BgcoreError as error:
        fields.faults.add("E05", fields.at(name), str(error), fields.raw(name))
        return None
    mine = Side(tuple(max(n, 0) for n in slots[1:25]), slots[25], 15 - sum(n for n in slots if n > 0))
    theirs = Side(tuple(max(-n, 0) for n in slots[24:0:-1]), -slots[0], 15 + sum(n for n in slots if n < 0))
    return Board(theirs, mine) if on_roll == "black" else Board(mine, theirs)


def _read_side(board: Fields, colour: Colour) -> Side | None:
    fields = Fields(
        board.faults, board.raw(colour), board.at(colour), ("points", "bar", "off"), required=("points", "bar", "off")
    )
    if not fields.is_object:
        return None
    counts = {name: fields.integer(name, 0) or 0 for name in ("bar", "off")}
    raw = fields.raw("points")
    if not isinstance(raw, OBJECT):
        if "points" in fields:
            fields.wrong("points", 'an object of point and checkers, such as {"6": 5}')
        return None
    points = [0] * 24
    is_sound = all(isinstance(fields.raw(name), int) for name in counts)
    at_points = fields.at("points")
    for key, count in raw.items():
        if str(key) not in _POINTS:
            board.faults.add(
                "E08", f"{at_points}.{key}", f"{colour} has no point {key}", key, "points are numbered 1 to 24"
            )
            is_sound = False
        elif isinstance(count, bool) or not isinstance(count, int):
            wanted = f"a number of checkers is a whole number, not {kind(count)}"
            board.faults.add("E05", f"{at_points}.{key}", wanted, count)
            is_sound = False
        elif count < 0:
            board.faults.add("E07", f"{at_points}.{key}", f"{colour} cannot have {count} checkers there", count)
            is_sound = False
        else:
            points[int(key) - 1] += count
    for name, count in counts.items():
        if count < 0:
            board.faults.add("E07", fields.at(name), f"{colour} cannot have {count} checkers there", count)
            is_sound = False
    if counts["bar"] > 15:
        board.faults.add(
            "E52", fields.path, f"{colour} has {counts['bar']} checkers on the bar, but only 15 in all", counts["bar"]
        )
    total = sum(points) + counts["bar"] + counts["off"]
    if is_sound and total != 15:
        difference = total - 15
        board.faults.add(
            "E06",
            fields.path,
            f"{colour} has {total} checkers (points, bar and off together), "
            f"{abs(difference)} {'more' if difference > 0 else 'fewer'} than 15",
            total,
        )
    return Side(tuple(points), counts["bar"], counts["off"]) if is_sound and total == 15 else None


def _read_dice(top: Fields) -> tuple[int, int] | None:
    dice = top.raw("dice")
    if dice is None:
        return None
    if not isinstance(dice, list | tuple):
        top.wrong("dice", "null or an array of two numbers")
        return None
    if len(dice) != 2:
        top.faults.add("E35", "dice", f"a roll has two dice, not {len(dice)}", dice)
    is_sound = len(dice) == 2
    for place, die in enumerate(dice):
        if isinstance(die, bool) or not isinstance(die, int):
            top.faults.add("E05", f"dice.{place}", f"a die is a whole number, not {kind(die)}", die)
            is_sound = False
        elif not 1 <= die <= 6:
            top.faults.add("E34", f"dice.{place}", f"a die shows 1 to 6, not {die}", die)
            is_sound = False
    return (dice[0], dice[1]) if is_sound else None


def _read_moved(top: Fields) -> tuple[tuple[int, int], ...]:
    """Single moves already played of the roll: ``[from, to]`` or ``"13/8"``; 25 or ``bar``, 0 or ``off``."""
    moved = top.raw("moved")
    if moved is None:
        return ()
    if not isinstance(moved, list | tuple):
        top.wrong("moved", 'an array of moves such as [13, 8] or "13/8"')
        return ()
    words = {"bar": 25, "off": 0}
    moves = []
    for place, move in enumerate(moved):
        parts = move.rstrip("*").split("/") if isinstance(move, str) else move
        ends = [
            words.get(part, int(part) if part.isascii() and part.isdecimal() else -1) if isinstance(part, str) else part
            for part in (parts if isinstance(parts, list | tuple) else ())
        ]
        if len(ends) != 2 or any(
            isinstance(end, bool) or not isinstance(end, int) or not 0 <= end <= 25 for end in ends
        ):
            top.faults.add(
                "E05",
                f"moved.{place}",
                'a move is [from, to] or "from/to" with points 1 to 24, bar (25), off (0)',
                move,
            )
        else:
            moves.append((ends[0], ends[1]))
    return tuple(moves)


def _read_cube(top: Fields) -> CubeState:
    fields = top.section("cube", ("enabled", "value", "owner", "limit"))
    if fields is None:
        if "cube" in top:
            top.wrong("cube", "an object")
        return CubeState()
    limit = fields.raw("limit", 64)
    if limit is not None:
        limit = fields.integer("limit", 64)
    value = fields.integer("value", 1)
    return CubeState(
        value=1 if value is None else value,
        owner=fields.choice("owner", ("centre", *COLOURS), "centre"),
        enabled=fields.boolean("enabled", True),
        limit=limit,
    )


def _read_pending(top: Fields) -> Pending | None:
    fields = top.section("pending", ("type", "kind", "by", "level"), required=("by",))
    if fields is None or not fields.is_object:
        return None
    name = "kind" if "kind" in fields and "type" not in fields else "type"
    if name not in fields:
        top.faults.add("E04", fields.at("type"), "the field 'type' is required")
    kind_ = fields.choice(name, ("double", "beaver", "raccoon", "resign"))
    by = fields.choice("by", COLOURS)
    level = fields.integer("level")
    if kind_ == "resign" and "level" not in fields:
        top.faults.add("E04", fields.at("level"), "a resignation needs its level: 1 single, 2 gammon, 3 backgammon")
    elif kind_ == "resign" and level is not None and not 1 <= level <= 3:
        top.faults.add("E40", fields.at("level"), f"a resignation is at level 1, 2 or 3, not {level}", level)
    elif kind_ not in (None, "resign") and fields.raw("level") is not None:
        top.faults.add("E40", fields.at("level"), f"a {kind_} has no level", level)
    return Pending(kind_, by, level) if kind_ and by else None


def _read_rules(top: Fields) -> RecordRules:
    fields = top.section("rules", (*WORDS, *FLAGS))
    if fields is None:
        return RecordRules()
    words = {name: fields.choice(name, allowed, allowed[0]) for name, allowed in WORDS.items()}
    flags = {name: fields.boolean(name, name == "auto_roll_waives_double") for name in FLAGS}
    given: dict[str, Any] = {**words, **flags}
    return RecordRules(**given)


def _read_money(top: Fields, mode: str | None) -> Money | None:
    if mode == "match":
        if top.raw("money") is not None:
            top.faults.add("E26", "money", "a match has a prize, not a stake or a loss limit", None, "use match.prize")
        return None
    fields = top.section(
        "money", ("currency", "minor_digits", "stake", "limit", "bankroll", "rake"), required=("currency", "stake")
    )
    if fields is None:
        if mode == "money":
            top.faults.add("E04", "money", "the field 'money' is required in mode money")
        return None
    currency = _currency(fields) or ""
    digits = _minor_digits(fields, currency)
    stake = _amount(fields, "stake", digits)
    limit = _amount(fields, "limit", digits)
    if stake is not None and stake <= 0:
        top.faults.add("E27", fields.at("stake"), f"the stake must be more than 0, not {stake}", fields.raw("stake"))
        stake = None
    if stake is not None and limit is not None and limit < stake:
        top.faults.add(
            "E30", fields.at("limit"), f"the loss limit {limit} is below the stake {stake}", fields.raw("limit")
        )
    bankroll = None
    purse = fields.section("bankroll", COLOURS, required=COLOURS)
    if purse is not None:
        amounts = [_amount(purse, colour, digits) for colour in COLOURS]
        if amounts[0] is not None and amounts[1] is not None:
            bankroll = (amounts[0], amounts[1])
    return Money(currency, digits, stake or Decimal(1), limit, bankroll, _read_rake(fields, digits))


def _currency(fields: Fields) -> str | None:
    currency = fields.text("currency")
    if currency is not None and not currency.strip():
        fields.wrong("currency", "a name such as EUR")
        return None
    return currency


def _minor_digits(fields: Fields, currency: str) -> int:
    digits = (
        fields.integer("minor_digits", MINOR_DIGITS.get(currency)) if fields.raw("minor_digits") is not None else None
    )
    if digits is None:
        digits = MINOR_DIGITS.get(currency)
    if digits is None:
        if currency:
            fields.faults.add(
                "E29",
                fields.at("minor_digits"),
                f"say how many decimals {currency} has: it is not a currency known here",
                None,
                "give minor_digits, 0 to 4",
            )
        return MOST_DIGITS
    if not 0 <= digits <= MOST_DIGITS:
        fields.faults.add(
            "E29", fields.at("minor_digits"), f"a currency has 0 to {MOST_DIGITS} decimals, not {digits}", digits
        )
        return MOST_DIGITS
    return digits


def _amount(fields: Fields, name: str, digits: int) -> Decimal | None:
    amount = fields.decimal(name)
    if amount is None:
        return None
    if 10**digits % amount.as_integer_ratio()[1]:
        fields.faults.add(
            "E28", fields.at(name), f"{name} has more than the {digits} decimals of the currency", fields.raw(name)
        )
        return None
    return amount


def _read_rake(money: Fields, digits: int) -> Rake:
    raw = money.raw("rake")
    if raw is None:
        return Rake()
    if not isinstance(raw, Mapping):
        return Rake(_rate(money, "rake"))
    fields = Fields(money.faults, raw, money.at("rake"), ("rate", "base", "min", "max"), required=("rate",))
    rate = _rate(fields, "rate")
    least, most = _amount(fields, "min", digits), _amount(fields, "max", digits)
    for name, amount in (("min", least), ("max", most)):
        if amount is not None and amount < 0:
            money.faults.add("E32", fields.at(name), f"a rake cannot be negative: {amount}", fields.raw(name))
    if least is not None and most is not None and least > most:
        money.faults.add("E32", fields.at("min"), f"the least rake {least} is above the most {most}", fields.raw("min"))
    return Rake(rate, fields.choice("base", ("net_winner",), "net_winner"), least, most)


def _rate(fields: Fields, name: str) -> Decimal:
    rate = fields.ratio(name, Decimal(0))
    if not 0 <= rate <= 1:
        fields.faults.add("E32", fields.at(name), f"the rake is a share from 0 to 1, not {rate}", fields.raw(name))
    return rate


def _read_match(top: Fields, mode: str | None) -> Match | None:
    if mode == "money":
        if top.raw("match") is not None:
            top.faults.add("E26", "match", "a money game has no match: leave this out, or set mode to match")
        return None
    fields = top.section(
        "match",
        ("length", "score", "crawford", "met", "prize", "bracket", "next_round_value"),
        required=("length", "score"),
    )
    if fields is None:
        if mode == "match":
            top.faults.add("E04", "match", "the field 'match' is required in mode match")
        return None
    length = fields.integer("length")
    if length is not None and not 1 <= length <= LONGEST_MATCH:
        top.faults.add(
            "E25", fields.at("length"), f"a match is to 1 to {LONGEST_MATCH} points here, not {length}", length
        )
        length = None
    points = []
    score = fields.section("score", COLOURS, required=COLOURS)
    if score is None and "score" in fields:
        fields.wrong("score", "an object with white and black")
    for colour in COLOURS if score is not None else ():
        assert score is not None
        own = score.integer(colour)
        if own is not None and own < 0:
            top.faults.add("E24", score.at(colour), f"a score cannot be negative: {own}", own)
        elif own is not None and length is not None and own >= length:
            top.faults.add("E23", score.at(colour), f"at {own} points a match to {length} is over", own)
        elif own is not None:
            points.append(own)
    fields.choice("crawford", ("auto", "yes", "no", "post"), "auto")
    prize = _read_prize(fields)
    next_round = fields.decimal("next_round_value")
    if next_round is not None and next_round < 0:
        top.faults.add("E33", fields.at("next_round_value"), f"the seat in the next round cannot be worth {next_round}")
    if length is None or len(points) != 2:
        return None
    return Match(
        length=length,
        score=(points[0], points[1]),
        met=fields.text("met", "Kazaross-XG2") or "Kazaross-XG2",
        prize=prize,
        bracket=fields.boolean("bracket"),
        next_round_value=next_round,
    )


def _read_prize(match: Fields) -> Prize | None:
    fields = match.section("prize", ("winner", "loser", "currency", "minor_digits"), required=("winner",))
    if fields is None or not fields.is_object:
        return None
    currency = _currency(fields)
    digits = 2 if currency is None and "minor_digits" not in fields else _minor_digits(fields, currency or "")
    winner = _amount(fields, "winner", digits)
    loser = _amount(fields, "loser", digits)
    loser = Decimal(0) if loser is None else loser
    if winner is None:
        return None
    if loser < 0 or loser > winner:
        match.faults.add(
            "E33",
            fields.at("loser"),
            f"the loser's prize {loser} must be from 0 to the winner's {winner}",
            fields.raw("loser"),
        )
    return Prize(winner, loser, digits, currency)


def _read_absence(top: Fields, *, value_only: bool) -> Absence:
    fields = top.section("absence", ("white", "black", "cause", "clock_expired", "plies_played", "claim"))
    if fields is None:
        if not value_only:
            top.faults.add("E04", "absence", "the field 'absence' is required: who was away, and for how long")
        return Absence()
    plies = fields.integer("plies_played") if fields.raw("plies_played") is not None else None
    if plies is not None and plies < 0:
        top.faults.add("E43", fields.at("plies_played"), f"a number of plies cannot be negative: {plies}", plies)
    return Absence(
        white=_read_presence(fields, "white"),
        black=_read_presence(fields, "black"),
        cause=fields.choice("cause", ("player", "server", "unknown"), "player"),
        clock_expired=_read_clock(fields),
        plies_played=plies,
        claim=fields.choice("claim", ("win", "refund")) if fields.raw("claim") is not None else None,
    )


def _read_presence(absence: Fields, colour: Colour) -> Presence:
    fields = absence.section(colour, ("away", "returned", "seconds", "used_before", "clock_left", "deliberate"))
    if fields is None:
        return Presence()
    away = fields.boolean("away")
    if away and fields.boolean("returned"):
        absence.faults.add("E41", fields.path, f"{colour} cannot be away and returned at once")
    if away and fields.raw("seconds") is None:
        absence.faults.add("E04", fields.at("seconds"), f"{colour} is away: say for how many seconds")
    return Presence(
        away=away,
        seconds_ms=fields.milliseconds("seconds") or 0,
        used_before_ms=fields.milliseconds("used_before") or 0,
        clock_left_ms=fields.milliseconds("clock_left", None),
        deliberate=fields.boolean("deliberate") if fields.raw("deliberate") is not None else None,
    )


def _read_clock(absence: Fields) -> ClockExpired | None:
    raw = absence.raw("clock_expired")
    if raw is None:
        return None
    if isinstance(raw, str):
        side = absence.choice("clock_expired", COLOURS)
        return ClockExpired(side) if side else None
    fields = Fields(absence.faults, raw, absence.at("clock_expired"), ("side", "scope"), required=("side",))
    side = fields.choice("side", COLOURS)
    scope = fields.choice("scope", ("game", "round"), "game")
    return ClockExpired(side, scope) if side else None


def _read_policy(top: Fields) -> str | Mapping[str, Any] | None:
    policy = top.raw("policy", MISSING)
    if policy is MISSING or policy is None:
        return None
    if isinstance(policy, str):
        return policy
    if isinstance(policy, Mapping):
        return dict(policy)
    top.wrong("policy", "a policy's name or an object of overrides")
    return None


def _read_meta(top: Fields) -> Mapping[str, Any] | None:
    fields = top.section("meta", META_FIELDS)
    if fields is None or not fields.is_object:
        return None
    names = fields.section("names", COLOURS)
    if names is not None and names.text("white") is not None and names.text("white") == names.text("black"):
        top.faults.add("E41", names.path, "one player cannot sit on both sides", names.text("white"))
    return dict(top.raw("meta"))
