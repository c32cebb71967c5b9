"""JSON Schemas (2020-12) of records, policies and verdicts, made from the tables that the readers use."""

from typing import Any, Final

from bgcore.adjudication.consistency import MOST_CUBE
from bgcore.adjudication.faults import NAMES
from bgcore.adjudication.fields import DECIMAL_PATTERN
from bgcore.adjudication.policy import CHOICES, MOST_TRIALS, PRECISION_KEYS, PROFILES, SHIPPED, UNDECIDED
from bgcore.adjudication.reader import FLAGS, LONGEST_MATCH, MOST_DIGITS, WORDS
from bgcore.adjudication.record import SCHEMA
from bgcore.adjudication.settle import STATUSES
from bgcore.errors import BgcoreError
from bgcore.rules import MAX_CUBE

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
NULL: Final[Schema] = {"type": "null"}
COLOUR: Final[Schema] = {"enum": ["white", "black"]}
MONEY: Final[Schema] = {
    "description": "An exact amount: a decimal string or a whole number, never a float.",
    "anyOf": [{"type": "string", "pattern": DECIMAL_PATTERN}, {"type": "integer"}],
}
RATIO: Final[Schema] = {
    "description": "A number that is no money: a JSON number or a decimal string.",
    "anyOf": [{"type": "string", "pattern": DECIMAL_PATTERN}, {"type": "number"}],
}
SECONDS: Final[Schema] = {
    "description": "Seconds with at most three decimals.",
    "anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": r"^\d+(\.\d{1,3})?$"}],
}
NUMBER_TEXT: Final[Schema] = {
    "description": "A number as text: a fraction such as 13/9 when exact, else the decimal of the float.",
    "type": "string",
}


def schema(name: str) -> Schema:
    """Return the JSON Schema of a kind of document.

    Parameters
    ----------
    name : {"record", "policy", "verdict"}

    Raises
    ------
    BgcoreError
        For another name.

    Notes
    -----
    A schema says which fields there are and what type they have. How fields must fit together (checkers that
    add up, a cube somebody may own) is checked when a record is read, with a numbered fault for each misfit.
    """
    made = {"record": _record, "policy": _policy, "verdict": _verdict}
    if name not in made:
        raise BgcoreError(f"there are schemas of {', '.join(made)}, not of {name!r}")
    return {"$schema": DIALECT, "title": f"bgcore {name}", **made[name]()}


def _object(fields: Schema, required: tuple[str, ...] = (), about: str = "") -> Schema:
    """Return an object that allows its fields, those that start with x_, and no others."""
    made: Schema = {
        "type": "object",
        "properties": fields,
        "patternProperties": {"^x_": {}},
        "additionalProperties": False,
    }
    if required:
        made["required"] = list(required)
    return {**made, "description": about} if about else made


def _or_null(schema_: Schema) -> Schema:
    return {"anyOf": [schema_, NULL]}


def _enum(*words: str) -> Schema:
    return {"enum": list(words)}


