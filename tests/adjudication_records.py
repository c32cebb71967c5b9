"""Records that the tests of adjudication start from and change."""

import copy


def money_record(**changes):
    """One checker on the 6 point against one on the ace point, white to roll, black gone for 200 s."""
    record = {
        "schema": "bgcore.adjudication/1",
        "case_id": "T1",
        "mode": "money",
        "board": {
            "white": {"points": {"6": 1}, "bar": 0, "off": 14},
            "black": {"points": {"1": 1}, "bar": 0, "off": 14},
        },
        "on_roll": "white",
        "dice": None,
        "cube": {"value": 2, "owner": "black", "limit": 64},
        "pending": None,
        "rules": {},
        "absence": {"white": {"away": False}, "black": {"away": True, "seconds": 200.0}, "cause": "player"},
        "money": {"currency": "EUR", "minor_digits": 2, "stake": "1.00", "limit": None, "rake": "0"},
    }
    return changed(record, changes)


def match_record(**changes):
    """Build the same position at 3-3 in a match to 5, cube centred."""
    record = money_record(cube={"value": 1, "owner": "centre", "limit": 64})
    del record["money"]
    record["mode"] = "match"
    record["match"] = {
        "length": 5,
        "score": {"white": 3, "black": 3},
        "crawford": "auto",
        "met": "Kazaross-XG2",
        "prize": {"winner": "20.00", "loser": "0.00"},
    }
    return changed(record, changes)


def changed(record, changes):
    """Copy a record with fields replaced; ``a__b`` reaches into objects, and a value of ``...`` deletes."""
    record = copy.deepcopy(record)
    for path, value in changes.items():
        *parents, name = path.split("__")
        target = record
        for parent in parents:
            target = target[parent]
        if value is ...:
            del target[name]
        else:
            target[name] = value
    return record


OPENING = {"points": {"6": 5, "8": 3, "13": 5, "24": 2}, "bar": 0, "off": 0}
HOME_15 = {"points": {"6": 5, "5": 4, "4": 3, "3": 3}, "bar": 0, "off": 0}
CLOSED_AND_BAR = {"points": {"6": 2, "5": 2, "4": 2, "3": 2, "2": 2, "1": 2}, "bar": 3, "off": 0}
