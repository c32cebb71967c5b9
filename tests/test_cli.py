"""The command line from outside: what it prints where, its exit codes, and that no input brings a traceback."""

import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore.cli import info
from bgcore.cli.__main__ import COMMANDS, cli, main
from bgcore.cli._command import LazyGroup
from bgcore.cli._exit import Exit
from bgcore.cli._position import read_situation
from bgcore.cli._progress import Progress
from bgcore.errors import BgcoreError, DataError

DOCS = Path(__file__).parents[1] / "docs" / "cli"
OPENING = "4HPwATDgc/ABMA"


def spawn(*args, **kwargs):
    """Run the command line as its own process, with pipes and no terminal."""
    return subprocess.run([sys.executable, "-m", "bgcore", *args], capture_output=True, timeout=60, **kwargs)


def every_command(group=cli, path=()):
    """The words of every command and group, from the root on."""
    yield path
    context = click.Context(group, info_name="bgcore")
    for name in group.list_commands(context):
        child = group.get_command(context, name)
        if isinstance(child, LazyGroup):
            yield from every_command(child, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(every_command()), ids=" ".join)
def test_help_of_every_command_opens_with_examples(run, path):
    for flag in ("-h", "--help"):
        code, out, err = run(*path, flag)
        assert (code, err) == (0, "")
        assert out.index("Examples:") < out.index("Usage:")
        assert out.splitlines()[2] == "Examples:"
        assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("  bgcore "))


def test_the_table_of_commands_says_what_the_commands_say():
    for path in every_command():
        group = cli
        for name in path:
            assert isinstance(group, LazyGroup)
            module, purpose = group.lazy[name]
            group = import_module(module).command
            assert group.help.partition("\n\n")[0] == purpose


def test_help_and_completion_import_neither_numpy_nor_rich():
    program = (
        "import sys\nfrom bgcore.cli.__main__ import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print('HEAVY', [name for name in ('numpy', 'rich', 'bgcore._core') if name in sys.modules], file=sys.stderr)"
    )
    environment = {**os.environ, "COMP_WORDS": "bgcore plays --", "COMP_CWORD": "2"}
    for args, extra in ((["--help"], {}), (["plays", "--help"], {}), ([], {"_BGCORE_COMPLETE": "bash_complete"})):
        done = subprocess.run(
            [sys.executable, "-c", program, *args],
            capture_output=True,
            text=True,
            env={**environment, **extra},
            timeout=60,
        )
        assert done.stdout
        assert done.stderr == "HEAVY []\n"


def test_version(run):
    from bgcore import __version__

    assert run("--version") == (0, f"bgcore {__version__}\n", "")


def test_info_names_what_numbers_come_from(run):
    import bgcore

    found = json.loads(run("info", "--json")[1])
    assert found["version"] == bgcore.__version__
    assert found["weights"] == bgcore.Evaluator.default().digest
    code, out, err = run("info")
    assert (code, err) == (0, "")
    assert found["weights"] in out


def test_info_of_an_installation_that_cannot_compute_says_why():
    environment = {**os.environ, "BGCORE_SIMD": "nonsense"}
    done = spawn("info", "--json", env=environment)
    found = json.loads(done.stdout)
    assert done.returncode == Exit.USAGE
    assert (found["environment"]["BGCORE_SIMD"], found["instructions"], found["weights"]) == ("nonsense", None, None)
    assert found["version"] and found["installed"]
    (said,) = done.stderr.decode().splitlines()
    assert said.startswith("bgcore info: BGCORE_SIMD asks for 'nonsense'; this processor runs scalar")
    shown = spawn("info", env=environment).stdout.decode()
    assert "BGCORE_SIMD=nonsense" in shown and "unusable" in shown


def test_info_of_damaged_weights_says_so(run, monkeypatch):
    def damaged():
        raise DataError("weights.bin is damaged")

    monkeypatch.setattr("bgcore.cli.info.PARTS", {**info.PARTS, "weights": damaged})
    code, out, err = run("info", "--json")
    assert (code, err) == (Exit.USAGE, "bgcore info: weights.bin is damaged\n")
    assert json.loads(out)["weights"] is None
    assert json.loads(out)["match_equities"]


def test_without_arguments_it_prints_its_help(run):
    assert run() == run("--help")


@pytest.mark.parametrize(("typed", "meant"), [("playz", "plays"), ("shwo", "show"), ("COMPLETION", "completion")])
def test_a_typing_error_is_answered_with_the_nearest_command(run, typed, meant):
    code, out, err = run(typed)
    assert (code, out) == (Exit.USAGE, "")
    assert f"did you mean '{meant}'" in err


