"""Every Python example of the documentation runs and prints what the page shows; the site builds without a warning."""

import doctest
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bgcore
from bgcore import errors

ROOT = Path(__file__).parents[1]
PAGES = sorted(path for path in ROOT.glob("docs/**/*.md") if ">>>" in path.read_text("utf-8"))
FENCE = re.compile(r"^```[a-z]*$", re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_print_what_the_page_shows(path):
    text = FENCE.sub("", path.read_text("utf-8"))
    page = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    said = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(page, out=said.append)
    assert tried and not failed, "".join(said)


def test_no_page_shows_python_that_is_not_run():
    assert not [path.name for path in ROOT.glob("docs/**/*.md") if "```python" in path.read_text("utf-8")]


def test_every_public_name_is_on_one_page_of_the_reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    named = [name for _, home, names in reference.PAGES.values() if home is bgcore for name in names.split()]
    assert len(named) == len(set(named))
    assert set(named) == set(bgcore.__all__) - {"__version__", "adjudication", "bearoff"}
    raised = [name for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, BaseException)]
    assert reference.PAGES["errors"][2].split() == raised
    for title, home, names in reference.PAGES.values():
        for name in names.split():
            assert reference.described(name, getattr(home, name), 2), (title, name)


@pytest.mark.slow
def test_the_site_builds(tmp_path):
    if not (ROOT / "mkdocs.yml").is_file() or importlib.util.find_spec("mkdocs") is None:
        pytest.skip("needs a source checkout and mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "tutorial" / "index.html").is_file()
