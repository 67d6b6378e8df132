"""The scripts of the pages are typed: what they call, what they take, what the session answers.

The types are comments in the scripts and pbem/render/told.d.ts; the TypeScript compiler checks them
(`make tsc` fetches it). Without types a name once stood where a width was expected, and the map was
lost. What the session says is held to the same types: each answer is written down as it comes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.server import DOES
from pbem.desk.session import Session
from tests.cli.conftest import at_home, played
from tests.desk.conftest import SCENARIOS, answered, games, sit

pytest.importorskip("starlette", reason="the extra `board` is not installed")

__all__ = ["games", "played", "sit"]
ROOT = Path(__file__).parents[2]
RENDER = ROOT / "pbem" / "render"
TSC = ROOT / "build" / "tsc" / "node_modules" / "typescript" / "lib" / "tsc.js"
OPTIONS = {
    "noEmit": True, "allowJs": True, "checkJs": True, "strict": True, "target": "es2022",
    "noUncheckedIndexedAccess": True, "noUnusedLocals": True,
    "noFallthroughCasesInSwitch": True, "module": "esnext", "moduleResolution": "bundler",
    "skipDefaultLibCheck": True,  # what comes with the compiler is not ours to check
    "lib": ["es2023", "dom", "dom.iterable"], "types": [], "paths": {"/*": ["./*"]},
}  # fmt: skip
LONGEST = 200
MOST_CLICKS = 8


def node() -> str | None:
    """Node of the system; else the one that Playwright brings."""
    found = shutil.which("node")
    if found:
        return found
    try:
        from playwright._impl._driver import compute_driver_executable
    except ImportError:
        return None
    found = str(compute_driver_executable()[0])
    return found if os.path.exists(found) else None


@pytest.fixture(scope="module")
def compiler() -> list[str]:
    """The command of the compiler. PBEM_TSC=required makes a missing one a fault, as CI does."""
    with_node = node()
    if not TSC.exists() or with_node is None:
        why = "the TypeScript compiler is not here ('make tsc' fetches it, with npm)"
        if os.environ.get("PBEM_TSC") == "required":
            pytest.fail(why)
        pytest.skip(why)
    return [with_node, str(TSC)]


def laid(folder: Path, more: Mapping[str, str]) -> None:
    """The scripts as pages have them: the board's as modules, those of a page in one."""
    for path in (*RENDER.glob("*.js"), RENDER / "told.d.ts"):
        (folder / path.name).write_bytes(path.read_bytes())
    parts = [
        (RENDER / name).read_text(encoding="utf-8") for name in ("say.js", "map.js", "page.js")
    ]
    (folder / "page.js").write_text("".join(parts), encoding="utf-8")
    for name, text in more.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = ["board.js", "page.js", *more]
    config = {"compilerOptions": OPTIONS, "files": files}
    (folder / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")


def faults(compiler: list[str], folder: Path) -> list[str]:
    """What the compiler has against them."""
    made = subprocess.run([*compiler, "-p", folder, "--pretty", "false"], cwd=folder,
                          capture_output=True, text=True, timeout=300)  # fmt: skip
    told = made.stdout + made.stderr
    assert made.returncode == 0 or told
    return told.splitlines()


def test_scripts_pages_and_session_agree(
    compiler: list[str], sit: Any, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = at_home(played, monkeypatch)
    desk.done("show", "g4.json", "--html", tmp_path / "game.html")
    game_page = (tmp_path / "game.html").read_text(encoding="utf-8")
    board_page = (RENDER / "board.html").read_text(encoding="utf-8")
    answers = [each for slug in SCENARIOS for each in said(sit(slug))]
    names = dict.fromkeys(DOES, True)
    laid(tmp_path, {
        "held.ts": 'import type { Answer, Doing, PageParts, Parts } from "./told";\n'
        f"export const parts: Parts = {{\n{elements(board_page)}}};\n"
        f"export const pageParts: PageParts = {{\n{elements(game_page, but=('words',))}}};\n"
        f"export const doing: Record<Doing, true> = {json.dumps(names)};\n"
        + "".join(
            f"export const answer{at}: Answer = {json.dumps(shortened(each))};\n"
            for at, each in enumerate(answers)
        ),
    })  # fmt: skip
    assert faults(compiler, tmp_path) == []


SLIPS = (
    ("board.js", "camera.goTo(first.x, first.y)", "camera.goTo(...sheet.spots[gesture.at])"),
    ("board.js", "camera.zoom(1.3)", 'camera.zoom("1.3")'),
    ("board.js", "view.moment;", "view.momentum;"),
    ("board.js", 'find("sought")', 'find("sougth")'),
    ("board.js", 'act("form")', 'act("from")'),
    ("board.js", "gesture.legal", "gesture.leagl"),
    ("page.js", "view.zoom(1.3)", "view.zoom()"),
)


@pytest.fixture(scope="module")
def found(compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Sequence[str]:
    """What the compiler has against scripts with a slip in each, all read in one run: each run
    reads the types of every browser again."""
    folder = tmp_path_factory.mktemp("slips")
    laid(folder, {})
    wrong = {}
    for at, (name, right, slip) in enumerate(SLIPS):
        text = (folder / name).read_text(encoding="utf-8")
        assert right in text
        wrong[f"{at}-{name}"] = text.replace(right, slip, 1)
    laid(folder, wrong)
    return faults(compiler, folder)


@pytest.mark.parametrize("at", range(len(SLIPS)), ids=lambda at: SLIPS[at][2])
def test_a_slip_in_a_script_is_found(found: Sequence[str], at: int) -> None:
    assert any(fault.startswith(f"{at}-{SLIPS[at][0]}(") for fault in found)
    assert not any(fault.startswith(SLIPS[at][0]) for fault in found)


def said(session: Session) -> Iterator[dict[str, Any]]:
    """What the session answers to whatever a page may ask at its first question."""

    def done(what: str, **asked: Any) -> dict[str, Any]:
        return {"looksOn": False, **DOES[what](session, asked)}

    yield done("start")
    yield done("view")
    for what in ("check", "form", "story", "summary"):
        yield done(what)
    gestures: list[dict[str, Any]] = []
    for each in session.view()["ask"]["verbs"]:
        gestures.append(done("begin", verb=each["verb"]))
        gesture = gestures[-1]["gesture"]
        gestures += [done("click", gesture=gesture, place=place) for place in gesture["lit"][:2]]
        gestures += [
            done("choose", gesture=gesture, name=field["name"], value=chip["value"])
            for field in gesture["fields"] for chip in field["chips"][:2]
        ]  # fmt: skip
    yield from gestures
    while (legal := clicked(session, done)) is None:
        done("draft", text=f"{session.text}  - {answered(session)}\n")
        done("send", text=session.text)
    yield done("order", gesture=legal)
    yield done("summary")
    yield done("draft", text=f"{session.text}\n  - rubbish\n")
    yield done("anew")
    yield done("draft", text=f"{session.text}  - {legal['line']}\n")
    yield done("send", text=session.text)


def clicked(session: Session, done: Callable[..., dict[str, Any]]) -> dict[str, Any] | None:
    """A legal order made by clicking what is offered, if `MOST_CLICKS` are enough for one: a whole
    set-up needs more.
    """
    gesture = done("begin", verb=session.view()["ask"]["verbs"][0]["verb"])["gesture"]
    for _ in range(MOST_CLICKS):
        if gesture["legal"]:
            return dict(gesture)
        lit = gesture["lit"]
        asked = ("click", {"place": lit[0]}) if lit else ("choose", chip_of(gesture))
        gesture = done(asked[0], gesture=gesture, **asked[1])["gesture"]
    return None


def chip_of(gesture: Mapping[str, Any]) -> dict[str, Any]:
    """The first value that is offered for an order in the making."""
    field = next(field for field in gesture["fields"] if field["chips"])
    return {"name": field["name"], "value": field["chips"][0]["value"]}


def shortened(told: Any) -> Any:
    """An answer without its pictures and long texts: their types are what counts."""
    if isinstance(told, str):
        return told[:LONGEST]
    if isinstance(told, Mapping):
        return {name: shortened(each) for name, each in told.items()}
    if isinstance(told, list | tuple):
        return [shortened(each) for each in told]
    return told


def elements(page: str, but: tuple[str, ...] = ()) -> str:
    """Each element of a page that has an id of its own, made anew by its tag."""
    made = []
    drawn = re.sub(r"<svg (?![^>]*\bid=).*?</svg>", "", page, flags=re.DOTALL)
    for tag, name in re.findall(r'<(\w+)\b[^>]*? id="([\w-]+)"', drawn):
        if name in but or name == "story":
            continue
        call = f'document.createElement("{tag}")'
        if tag == "svg":
            call = 'document.createElementNS("http://www.w3.org/2000/svg", "svg")'
        made.append(f"  {json.dumps(name)}: {call},\n")
    return "".join(made)