def test_an_unknown_option_is_answered_with_the_nearest(run):
    code, _, err = run("plays", "start", "31", "--jsno")
    assert code == Exit.USAGE
    assert "--json" in err


def test_plays_prints_a_board_and_every_play(run):
    code, out, err = run("plays", "start", "31")
    assert (code, err) == (0, "")
    assert out.startswith(" +13-14-15")
    assert "16 legal plays" in out
    assert "8/5 6/5" in out


def test_plays_as_json(run):
    code, out, _ = run("plays", OPENING, "6-5", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == "bgcore.plays/1"
    assert found["dice"] == [6, 5]
    assert found["legal_plays"] == len(found["plays"]) == 7
    assert {"play": "24/13", "position_id": "4HPwATDgc/ADIA"}.items() <= found["plays"][0].items()
    equities = [play["equity"] for play in found["plays"]]
    assert equities == sorted(equities, reverse=True)


def test_plays_without_weighing_them(run):
    found = json.loads(run("plays", OPENING, "65", "--plain", "--json")[1])
    assert {"play": "24/13", "position_id": "4HPwATDgc/ADIA"} in found["plays"]


def test_plays_weighed_further_ahead_keep_the_rest(run):
    found = json.loads(run("plays", "start", "31", "--plies", "1", "--json")[1])
    assert len(found["plays"]) == 16
    assert found["plays"][0]["play"] == "8/5 6/5"
    assert len(json.loads(run("plays", "start", "31", "--top", "3", "--json")[1])["plays"]) == 3


def test_evaluate(run):
    found = json.loads(run("evaluate", "start", "--json")[1])
    assert 0.5 < found["probabilities"]["win"] < 0.56
    assert found["basis"] == "network"
    code, out, err = run("evaluate", "start", "--no-board")
    assert (code, err) == (0, "")
    assert out.startswith(" equity ")


def test_race(run):
    code, out, err = run("race", "2+4AAAC+dwAAAA")
    assert (code, err) == (0, "")
    assert "X trails by 31 (-44.3 %)" in out
    assert "Keith" in out
    found = json.loads(run("race", "DwAA4AEAAAAAAA", "--json")[1])
    assert found["basis"] == "two-sided table"
    assert found["mine"]["pips"] == 4
    code, out, err = run("race", "start")
    assert (code, out) == (Exit.USAGE, "")
    assert "contact" in err


def test_cube(run):
    found = json.loads(run("cube", "start", "--json")[1])
    assert found["action"] == "No double, take"
    assert found["double_pass"] == 1
    assert found["double_take"] < found["no_double"] < found["double_pass"]
    code, out, err = run("cube", "start", "--match", "5", "--score", "3-1", "--plies", "1", "--no-board")
    assert (code, err) == (0, "")
    assert out.startswith("No double, take (look-ahead 1)")
    assert "take point" in out
    assert run("cube", "start", "--dice", "31")[0] == Exit.USAGE
    assert "Cube not available" in run("cube", "start", "--cube", "2:theirs")[1]


def test_evaluate_points_from_dice_to_plays(run):
    code, _, err = run("evaluate", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert code == Exit.USAGE
    assert "bgcore plays" in err


def test_no_legal_play_is_said(run):
    closed = "0,2,2,2,2,2,2,0,0,0,0,0,0,0,0,0,0,0,0,-2,-2,-2,-2,-2,-2,1"
    code, out, _ = run("plays", closed, "65")
    assert code == 0
    assert "no legal play" in out
    assert json.loads(run("plays", closed, "65", "--json")[1])["plays"] == []


SPELLINGS = [
    "start",
    OPENING,
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    "4HPwATDgc/ABMA:cAkAAAAAAAAA",
    "0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_position_in_any_spelling(run, spelling):
    code, out, _ = run("show", spelling, "--json")
    assert code == 0
    assert json.loads(out)["position_id"] == OPENING


WRONG_POSITIONS = [
    "",
    "nonsense",
    "4HPwATDgc/ABM",
    "4HPwATDgc/ABMA=",
    "1,2,3",
    "0," * 25 + "99",
    "//////////////",
    "\x00",
    "é",
]


def test_every_spelling_converts_into_every_other(run):
    forms = json.loads(run("convert", "start", "--match", "5", "--score", "3-1", "--json")[1])
    for form in ("position_id", "gnubg_id", "xgid", "key", "board"):
        for other in ("position-id", "gnubg-id", "match-id", "xgid", "ogid", "fibs", "key", "board"):
            if other == "xgid" and form not in ("xgid", "board"):
                continue  # the other spellings do not say how high the cube may go
            context = () if form in ("gnubg_id", "xgid") else ("--match", "5", "--score", "3-1")
            code, out, err = run("convert", forms[form], "--to", other, *context)
            assert (code, out, err) == (0, forms[other.replace("-", "_")] + "\n", "")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--cube", "3:mine"), "power of two"),
        (("--cube", "2"), "2:mine"),
        (("--cube", "2:me"), "--cube"),
        (("--cube", "x"), "--cube"),
        (("--score", "3-1"), "--match"),
        (("--match", "5", "--score", "3"), "--score"),
        (("--match", "5", "--score", "5-1"), "over"),
        (("--match", "0"), "--match"),
        (("--match", "5", "--score", "3-1", "--crawford"), "Crawford"),
        (("--crawford",), "--match"),
        (("--match", "5", "--score", "3-1", "--jacoby"), "--jacoby: for money games"),
        (("--dice", "17"), "31"),
    ],
)
def test_a_wrong_option_is_named(run, options, named):
    code, out, err = run("show", "start", *options)
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


@pytest.mark.parametrize("wrong", WRONG_POSITIONS)
def test_a_wrong_position_is_refused_with_the_reason(run, wrong):
    code, out, err = run("show", wrong)
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith("bgcore show: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("roll", ["7", "07", "611", "x", ""])
def test_a_wrong_roll_is_refused(run, roll):
    code, _, err = run("plays", "start", roll)
    assert code == Exit.USAGE
    assert "31" in err


def test_a_file_in_place_of_a_position_is_told_apart(run, tmp_path):
    path = tmp_path / "match.xg"
    path.write_bytes(b"RGMH\x00\xff" * 20)
    code, out, err = run("convert", path)
    assert (code, out) == (Exit.USAGE, "")
    assert f"{path} is a file" in err
    assert err.count("\n") == 1


def test_positions_from_standard_input_keep_their_order_past_a_bad_line(run):
    code, out, err = run("plays", "-", "66", "--json", stdin=f"\ufeff{OPENING}\n\n# remark\nrubbish\nstart\n")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == Exit.REJECTED
    assert [line["schema"] for line in lines] == ["bgcore.plays/1", "bgcore.error/1", "bgcore.plays/1"]
    assert lines[1]["line"] == 4
    assert err.startswith("line 4: ")


def test_bytes_that_are_no_text(run):
    done = spawn("show", "-", input=b"\xff\xfe\x00xg\x80\n" * 3)
    assert done.returncode == Exit.REJECTED
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 3


def test_svg_to_a_file_and_to_standard_output(run, tmp_path):
    path = tmp_path / "board.svg"
    code, out, err = run("show", "start", "--svg", path)
    assert (code, out, err) == (0, "", f"wrote {path}\n")
    assert path.read_text() == run("show", "start", "--svg", "-")[1]


def test_a_file_that_cannot_be_written_is_named(run, tmp_path):
    path = tmp_path / "missing" / "board.svg"
    code, out, err = run("show", "start", "--svg", path)
    assert (code, out) == (Exit.USAGE, "")
    assert str(path) in err


def test_png_without_its_extra_says_what_to_do(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    path = tmp_path / "board.png"
    code, out, err = run("show", "start", "--png", path)
    assert (code, out, err.count("\n")) == (Exit.USAGE, "", 1)
    assert 'pip install ".[png]"' in err
    assert not path.exists()


def test_png(tmp_path):
    pytest.importorskip("resvg_py")
    path = tmp_path / "board.png"
    assert spawn("show", "start", "--dice", "65", "--png", str(path)).stderr.decode() == f"wrote {path}\n"
    picture = path.read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture[16:20]) == 1200
    assert spawn("show", "start", "--dice", "65", "--png", "-").stdout == picture
    assert spawn("show", "start", "--png", "-").stdout != picture


@pytest.mark.parametrize(
    "args",
    [
        ("show", "-", "--svg", "x"),
        ("show", "start", "--svg", "-", "--json"),
        ("show", "start", "--svg", "-", "--png", "-"),
    ],
)
def test_options_that_exclude_each_other(run, args):
    code, out, err = run(*args)
    assert (code, out) == (Exit.USAGE, "")
    assert "--svg" in err


def test_an_xgid_without_its_prefix_is_no_option(run):
    bare = "-b----E-C---eE---c-e----B-:0:0:1:00:3:1:0:5:6"
    assert run("convert", bare, "--to", "xgid") == (0, f"XGID={bare}\n", "")


def test_a_match_record_where_positions_belong_is_said_once(run):
    record = (DOCS / "example.mat").read_text("utf-8")
    for args in (("convert", "-"), ("show", "-"), ("evaluate", "-", "--json")):
        code, out, err = run(*args, stdin=record)
        assert (code, out, err.count("\n")) == (Exit.USAGE, "", 1)
        assert "bgcore analyze -" in err


def test_an_internal_failure_is_one_line_and_code_1(run, monkeypatch):
    monkeypatch.setattr("bgcore.render.board.text_board", lambda *a, **k: 1 / 0)
    code, out, err = run("show", "start")
    assert (code, out) == (Exit.INTERNAL, "")
    assert "ZeroDivisionError" in err


def test_debugging_shows_where(capsys, monkeypatch):
    monkeypatch.setenv("BGCORE_DEBUG", "1")
    assert main(["show", "rubbish"]) == Exit.USAGE
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_ends_with_130(run, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("bgcore.render.board.text_board", interrupted)
    code, out, err = run("show", "start")
    assert (code, out, err) == (Exit.INTERRUPTED, "", "\nbgcore: interrupted\n")


def test_too_little_memory_is_no_fault_of_ours(run, monkeypatch):
    def large(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("bgcore.render.board.text_board", large)
    assert run("show", "start") == (Exit.USAGE, "", "bgcore: there is not enough memory for this\n")


def test_a_reader_that_stops_reading_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "bgcore", "show", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        process.stdin.write(b"start\n" * 3000)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == Exit.PIPE


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run, shell):
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert "_BGCORE_COMPLETE" in out


def test_completion_offers_commands_and_options():
    environment = {**os.environ, "_BGCORE_COMPLETE": "bash_complete", "COMP_WORDS": "bgcore pl", "COMP_CWORD": "1"}
    assert spawn(env=environment).stdout.decode().split() == ["plain,plays"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_by_the_script(tmp_path):
    program = tmp_path / "bgcore"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bgcore "$@"\n')
    program.chmod(0o755)
    script = 'eval "$(bgcore completion bash)"\n'
    for words, number in (("bgcore adju", 1), ("bgcore adjudicate one --cra", 3), ("bgcore show --seat ''", 3)):
        script += f"COMPREPLY=(); COMP_WORDS=({words}); COMP_CWORD={number}\n"
        script += '_bgcore_completion bgcore; echo "${COMPREPLY[@]}"\n'
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment, timeout=60)
    assert done.stdout.splitlines() == ["adjudicate", "--crawford", "mine theirs"]


def test_the_manual_page_is_the_one_in_the_docs(run):
    code, out, _ = run("man")
    assert code == 0
    assert out == (DOCS / "bgcore.1").read_text("utf-8"), "write it anew: bgcore man > docs/cli/bgcore.1"


def test_every_exit_code_is_on_its_page():
    page = (DOCS / "exit-codes.md").read_text("utf-8")
    for code in Exit:
        assert f"| {int(code)} |" in page


def test_commands_are_in_the_table():
    assert set(COMMANDS) == {path[0] for path in every_command() if path}


def spoiled(text, cuts):
    """A text with some of its characters replaced."""
    letters = list(text)
    for place, letter in cuts:
        letters[place % len(letters)] = letter
    return "".join(letters)


spoils = st.lists(st.tuples(st.integers(0, 80), st.characters()), max_size=4)


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=90), st.builds(spoiled, st.sampled_from(SPELLINGS), spoils)))
def test_any_text_is_a_position_or_refused_with_a_sentence(text):
    try:
        read_situation(text)
    except BgcoreError as error:
        assert str(error)


