"""Cases and verdicts as spreadsheets: one row a case, columns named by their JSON paths joined with ``_``.

``white_6`` is short for ``board.white.points.6``, ``white_bar`` and ``white_off`` for the other two; money stays text.
An empty cell says nothing; a cell that is no number where one belongs is handed on for the record's checks to name.
"""

from __future__ import annotations

import csv
import difflib
import json
import re
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any

from bgcore.errors import NotationError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TEXTS = (
    "case_id", "mode", "on_roll", "policy", "cube_owner", "pending_type", "pending_by", "rules_gammon_rule",
    "rules_bearoff_rule", "rules_decline_value", "rules_limit_mode", "money_currency", "money_stake",
    "money_limit", "money_bankroll_white", "money_bankroll_black", "money_rake_rate", "money_rake_base",
    "money_rake_min", "money_rake_max", "match_crawford", "match_met", "match_next_round_value",
    "match_prize_winner", "match_prize_loser", "match_prize_currency", "absence_white_seconds",
    "absence_white_used_before", "absence_white_clock_left", "absence_black_seconds",
    "absence_black_used_before", "absence_black_clock_left", "absence_cause", "absence_claim",
    "absence_clock_expired_side", "absence_clock_expired_scope", "meta_names_white", "meta_names_black",
    "meta_game_id",
)  # fmt: skip
NUMBERS = (
    "cube_value", "cube_limit", "pending_level", "money_minor_digits", "match_length", "match_score_white",
    "match_score_black", "match_prize_minor_digits", "absence_plies_played",
)  # fmt: skip
FLAGS = (
    "cube_enabled", "rules_jacoby", "rules_beavers", "rules_raccoons", "rules_automatic_doubles",
    "rules_auto_move", "rules_auto_roll_waives_double", "match_bracket", "absence_white_away",
    "absence_white_deliberate", "absence_black_away", "absence_black_deliberate", "auto_roll", "finished",
)  # fmt: skip
SECTIONS = (
    "absence_clock_expired", "absence_white", "absence_black", "match_score", "match_prize", "money_bankroll",
    "money_rake", "meta_names", "absence", "cube", "match", "meta", "money", "pending", "rules",
)  # fmt: skip
VERDICT = (
    "case_id", "status", "basis", "reasons", "equity_points_white", "mwc_white", "transfer_from", "transfer_to",
    "transfer_amount", "currency", "payouts_white", "payouts_black", "payouts_site", "payouts_sum", "residual",
    "certain", "interval_money_low", "interval_money_high", "warnings", "errors", "verdict_id",
)  # fmt: skip


def _path(column: str) -> tuple[str, ...]:
    """Find where a column belongs in a record."""
    checkers = re.fullmatch(r"(white|black)_(\d{1,2}|bar|off)", column)
    if checkers:
        side, place = checkers.groups()
        return ("board", side, place) if place in ("bar", "off") else ("board", side, "points", place)
    if column in ("case_id", "on_roll", "auto_roll"):
        return (column,)
    for section in SECTIONS:
        if column.startswith(section + "_"):
            parts = ["absence", "clock_expired"] if section == "absence_clock_expired" else section.split("_")
            return (*parts, column[len(section) + 1 :])
    return (column,)


def _checked(columns: Iterable[str]) -> dict[str, tuple[str, ...]]:
    known = {*TEXTS, *NUMBERS, *FLAGS, "dice", "moved", "cube_limit"}
    known |= {f"{side}_{place}" for side in ("white", "black") for place in (*map(str, range(1, 25)), "bar", "off")}
    unknown = [column for column in columns if column not in known]
    if unknown:
        near = difflib.get_close_matches(unknown[0], known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise NotationError(f"no record has the column {shown(unknown[0])}{hint}")
    return {column: _path(column) for column in columns}


def _cell(column: str, text: str) -> Any:
    """Read one cell as what its column holds; what is none stays text."""
    if column == "dice":
        return [int(die) if die.isdecimal() else die for die in re.findall(r"[^\s,;-]", text)]
    if column == "moved":
        return text.split()
    if column in FLAGS:
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(text.lower(), text)
    is_number = column in NUMBERS or column.startswith(("white_", "black_"))
    return int(text) if is_number and re.fullmatch(r"-?[0-9]{1,18}", text) else text


def records_of(file: IO[str]) -> Iterator[str]:
    """Turn a CSV of cases into JSON lines, one for each row.

    Raises
    ------
    NotationError
        If there is no head, or a column that no record has.
    """
    rows = csv.DictReader(file)
    try:
        columns = _checked(rows.fieldnames or ())
        if not columns:
            raise NotationError("the CSV file has no line with the names of its columns")
        for row in rows:
            yield json.dumps(_record(row, columns), separators=(",", ":"))
    except csv.Error as error:
        raise NotationError(f"not a CSV file: {error}") from error


def _record(row: dict[str, Any], columns: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    record: dict[str, Any] = {"schema": "bgcore.adjudication/1"}
    for side in ("white", "black"):
        record.setdefault("board", {})[side] = {"points": {}, "bar": 0}
    for column, path in columns.items():
        text = (row.get(column) or "").strip()
        if not text:
            continue
        place = record
        for name in path[:-1]:
            place = place.setdefault(name, {})
        place[path[-1]] = _cell(column, text)
    for column, values in row.items():
        if column is None:  # more cells than the head has names
            record["x_extra_cells"] = values
    return record


def verdict_rows(lines: Iterable[str]) -> Iterator[bytes]:
    """Turn verdict lines into those of a CSV; what has no column of its own stays in the lines."""
    out = csv.writer(SimpleNamespace(write=str.encode), lineterminator="\n")  # writerow returns what write does
    yield out.writerow(VERDICT)
    for line in lines:
        yield out.writerow(_verdict_row(json.loads(line)))


def _verdict_row(verdict: dict[str, Any]) -> list[str]:
    flat = dict(verdict)
    for section in ("transfer", "payouts"):
        flat |= {f"{section}_{name}": value for name, value in (verdict[section] or {}).items()}
    low, high = verdict["interval_money"] or ("", "")
    flat |= {"interval_money_low": low, "interval_money_high": high}
    flat["errors"] = [f"{fault['code']} {fault['path']}: {fault['message']}" for fault in verdict["errors"]]
    cells = []
    for column in VERDICT:
        value = flat.get(column)
        if isinstance(value, list):
            value = "; ".join(map(str, value))
        cells.append("" if value is None else str(value).lower() if isinstance(value, bool) else str(value))
    return cells
