"""The hot loops may not grow: instructions are counted, which other work on the machine does not disturb."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "bench" / "instructions.py"


@pytest.fixture(scope="module")
def instructions():
    if not SOURCE.is_file() or shutil.which("valgrind") is None or shutil.which("cc") is None:
        pytest.skip("needs a source checkout, valgrind and a C compiler")
    spec = importlib.util.spec_from_file_location("instructions", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    baseline = json.loads(module.BASELINE.read_text("utf-8"))
    if module.compiler() != baseline["compiler"]:
        pytest.skip(f"the baseline is for {baseline['compiler']}")
    if "avx2" not in module.levels():
        pytest.skip("the baseline is for AVX2")
    return module, baseline["counts"]


@pytest.mark.slow
def test_no_loop_needs_more_instructions_than_before(instructions):
    module, counts = instructions
    found = module.measured()
    assert list(found) == list(counts)
    for name, before in counts.items():
        more = found[name] / before - 1
        assert more <= module.TOLERANCE, f"{name!r} needs {more:.1%} more instructions; see the head of {SOURCE.name}"