def test_progress_is_silent_in_a_pipe(capsys):
    with Progress("auto", 10, "trials") as shown:
        shown.update(5, "half")
    assert capsys.readouterr() == ("", "")


def test_progress_as_json_lines(capsys):
    with Progress("json", 10, "trials") as shown:
        shown.update(5, "half", mean=0.5)
        shown.update(10, "all", mean=0.25)
    out, err = capsys.readouterr()
    last = json.loads(err.splitlines()[-1])
    assert out == ""
    assert (last["done"], last["total"], last["unit"], last["mean"], last["seconds_left"]) == (
        10,
        10,
        "trials",
        0.25,
        0,
    )


PROGRAM = """
from bgcore.cli._progress import Progress
with Progress("auto", 4, "trials") as shown:
    for done in range(5):
        shown.update(done, f"+0.{done}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("extra", "is_drawn"), [({}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, True)])
def test_progress_is_drawn_on_a_terminal_that_can_show_it(extra, is_drawn):
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **extra}
    done = subprocess.run([sys.executable, "-c", PROGRAM], stderr=theirs, stdout=subprocess.PIPE, env=environment)
    os.close(theirs)
    drawn = b""
    while chunk := _read(ours):
        drawn += chunk
    os.close(ours)
    assert done.returncode == 0
    assert done.stdout == b""
    assert (b"4/4" in drawn) == is_drawn
    if extra.get("NO_COLOR"):
        assert b"\x1b[3" not in drawn


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # what Linux says when the other end is closed
        return b""
