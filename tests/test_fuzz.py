"""Every reader answers or refuses, whatever it is fed: a short run of each fuzz target, and all that was ever found."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mutations import mutated
from targets import TARGETS, is_fine

FINDINGS = Path(__file__).parents[1] / "fuzz" / "findings"
FOUND = sorted(path for path in FINDINGS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_answered(name):
    assert [is_fine(name, seed) for seed in TARGETS[name].seeds]


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_stays_fixed(path):
    is_fine(path.parent.name, path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(drawn=st.one_of(st.binary(max_size=200), st.text(max_size=120), st.integers(0, 2**64)))
def test_nothing_but_an_answer_or_a_refusal(name, drawn):
    target = TARGETS[name]
    if isinstance(drawn, int):
        drawn = mutated(random.Random(drawn), list(target.seeds), target.is_json)
    elif isinstance(drawn, str):
        drawn = drawn.encode("utf-8", "surrogatepass")
    is_fine(name, drawn)
