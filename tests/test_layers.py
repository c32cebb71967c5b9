"""The import arrows of ARCHITECTURE.md, enforced: a module may import only from its own layer or one below."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bgcore"
LAYERS = [
    {"_version", "errors", "namesake", "saved", "wholefile"},
    {"_core"},
    {"position", "notation"},
    {"rules"},
    {"codecs"},
    {"met", "stakes"},
    {"race", "bearoff"},
    {"evaluate", "search"},
    {"cube"},
    {"tally", "job", "parallel", "rollout", "comparison"},
    {"analysis"},
    {"adjudication"},
    {"render"},
    {"cli", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# Deferred doors upward, for convenience constructors and notebook pictures only.
NOTEBOOK = ("_core", "search", "cube", "rollout", "comparison", "analysis", "adjudication")
DOORS = {("_core", "codecs"), *((room, "render") for room in NOTEBOOK)}


def imported_rooms(tree):
    """Yield (room, is_deferred) for every import of ours in a module."""
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "bgcore":
                names = [f"bgcore.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "bgcore" and len(parts) > 1 and parts[1] in LEVEL:
                yield parts[1], id(node) not in top


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room == "__init__":
        pytest.skip("the package itself only names where things live")
    assert room in LEVEL, f"{room} is in no layer: add it to LAYERS and to ARCHITECTURE.md"
    for imported, is_deferred in imported_rooms(ast.parse(path.read_text("utf-8"))):
        allowed = LEVEL[imported] <= LEVEL[room] or (is_deferred and (room, imported) in DOORS)
        assert allowed, f"{path.name} imports {imported}, which is above it"


def test_only_the_door_is_used():
    """Python code enters the compiled core through bgcore._core alone."""
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name == "_core":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith("bgcore._core."), f"{path.name} imports {node.module}"
