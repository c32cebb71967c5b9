"""What we hand out: the sdist builds a wheel that runs anywhere, the same bytes each time, and holds what it should."""

import hashlib
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EPOCH = "1700000000"
# What is tested is what was installed, even where PYTHONPATH points at a checkout.
ENVIRONMENT = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
SMOKE = """
import bgcore
position = bgcore.Position.starting()
assert len(bgcore.legal_plays(position, (6, 5))) == 7
assert bgcore.perft(position, 2) == 202_782
assert "site-packages" in bgcore.__file__, bgcore.__file__
"""


def run(python, *command, **options):
    done = subprocess.run([python, *command], capture_output=True, text=True, **{"env": ENVIRONMENT, **options})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def names_in(path):
    """File names of an archive; those of an sdist without its top folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return set(archive.namelist())
    with tarfile.open(path) as archive:
        return {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Interpreter of a fresh environment that holds the build front end and nothing of ours."""
    if not (ROOT / "setup.py").is_file():
        pytest.skip("not a source checkout")
    fresh = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(fresh, with_pip=True)
    found = fresh / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run(found, "-m", "pip", "install", "--quiet", "build")
    return found


@pytest.fixture(scope="module")
def dist(python, tmp_path_factory):
    """The sdist and the wheel that comes from it, in one folder."""
    folder = tmp_path_factory.mktemp("dist")
    run(python, "-m", "build", "--outdir", folder, ROOT, env=ENVIRONMENT | {"SOURCE_DATE_EPOCH": EPOCH})
    return folder


@pytest.mark.slow
def test_the_sdist_holds_all_that_a_rebuild_needs(dist):
    inside = names_in(next(dist.glob("*.tar.gz")))
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    left_out = {name for name in tracked if name.startswith((".", "fuzz/corpus"))}
    assert set(tracked) - left_out <= inside
    assert {"setup.py", "bgcore/_core/plays.pyx", "bgcore/_core/board.pxd", "tests/oracle.py"} <= inside
    generated = {name.removesuffix(".pyx") + ".c" for name in inside if name.endswith(".pyx")}
    assert not [name for name in inside if name.endswith(".so") or name in generated]


@pytest.mark.slow
def test_the_wheel_holds_what_runs_and_nothing_else(dist):
    wheel = next(dist.glob("*.whl"))
    inside = names_in(wheel)
    assert wheel.stat().st_size < 10_000_000
    assert {"bgcore/py.typed", "bgcore/_core/board.pyi", "bgcore/data/weights.bin", "bgcore/data/SOURCES.md"} <= inside
    assert not [name for name in inside if name.endswith((".pyx", ".pxd", ".c", ".h"))]
    assert not [name for name in inside if not name.startswith(("bgcore/", "bgcore_backgammon-"))]
    notices = [name for name in inside if ".dist-info/licenses/" in name]
    assert {Path(name).name for name in notices} >= {"LICENSE", "Kazaross-XG2.NOTICE"}


@pytest.mark.slow
def test_a_fresh_environment_runs_the_wheel(python, dist, tmp_path):
    run(python, "-m", "pip", "install", "--quiet", next(dist.glob("*.whl")))
    run(python, "-c", SMOKE, cwd=tmp_path)
    assert run(python, "-m", "bgcore", "--version", cwd=tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the linker stamps its files with the time")
def test_the_same_source_gives_the_same_wheel(python, dist, tmp_path):
    """Another folder, another day, another user's file times: the same bytes."""
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path / "elsewhere", filter="data")
    source = next((tmp_path / "elsewhere").iterdir())
    for path in source.rglob("*"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    environment = ENVIRONMENT | {"SOURCE_DATE_EPOCH": EPOCH}
    run(python, "-m", "build", "--wheel", "--outdir", tmp_path / "again", source, env=environment)
    first, second = next(dist.glob("*.whl")), next((tmp_path / "again").glob("*.whl"))
    assert first.name == second.name
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as two:
        assert one.namelist() == two.namelist()
        different = [name for name in one.namelist() if one.read(name) != two.read(name)]
    assert not different
    assert hashlib.sha256(first.read_bytes()).digest() == hashlib.sha256(second.read_bytes()).digest()


def test_every_shipped_table_says_where_it_comes_from():
    data = ROOT / "bgcore" / "data"
    rows = [row for row in (data / "SOURCES.md").read_text("utf-8").splitlines() if row.startswith("| `")]
    named = {row.split("`")[1] for row in rows}
    files = {path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file()} - {"SOURCES.md"}
    assert named == files
    assert all(len([cell for cell in row.strip("|").split("|") if cell.strip()]) == 4 for row in rows)
