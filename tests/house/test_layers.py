"""The house keeps its floors apart: imports point downward, and only the edge touches the world."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.house.source import ROOT, modules, nodes

BELOW_PLAY = {
    "problems", "board", "engine", "text", "games", "gamedata", "gamefile", "orders", "render",
    "platforms",
}  # fmt: skip
MAY_IMPORT: dict[str, set[str]] = {
    "late": set(),
    "value": set(),
    "words": set(),
    "spanish": set(),
    "messages": set(),
    "platforms": set(),
    "problems": set(),
    "board": set(),
    "engine": set(),
    "text": {"problems"},
    "games": {"engine", "board"},
    "games/*/data": {"engine", "board", "gamedata", "text", "problems"},
    "gamedata": {"text", "problems", "platforms"},
    "gamefile": {"problems", "engine", "platforms"},
    "orders": {"text", "problems", "engine"},
    "render": {"engine", "board"},
    "play": BELOW_PLAY,
    "mail": {"problems", "gamefile", "render", "play"},
    "desk": BELOW_PLAY | {"play"},
    "cli": BELOW_PLAY | {"play", "mail", "desk"},
}
"""What each part may import of pbem, beside itself and the modules below them all.

What a game says of its data is judged by the shared reading, and knows the rules besides. It is
loaded for an owner's folder alone: nothing else of the game may import it.
"""
EVERYWHERE = ("late", "value", "words", "spanish", "messages")

OUTSIDE: dict[str, set[str]] = {
    "text": {"yaml", "jsonschema"},
    "gamefile": {"cryptography"},
    "play": {"cryptography"},
    "desk": {"starlette"},
    "cli": {"click", "uvicorn"},
}
"""What each part may import beside the standard library."""

PURE = {"problems", "board", "engine", "games"}
IMPURE = {
    "random", "secrets", "time", "datetime", "os", "sys", "io", "pathlib", "subprocess", "socket",
    "locale", "uuid", "tempfile", "shutil",
}  # fmt: skip
"""Modules of the standard library through which the world comes in."""

TOUCHES_FILES = {
    "platforms.py": "opens files as each system wants it, and asks whether it has a screen",
    "gamedata/folders.py": "finds and makes the user's own folders",
    "gamedata/sealed.py": "reads and writes what the program keeps for itself",
    "gamedata/load.py": "reads the data and keeps its JSON copy in the user's cache",
    "gamedata/where.py": "finds the data, in a checkout or in a wheel",
    "gamedata/check.py": "reads an owner's own folder of data",
    "gamedata/past.py": "reads what earlier releases said of the data",
    "gamedata/overlay.py": "keeps a copy of that folder for the commands to come",
}
"""Modules outside cli/ that read or write files or ask the environment, each with the reason."""


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def part(path: Path) -> str:
    """The part of the house a file is in: pbem/board/graph.py is in `board`."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


SPEAKS = {"print", "input", "sys.exit", "exit", "quit", "SystemExit", "sys.stdout", "sys.stderr"}
TOUCH = {"open", "os.environ", "os.getenv", "Path.home", "Path.cwd"}
TOUCH_METHODS = {"read_bytes", "read_text", "write_bytes", "write_text", "mkdir", "unlink", "glob"}
ASKS_A_PATH = {"exists", "is_dir", "is_file", "is_symlink"}
"""Methods of pathlib that fail where a name is too long; the functions of os.path say no."""
CLOCK = {"time.time", "time.monotonic", "datetime.now", "datetime.utcnow", "datetime.today"}
BY_NAME = {"Late", "LateName", "late", "import_module"}
RUNS_WHAT_IT_READS = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "copyreg"}


@dataclass
class Module:
    """What the tests below ask of a module, with the line of each; read once for all of them."""

    imported: list[tuple[int, str]] = field(default_factory=list)
    used: list[tuple[int, str]] = field(default_factory=list)
    """Names among those above, as `sys.exit` or `(...).read_text`."""
    named: list[tuple[int, str]] = field(default_factory=list)
    """Modules that are loaded by their name: Late("pbem.some"), late("pbem", "some", "other")."""
    given: list[str] = field(default_factory=list)
    """Names among those above that are texts in a call: import_module("pickle")."""