def _record() -> Schema:
    count = {"type": "integer", "minimum": 0, "maximum": 15}
    points: Schema = {
        "type": "object",
        "propertyNames": {"pattern": "^([1-9]|1[0-9]|2[0-4])$"},
        "additionalProperties": count,
        "description": "Checkers by the side's own point number, 24 to 1.",
    }
    side = _object({"points": points, "bar": count, "off": count}, ("points", "bar", "off"))
    identifier = {"type": "string", "minLength": 14, "maxLength": 14}
    presence = _object(
        {
            "away": {"type": "boolean"},
            "returned": {"type": "boolean"},
            "seconds": SECONDS,
            "used_before": SECONDS,
            "clock_left": _or_null(SECONDS),
            "deliberate": _or_null({"type": "boolean"}),
        }
    )
    clock = _object({"side": COLOUR, "scope": _enum("game", "round")}, ("side",))
    move: Schema = {
        "anyOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 25}, "minItems": 2, "maxItems": 2},
            {"type": "string"},
        ],
        "description": "One checker by one die, in the mover's own numbering: 25 or bar, 0 or off.",
    }
    fields: Schema = {
        "schema": {"const": SCHEMA},
        "case_id": _or_null({"type": "string"}),
        "mode": _enum("money", "match"),
        "board": _object(
            {"white": side, "black": side, "gnubg_id_on_roll": identifier, "position_id": identifier},
            about="The checkers at the start of the turn; an identifier is seen by the side on roll.",
        ),
        "on_roll": {"enum": ["white", "black", None], "description": "null before the opening roll, and only then"},
        "dice": _or_null(
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}, "minItems": 2, "maxItems": 2}
        ),
        "moved": _or_null({"type": "array", "items": move, "maxItems": 4}),
        "cube": _object(
            {
                "enabled": {"type": "boolean", "default": True},
                "value": {"type": "integer", "minimum": 1, "maximum": MOST_CUBE, "default": 1},
                "owner": _enum("centre", "white", "black"),
                "limit": _or_null({"type": "integer", "minimum": 1, "maximum": MAX_CUBE, "default": 64}),
            }
        ),
        "pending": _or_null(
            _object(
                {
                    "type": _enum("double", "beaver", "raccoon", "resign"),
                    "kind": _enum("double", "beaver", "raccoon", "resign"),
                    "by": COLOUR,
                    "level": _or_null({"type": "integer", "minimum": 1, "maximum": 3}),
                },
                ("by",),
            )
        ),
        "rules": _or_null(
            _object(
                {
                    **{name: _enum(*words) for name, words in WORDS.items()},
                    **{name: {"type": "boolean"} for name in FLAGS},
                }
            )
        ),
        "money": _or_null(_money()),
        "match": _or_null(_match()),
        "absence": _object(
            {
                "white": _or_null(presence),
                "black": _or_null(presence),
                "cause": _enum("player", "server", "unknown"),
                "clock_expired": {"anyOf": [COLOUR, clock, NULL]},
                "plies_played": _or_null({"type": "integer", "minimum": 0}),
                "claim": {"enum": ["win", "refund", None]},
            }
        ),
        "auto_roll": {"type": "boolean", "description": "Whether the side on roll rolls automatically."},
        "finished": {"type": "boolean", "description": "Settle a game that is over instead of refusing it."},
        "policy": {"anyOf": [{"type": "string"}, {"type": "object"}, NULL]},
        "meta": _or_null(
            _object(
                {
                    "names": _or_null(_object({"white": {"type": "string"}, "black": {"type": "string"}})),
                    "game_id": {},
                    "started_at": {},
                    "notes": {},
                    "previous": {},
                },
                about="Not part of the digest.",
            )
        ),
    }
    return _object(fields, ("schema", "mode", "board", "on_roll", "cube"), "An abandoned game.")


def _money() -> Schema:
    rake = _object(
        {"rate": RATIO, "base": _enum("net_winner"), "min": _or_null(MONEY), "max": _or_null(MONEY)}, ("rate",)
    )
    return _object(
        {
            "currency": {"type": "string", "pattern": r"\S"},
            "minor_digits": _or_null({"type": "integer", "minimum": 0, "maximum": MOST_DIGITS}),
            "stake": {**MONEY, "description": "What one point is worth, in the currency."},
            "limit": {**_or_null(MONEY), "description": "The most a side can lose."},
            "bankroll": _or_null(_object({"white": MONEY, "black": MONEY}, ("white", "black"))),
            "rake": {"anyOf": [RATIO, rake, NULL]},
        },
        ("currency", "stake"),
    )


def _match() -> Schema:
    points = {"type": "integer", "minimum": 0}
    prize = _object(
        {
            "winner": MONEY,
            "loser": _or_null(MONEY),
            "currency": _or_null({"type": "string", "pattern": r"\S"}),
            "minor_digits": {"type": "integer", "minimum": 0, "maximum": MOST_DIGITS},
        },
        ("winner",),
    )
    return _object(
        {
            "length": {"type": "integer", "minimum": 1, "maximum": LONGEST_MATCH},
            "score": _object({"white": points, "black": points}, ("white", "black")),
            "crawford": _enum("auto", "yes", "no", "post"),
            "met": {"type": "string"},
            "prize": _or_null(prize),
            "bracket": {"type": "boolean", "description": "Whether the winner takes a seat in the next round."},
            "next_round_value": _or_null(MONEY),
        },
        ("length", "score"),
    )


