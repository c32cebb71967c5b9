"""What the public names say of themselves: signatures, documentation, short representations."""

import importlib
import inspect
import pydoc

import pytest

import bgcore

START = bgcore.Position.starting()
PARAMETERS = {
    "legal_plays": ["position", "dice"],
    "legal_plays_batch": ["boards", "dice"],
    "evaluate": ["position", "plies"],
    "evaluate_batch": ["boards"],
    "rollout": ["position", "trials", "seed"],
    "cube_action": ["position", "cube", "score_or_rules"],
    "parse_xgid": ["text"],
    "parse_match_id": ["text"],
    "read_mat": ["source"],
    "bearoff.default": [],
    "adjudication.adjudicate": ["record", "policy"],
    "adjudication.verify": ["verdict", "record"],
    "adjudication.explain": ["verdict"],
    "adjudication.Record.from_dict": ["document"],
    "adjudication.Record.from_xgid": ["text"],
    "adjudication.Record.from_mat": ["source"],
}


def public(name):
    found = bgcore
    for part in name.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_documented_arguments_go_by_position(name):
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    found = [one.name for one in inspect.signature(public(name)).parameters.values() if one.kind in kinds]
    assert found[: len(PARAMETERS[name])] == PARAMETERS[name]


@pytest.mark.parametrize("name", ["evaluate", "race", "rollout"])
def test_a_module_named_after_its_function_is_described_as_it(name):
    module = importlib.import_module(f"bgcore.{name}")
    function = getattr(module, name)
    assert inspect.signature(module) == inspect.signature(function)
    assert module.__doc__ == function.__doc__
    assert function.__doc__.partition("\n")[0] in pydoc.render_doc(module)


def test_modules_are_called_as_their_functions():
    from bgcore.evaluate import evaluate
    from bgcore.rollout import rollout

    for name in ("rollout", "evaluate"):
        assert public(name) is importlib.import_module(f"bgcore.{name}")
    assert bgcore.rollout(START, 36, 1) == rollout(START, trials=36, seed=1)
    assert bgcore.evaluate(START, plies=0) == evaluate(START)


def test_an_evaluator_has_the_shipped_weights_unless_told():
    assert bgcore.Evaluator() == bgcore.Evaluator.default()
