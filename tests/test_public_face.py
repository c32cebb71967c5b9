"""What the public names say of themselves: signatures, documentation, short representations."""

import importlib
import inspect
import pydoc

import pytest

import bgcore
from tests.adjudication_records import money_record

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


def test_the_documented_attributes_are_there():
    from bgcore import adjudication as adj

    names = {
        START: "position_id board pip_counts flip is_race from_position_id from_xgid from_board",
        bgcore.legal_plays(START, (6, 5))[0]: "result moves",
        bgcore.evaluate(START): "equity",
        adj.Record: "from_dict from_xgid from_mat",
    }
    for thing, known in names.items():
        assert [name for name in known.split() if not hasattr(thing, name)] == []
    batch = bgcore.legal_plays_batch([START.board], [(6, 5)])
    assert (batch.results.dtype.name, batch.offsets.dtype.name) == ("int8", "int64")
    assert bgcore.evaluate_batch([START.board]).dtype.name == "float32"
    assert not START.board.flags.writeable
    found = bgcore.rollout(START, 36, 1).to_dict()
    assert found["trials"] == 36
    action = bgcore.cube_action(START, bgcore.Cube(), bgcore.MatchScore(5, 0, 0))
    assert all(isinstance(getattr(action, name), float) for name in ("no_double", "double_take", "double_pass"))
    position, context = bgcore.Position.from_xgid(bgcore.format_xgid(START))
    assert position == context.position == START
    record = adj.Record.from_gnubg("AQAAgAAAAAAAAA", absence=money_record()["absence"])
    verdict = adj.adjudicate(record, policy="play65")
    assert verdict.status in ("settled", "refunded", "resume", "undecided", "rejected")
    assert verdict.transfer is None or set(verdict.transfer) == {"from", "to", "amount"}
    assert verdict.to_dict()["basis"] == verdict.basis
    for lang in ("en", "fr", "de"):
        for fmt in ("text", "markdown", "html"):
            assert adj.explain(verdict, lang=lang, fmt=fmt)


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


def test_values_are_shown_in_a_line():
    few = bgcore.RolloutSettings(trials=36, truncation=4)
    stakes = bgcore.Stakes.match(bgcore.Cube(), None, bgcore.MatchScore(7, 1, 2), bgcore.met.default())
    match = bgcore.read_mat(" 7 point match\n\n Game 1\n Ann : 0                    Bob : 0\n  1) 31: 8/5 6/5\n")
    rollout = bgcore.rollout(START, settings=few)
    compared = bgcore.compare_plays(START, (3, 1), settings=few)
    shown = [
        (rollout, f"Rollout(equity {rollout.equity:+.4f} ± {rollout.std_error:.4f}, 36 trials, seed 1)"),
        (bgcore.rollout(START, settings=few, stakes=stakes), "Rollout(mwc 0."),
        (bgcore.met.default(), "MatchEquityTable('Kazaross-XG2', up to 25-away)"),
        (bgcore.rank_plays(START, (3, 1))[0], "RankedPlay(8/5 6/5: +0."),
        (bgcore.cube_action(START), "CubeAction('No double, take', no_double=+0."),
        (stakes, "Stakes(mwc, cube 1 centre, "),
        (bgcore.race(bgcore.Position.from_position_id("AQAAiAAAAAAAAA")), "Race(pips 7 - "),
        (match, "Match(Ann - Bob: 0-0 to 7, games: 1)"),
        (match.games[0], "Game(1 at 0-0, rolls: 1, unfinished)"),
        (bgcore.analyze(match), "Analysis(Match(Ann - Bob: 0-0 to 7, games: 1), decisions: 1, 0-ply)"),
        (bgcore.adjudication.adjudicate(money_record()), "Verdict(settled, exact, 1.00 from black to white, sha256:"),
        (compared, f"Comparison({compared.best} "),
    ]
    for value, beginning in shown:
        assert repr(value).startswith(beginning)
        assert len(repr(value)) < 200
        assert str(value) == repr(value)
    cube = bgcore.compare_cube(START, stakes, settings=few)
    assert repr(cube).startswith("CubeComparison('")
    assert len(repr(cube)) < 200


def functions():
    """Every public function, and every public method of a public class, by its name."""
    classes = [
        (name, public(name)) for name in [*bgcore.__all__, "adjudication.Record"] if isinstance(public(name), type)
    ]
    for name, owner in classes:
        for key in vars(owner):
            member = getattr(owner, key)
            if not key.startswith("_") and callable(member):
                yield f"{name}.{key}", member
    for name in bgcore.__all__:
        found = public(name)
        if callable(found) and not isinstance(found, type):
            yield name, found


@pytest.mark.parametrize(("name", "function"), list(functions()))
def test_parameters_are_documented(name, function):
    taken = [one for one in inspect.signature(function).parameters if one not in ("self", "cls")]
    text = inspect.getdoc(function)
    assert text
    if ":func:" in text:  # the method of what a function of the same name describes
        return
    described = text.partition("Parameters\n----------\n")[2]
    named = {word.strip(" *") for line in described.splitlines() for word in line.partition(" : ")[0].split(",")}
    assert set(taken) <= named
