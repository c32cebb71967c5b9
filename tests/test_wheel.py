"""The sdist builds a wheel that works outside the checkout, and holds what it should."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SMOKE = """
import bgcore
position = bgcore.Position.starting()
assert len(bgcore.legal_plays(position, (6, 5))) == 7
assert bgcore.perft(position, 2) == 202_782
assert "site-packages" in bgcore.__file__, bgcore.__file__
"""


@pytest.mark.slow
def test_sdist_to_wheel_to_smoke(tmp_path):
    if not (ROOT / "setup.py").is_file():
        pytest.skip("not a source checkout")
    fresh = tmp_path / "venv"
    venv.create(fresh, with_pip=True)
    python = fresh / ("Scripts" if sys.platform == "win32" else "bin") / "python"

    def run(*command, **options):
        done = subprocess.run([python, *command], capture_output=True, text=True, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("-m", "pip", "install", "--quiet", "build")
    run("-m", "build", "--outdir", str(tmp_path), str(ROOT))
    sdist = next(tmp_path.glob("*.tar.gz"))
    wheel = next(tmp_path.glob("*.whl"))

    with tarfile.open(sdist) as archive:
        inside = {"/".join(Path(name).parts[1:]) for name in archive.getnames()}
    assert {"setup.py", "bgcore/_core/plays.pyx", "bgcore/_core/board.pxd", "tests/oracle.py"} <= inside
    assert not [name for name in inside if name.endswith((".so", ".c"))]

    assert wheel.stat().st_size < 10_000_000
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    assert {"bgcore/py.typed", "bgcore/_core/board.pyi"} <= inside
    assert not [name for name in inside if name.endswith((".pyx", ".pxd", ".c", ".h")) or name.startswith("tests/")]

    run("-m", "pip", "install", "--quiet", str(wheel))
    run("-c", SMOKE, cwd=tmp_path)