def _policy() -> Schema:
    precision = _object(
        {
            **{name: {} for name in PRECISION_KEYS},
            "profile": _enum(*PROFILES),
            "goal": _enum("money", "points", "trials"),
            "materiality_minor": {"type": "integer"},
            "materiality_rate": RATIO,
            "z_stop": RATIO,
            "checkpoints": {"type": "array", "items": {"type": "integer", "minimum": 2, "maximum": MOST_TRIALS}},
            "max_trials": {"type": "integer", "minimum": 2, "maximum": MOST_TRIALS},
            "plies": {"enum": [0, 1]},
        }
    )
    fee = _object({"rate": RATIO, "of": _enum("cube", "stake", "limit"), "to": _enum("present", "house")})
    fields: Schema = {
        "name": {
            "type": "string",
            "description": f"One of {', '.join(SHIPPED)} to start from it, or a name of your own.",
        },
        "title": {"type": "string"},
        **{name: _enum(*words) for name, words in CHOICES.items()},
        "grace_seconds": SECONDS,
        "grace_shares_clock": {"type": "boolean"},
        "grace_lost_divisor": {"type": "integer", "minimum": 1},
        "lost_below": RATIO,
        "simultaneous_s": SECONDS,
        "refund_needs_simultaneous": {"type": "boolean"},
        "first_leaver_matters": {"type": "boolean"},
        "min_plies": {"type": "integer", "minimum": 0},
        "leaver_fee": {"anyOf": [fee, RATIO]},
        "majority": _object({"threshold": RATIO}),
        "undecided": {"type": "array", "items": _enum(*UNDECIDED), "minItems": 1},
        "precision": {"anyOf": [precision, _enum(*PROFILES)]},
    }
    return _object(fields, (), "Overrides; what is left out is as in the policy named, else as in play65.")


def _verdict() -> Schema:
    text: Schema = {"type": "string"}
    digest: Schema = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
    fault = _object(
        {
            "code": _enum(*NAMES),
            "name": _enum(*NAMES.values()),
            "path": text,
            "message": text,
            "value": {},
            "hint": text,
        }
    )
    transfer = _object({"from": COLOUR, "to": COLOUR, "amount": text}, ("from", "to", "amount"))
    payouts = _object(dict.fromkeys(("escrow_each", "white", "black", "site", "sum"), text), ("white", "black", "sum"))
    chances = ("win", "win_gammon", "win_bg", "lose_gammon", "lose_bg")
    value = _object(
        {
            "unit": _enum("points", "mwc"),
            "points_white": _or_null(NUMBER_TEXT),
            "mwc_white": _or_null(NUMBER_TEXT),
            "per_cube": _or_null(NUMBER_TEXT),
            "basis": _enum("proof", "exact_table", "symmetry", "rollout"),
            "ci95": _or_null({"type": "array", "items": text, "minItems": 2, "maxItems": 2}),
            "probs": _or_null(_object(dict.fromkeys(chances, NUMBER_TEXT), chances)),
            "win_error": text,
            "model_error": text,
            "action": _enum("no_cube", "no_double", "too_good", "double_take", "double_pass"),
            "winning_rolls": _or_null({"type": "integer", "minimum": 1, "maximum": 35}),
            "rollouts": {"type": "array", "items": {"type": "object"}},
        }
    )
    repro = _object(
        {
            **{name: _or_null(text) for name in ("bgcore", "weights", "bearoff", "met", "kernel", "rng", "seed")},
            "trials": {"type": "integer", "minimum": 0},
            "plies": _or_null({"type": "integer"}),
            "record": _or_null(digest),
            "policy": _or_null(digest),
            "bit": {"type": "boolean"},
        }
    )
    fields: Schema = {
        "verdict_id": digest,
        "schema": {"const": "bgcore.verdict/1"},
        "case_id": _or_null(text),
        "status": _enum(*STATUSES),
        "basis": _enum("exact", "rollout", "rule", "exact+rule", "rollout+rule"),
        "reasons": {"type": "array", "items": text},
        "equity_points_white": _or_null(NUMBER_TEXT),
        "mwc_white": _or_null(NUMBER_TEXT),
        "shares": _or_null(_object(dict.fromkeys(("white", "black", "sum"), text))),
        "transfer": _or_null(transfer),
        "currency": _or_null(text),
        "payouts": _or_null(payouts),
        "residual": text,
        "interval_money": _or_null({"type": "array", "items": text, "minItems": 2, "maxItems": 2}),
        "certain": {"type": "boolean"},
        "practically_certain": {"type": "boolean"},
        "value": _or_null(value),
        "sensitivity": {"type": "object", "additionalProperties": NUMBER_TEXT},
        "absence": _or_null({"type": "object"}),
        "warnings": {"type": "array", "items": text},
        "errors": {"type": "array", "items": fault},
        "record": _or_null({"type": "object"}),
        "policy": _or_null({"type": "object"}),
        "repro": repro,
        "previous": _or_null(text),
    }
    return _object(fields, tuple(fields), "What was decided; no floats, no time of day.")
