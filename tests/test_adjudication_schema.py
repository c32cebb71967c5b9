"""The JSON Schemas describe what the readers read and what verdicts are, checked by a small validator of our own."""

import re

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.policy import KEYS, PRECISION_KEYS
from bgcore.adjudication.reader import RECORD_FIELDS
from bgcore.errors import BgcoreError
from tests.adjudication_records import match_record, money_record
from tests.shared_cases import load
from tests.test_adjudication_explain import verdicts
from tests.test_adjudication_laws import legal_records

TYPES = {
    "object": dict, "array": (list, tuple), "string": str, "boolean": bool, "null": type(None), "integer": int,
    "number": (int, float),
}  # fmt: skip


def misfits(schema, value, path="$"):
    """Everything about a value that a schema (of the keywords used here) does not allow."""
    if "anyOf" in schema:
        branches = [misfits(branch, value, path) for branch in schema["anyOf"]]
        return [] if not all(branches) else min(branches, key=len)
    if "const" in schema and value != schema["const"]:
        return [f"{path} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{path}: {value!r} is none of {schema['enum']}"]
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind in ("integer", "number"))):
        return [f"{path}: {value!r} is no {kind}"]
    found = []
    if isinstance(value, dict):
        properties, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        found += [f"{path}.{name} is missing" for name in schema.get("required", ()) if name not in value]
        for name, item in value.items():
            if "propertyNames" in schema and not re.search(schema["propertyNames"]["pattern"], name):
                found.append(f"{path}: bad name {name!r}")
            if name in properties:
                found += misfits(properties[name], item, f"{path}.{name}")
            elif not any(re.search(pattern, name) for pattern in patterns):
                rest = schema.get("additionalProperties", True)
                found += [f"{path}.{name} is unknown"] if rest is False else []
                found += misfits(rest, item, f"{path}.{name}") if isinstance(rest, dict) else []
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{path} has {len(value)} items")
        for place, item in enumerate(value):
            found += misfits(schema.get("items", {}), item, f"{path}.{place}")
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            found.append(f"{path}: {value!r} does not match {schema['pattern']}")
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            found.append(f"{path}: {value!r} has a wrong length")
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        found += [] if low <= value <= high else [f"{path}: {value} is out of range"]
    return found


def test_good_records_fit():
    schema = adj.schema("record")
    for record in [money_record(), match_record(), *(record.to_dict() for record in legal_records(3, 100))]:
        assert misfits(schema, record) == []
    for case in load("adjudication.jsonl"):
        assert misfits(schema, case["record"]) == []
        assert misfits(adj.schema("policy"), case["policy"]) == []


def test_wrong_records_do_not():
    schema = adj.schema("record")
    for bad in (
        money_record(stakes=1),
        money_record(money__stake=1.0),
        money_record(cube__value="2"),
        money_record(board__white__points={"25": 1}),
        money_record(dice=[0, 1]),
        money_record(on_roll="red"),
        money_record(board=...),
    ):
        assert misfits(schema, bad)


def test_shipped_policies_fit_and_every_key_is_described():
    schema = adj.schema("policy")
    for name in adj.policies():
        assert misfits(schema, adj.load_policy(name).to_dict()) == []
    assert set(schema["properties"]) == set(KEYS)
    assert set(schema["properties"]["precision"]["anyOf"][0]["properties"]) == set(PRECISION_KEYS)
    assert set(adj.schema("record")["properties"]) == set(RECORD_FIELDS)


def test_verdicts_fit():
    schema = adj.schema("verdict")
    for name, verdict in verdicts().items():
        assert misfits(schema, verdict.to_dict()) == [], name


def test_there_are_three():
    with pytest.raises(BgcoreError, match="record, policy, verdict"):
        adj.schema("board")
