"""Writes the reference pages of the site from the docstrings, while the site is built."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import bgcore
from bgcore import adjudication, bearoff, errors

# Page -> its title and the public names it documents; a test checks that no name is missing.
PAGES = {
    "positions": (
        "Positions and plays",
        bgcore,
        "Position Play PlayBatch legal_plays legal_plays_batch perft parse_play format_play",
    ),
    "evaluation": (
        "Evaluation and races",
        bgcore,
        "evaluate evaluate_batch Evaluator Probabilities rank_plays RankedPlay MoveFilter race Race",
    ),
    "cube": (
        "Rules, stakes and the cube",
        bgcore,
        "Rules Cube MatchScore Stakes MatchEquityTable met cube_action CubeAction CubeWindow",
    ),
    "rollouts": (
        "Rollouts",
        bgcore,
        "rollout Rollout RolloutSettings StopRule compare_plays Comparison compare_cube CubeComparison",
    ),
    "bearoff": ("Bear-off tables", bearoff, " ".join(bearoff.__all__)),
    "identifiers": (
        "Identifiers",
        bgcore,
        "Situation parse_identifier format_identifier parse_xgid format_xgid parse_match_id format_match_id "
        "parse_gnubg_id format_gnubg_id parse_ogid format_ogid parse_fibs format_fibs",
    ),
    "records": (
        "Match records and analysis",
        bgcore,
        "read_match iter_records read_mat iter_mat format_mat read_sgf unfinished_case Match Game analyze Analysis",
    ),
    "adjudication": ("Adjudication", adjudication, " ".join(adjudication.__all__)),
    "errors": (
        "Errors",
        errors,
        "BgcoreError ArgumentError PositionError NotationError DiceError RulesError UnsupportedError DataError",
    ),
}
SECTIONS = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
ROLE = re.compile(r":\w+:`~?([^`]+)`")
HOME = re.compile(r"\b(?:\w+\.)+(?=[A-Z])")  # the modules in front of a class


def on_files(files, config):
    """Add the pages to those found in the folder."""
    from mkdocs.structure.files import File  # the names above are tested where mkdocs is not installed

    for page, (title, home, names) in PAGES.items():
        body = "\n\n".join(described(name, getattr(home, name), 2) for name in names.split())
        intro = plain(inspect.getdoc(home)) if home is not bgcore else ""
        text = f"# {title}\n\n{fenced(intro)}\n\n{body}\n"
        files.append(File.generated(config, f"reference/{page}.md", content=text))
    return files


def described(name, thing, level):
    """One function, class or module in Markdown."""
    heading = "#" * level
    if inspect.ismodule(thing) and callable(thing):
        thing = getattr(thing, name)  # a module that is called as its function
    if inspect.ismodule(thing):
        public = [key for key, value in vars(thing).items() if key[0] != "_" and inspect.isfunction(value)]
        functions = [key for key in public if vars(thing)[key].__module__ == thing.__name__]
        inner = "\n\n".join(described(f"{name}.{key}", getattr(thing, key), level + 1) for key in functions)
        return f"{heading} {name}\n\n{prose(thing)}\n\n{inner}"
    parts = [f"{heading} {name}", f"```python\n{signature(name, thing)}\n```", prose(thing)]
    if inspect.isclass(thing) and not issubclass(thing, tuple):
        members = {key: member for key, member in vars(thing).items() if key[0] != "_" and inspect.getdoc(member)}
        short = [key for key, member in members.items() if is_attribute(member)]  # before any heading of a method
        parts += [f"**{key}**: {plain(inspect.getdoc(members.pop(key)))}" for key in short]
        for key, member in members.items():
            if inspect.isclass(member):
                continue
            if isinstance(member, property) or hasattr(member, "func") or inspect.isdatadescriptor(member):
                parts.append(f"{heading}# {name}.{key} {{: .property }}\n\n{prose(member)}")
            else:
                bound = getattr(thing, key)
                parts.append(
                    f"{heading}# {name}.{key}\n\n```python\n{signature(key, bound, thing)}\n```\n\n{prose(bound)}"
                )
    return "\n\n".join(part for part in parts if part)


def is_attribute(member):
    """Whether a member is a compiled attribute that one line describes."""
    return inspect.isdatadescriptor(member) and not isinstance(member, property) and "\n" not in inspect.getdoc(member)


def signature(name, thing, owner=None):
    """How it is called, with types: from the stub where it is compiled."""
    stub = stub_of(owner or thing)
    if stub is not None:
        found = next((node for node in ast.walk(stub) if getattr(node, "name", "") == (owner or thing).__name__), None)
        if owner is not None and found is not None:
            found = next((node for node in found.body if getattr(node, "name", "") == name), None)
        elif isinstance(found, ast.ClassDef):
            return f"class {name}"
        if isinstance(found, ast.FunctionDef):
            arguments = ast.unparse(found.args).replace("self, ", "").replace("cls, ", "")
            arguments = "" if arguments in ("self", "cls") else arguments
            return wrapped(f"{name}({arguments}) -> {ast.unparse(found.returns) if found.returns else 'None'}")
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return f"class {name}" if inspect.isclass(thing) else name
    shown = found.replace(
        parameters=[one.replace(annotation=annotation(one.annotation)) for one in found.parameters.values()],
        return_annotation=inspect.Signature.empty if inspect.isclass(thing) else annotation(found.return_annotation),
    )
    return wrapped(HOME.sub("", f"{'class ' if inspect.isclass(thing) else ''}{name}{shown}"))


class Word(str):
    """A text that is shown without quotes."""

    def __repr__(self):
        return str(self)


def annotation(kind):
    """A type as it is written in the source."""
    return Word(kind) if isinstance(kind, str) else kind


def wrapped(text, width=100):
    """A long signature with a line for each parameter."""
    if len(text) <= width:
        return text
    begin, end = text.index("("), text.rindex(")")
    lines, depth = [""], 0
    for char in text[begin + 1 : end]:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            lines.append("")
        else:
            lines[-1] += char
    inside = "".join(f"    {line.strip()},\n" for line in lines)
    return f"{text[: begin + 1]}\n{inside}{text[end:]}"


def stub_of(thing):
    """The parsed stub of the compiled module something is from, or None."""
    module = getattr(thing, "__module__", "") or ""
    if not module.startswith("bgcore._core."):
        return None
    path = Path(importlib.import_module("bgcore._core").__file__).parent / f"{module.rpartition('.')[2]}.pyi"
    return ast.parse(path.read_text("utf-8")) if path.is_file() else None


def prose(thing):
    """A numpydoc docstring in Markdown."""
    text = inspect.getdoc(thing) or ""
    first, _, rest = text.partition("\n")
    if re.match(r"[\w.]+\(.*\)( -> .*)?$", first):  # the signature that Cython puts in front
        text = inspect.cleandoc(rest)
    text = plain(text)
    pieces = SECTIONS.split(text)
    out = [fenced(pieces[0].strip())]
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        if title in ("Parameters", "Returns", "Raises", "Attributes", "Yields"):
            out.append(f"**{title}**\n\n{entries(body)}")
        else:
            out.append(f"**{title}**\n\n{fenced(body.strip())}")
    return "\n\n".join(out)


def plain(text):
    """Markdown for what reStructuredText has its own signs for."""
    return ROLE.sub(r"`\1`", text).replace("``", "`")


def entries(body):
    """``name : type`` and an indented text, as a list."""
    out, lines = [], body.strip("\n").splitlines()
    for line in lines:
        if line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            out.append(f"- **{name}**" + (f" ({kind})" if kind else ""))
            separator = ": "
        elif line.strip():
            out[-1] += separator + line.strip()
            separator = " "
    return "\n".join(out)


def fenced(text):
    """Examples after ``>>>`` as code."""
    out, inside = [], False
    for line in text.splitlines():
        if line.startswith(">>>") and not inside:
            out.append("```pycon")
            inside = True
        elif inside and not line.strip():
            out.append("```")
            inside = False
        out.append(line)
    return "\n".join([*out, "```"] if inside else out)