@cache
def read(path: Path) -> Module:
    found = Module()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found.imported += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)}:{node.lineno}: imports are absolute"
            found.imported += [(node.lineno, f"{node.module}.{n.name}") for n in node.names]
        elif isinstance(node, ast.Attribute | ast.Name):
            name = chain(node)
            method = name.rpartition(".")[2]
            if name in SPEAKS | TOUCH | CLOCK or method in TOUCH_METHODS | ASKS_A_PATH:
                found.used.append((node.lineno, name))
        elif (
            isinstance(node, ast.AnnAssign) and chain(node.target) == "capabilities" and node.value
        ):
            package = ".".join(("pbem", *path.relative_to(ROOT).parts[:-1]))
            for each in ast.literal_eval(node.value).values():  # games/system.py loads these
                found.named.append((node.lineno, f"{package}.{each.partition(':')[0]}"))
        elif isinstance(node, ast.Call):
            texts = [
                each.value
                for each in node.args
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            found.given += [text for text in texts if text.partition(".")[0] in RUNS_WHAT_IT_READS]
            if chain(node.func) in BY_NAME and texts[:1] and texts[0].startswith("pbem"):
                names = [".".join((texts[0], each)) for each in texts[1:]] or texts
                found.named += [(node.lineno, name) for name in names]
    return found


def chain(node: ast.expr) -> str:
    """`sys.stdout.write` as it is written; what is no name at its beginning is left out."""
    if isinstance(node, ast.Attribute):
        return f"{chain(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def trespasses() -> Iterator[str]:
    for path in modules():
        here = part(path)
        if here in ("__init__", "__main__"):
            continue
        for line, name in (*read(path).imported, *read(path).named):
            top, *rest = name.split(".")
            place = f"{named(path)}:{line}:"
            if top == "pbem":
                yield from (f"{place} {told}" for told in inside(path, here, rest))
            elif here in PURE and top in IMPURE:
                yield f"{place} {here} is pure and may not import {top}"
            elif top not in sys.stdlib_module_names and top not in OUTSIDE.get(here, set()):
                yield f"{place} {here} may not import {top}"


def checks_data(path: Path) -> bool:
    """Whether it is what a game says of its data: its module `data`, or a package of that name."""
    return path.match("games/*/data.py") or path.match("games/*/data/*.py")


def inside(path: Path, here: str, rest: list[str]) -> Iterator[str]:
    there = rest[0] if rest else "__init__"
    if there in ("__init__", "__version__", *EVERYWHERE):
        return
    row = "games/*/data" if checks_data(path) else here
    if there != here and there not in MAY_IMPORT.get(row, set()):
        yield f"{here} may not import {there}"
    if row == here and here == there and rest[2:3] == ["data"]:
        yield "the checks of the data are not loaded with the rules"
    if here == "gamefile" and there == "engine" and rest[1] not in ("dice", "public", "tags"):
        yield "the game file knows of the engine only dice, tags, and how public states are made"
    game = path.relative_to(ROOT).parts[1]
    if here == there == "games" and game.isidentifier() and rest[1] not in (game, "system"):
        yield "a game may not import another game"


def test_imports_point_downward() -> None:
    """All of them: also those for types alone, inside functions, and by name."""
    assert list(trespasses()) == []


def test_every_part_has_its_row() -> None:
    parts = {part(path) for path in modules()} - {"__init__", "__main__", "decisions", "_shipped"}
    assert parts - set(MAY_IMPORT) == set()


def test_what_a_game_says_of_its_data_is_not_loaded_with_the_game() -> None:
    """Its own row is used: the checks import what no other module of a game may."""
    checks = [path for path in modules() if checks_data(path)]
    found = {
        name.split(".")[1] for path in checks for _, name in read(path).imported if "pbem" in name
    }
    assert "gamedata" in found
    elsewhere = ROOT / "games" / "some" / "rules.py"
    assert list(inside(elsewhere, "games", ["games", "some", "data", "cross"]))
    assert list(inside(elsewhere, "games", ["gamedata", "game"]))
    beside = ROOT / "games" / "some" / "data.py"
    assert not list(inside(beside, "games", ["gamedata", "game"]))


def test_only_the_command_line_speaks_and_ends_the_program() -> None:
    found = {
        f"{named(path)}:{line}: {name}"
        for path in modules()
        if part(path) not in ("cli", "__main__")
        for line, name in read(path).used
        if name in SPEAKS
    }
    assert found == set()


def test_files_clock_and_environment_stay_at_the_edge() -> None:
    found = set()
    for path in modules():
        if part(path) in ("cli", "__main__") or named(path) in TOUCHES_FILES:
            continue
        for line, name in read(path).used:
            if name in TOUCH | CLOCK or name.rpartition(".")[2] in TOUCH_METHODS:
                found.add(f"{named(path)}:{line}: {name}")
    assert found == set()


def test_no_name_of_a_file_is_too_long_to_be_asked_for() -> None:
    """What os.scandir yields (`each`) is there, and may be asked itself."""
    found = {
        f"{named(path)}:{line}: {name}"
        for path in modules()
        for line, name in read(path).used
        if name.partition(".")[2] in ASKS_A_PATH and not name.startswith(("each.", "os.path."))
    }
    assert found == set()


def test_each_exemption_is_still_needed() -> None:
    for name, reason in TOUCHES_FILES.items():
        assert (ROOT / name).exists(), name
        assert reason


def test_no_module_imports_with_a_star() -> None:
    imports = ((path, name) for path in modules() for _, name in read(path).imported)
    assert {named(path) for path, name in imports if "*" in name} == set()


HEAVY = ("yaml", "jsonschema", "cryptography", "hypothesis", "html", "email", "pbem.games.crusade")


def loaded_by(statement: str) -> set[str]:
    """The modules that Python has loaded after a statement, in a process of its own."""
    code = f"import sys\n{statement}\nsys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.split())


def test_the_command_line_comes_up_without_what_is_heavy() -> None:
    asking = "main(['--help'])"
    loaded = loaded_by(f"from pbem.cli import main\ntry: {asking}\nexcept SystemExit: pass")
    assert "pbem.cli.group" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_nothing_that_is_read_can_run() -> None:
    """What lies in a file is data: no module reads a format that calls what it names."""
    found = {
        f"{named(path)} imports {module}"
        for path in modules()
        for module in (*(name for _, name in read(path).imported), *read(path).given)
        if module.partition(".")[0] in RUNS_WHAT_IT_READS
    }
    assert found == set()


def test_what_a_module_may_not_hold_is_seen(tmp_path: Path) -> None:
    """The tests above can fail."""
    path = tmp_path / "module.py"
    path.write_text(
        "import os.path\nfrom time import *\nsys.exit(open(here().there.read_text()))\n"
        "import_module('pickle')\ntime.time()\nlate('pbem', 'cli', 'mail')\n"
    )
    found = read(path)
    assert found.named == [(6, "pbem.cli"), (6, "pbem.mail")]
    assert found.imported == [(1, "os.path"), (2, "time.*")] and found.given == ["pickle"]
    assert sorted(found.used) == [
        (3, ".there.read_text"), (3, "open"), (3, "sys.exit"), (5, "time.time"),
    ]  # fmt: skip
