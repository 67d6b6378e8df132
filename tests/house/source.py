"""The modules of the house, each read and parsed once for all tests that look at the sources."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "pbem"


@cache
def modules(part: str = "") -> tuple[Path, ...]:
    """Every module below `pbem/`, or below a folder of it, in order."""
    return tuple(sorted((ROOT / part).rglob("*.py")))


@cache
def source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    # All that is made here stays: to look for garbage in it would take four times as long.
    gc.disable()
    try:
        return ast.parse(source_of(path), str(path))
    finally:
        gc.enable()


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module, as `ast.walk` finds them."""
    return tuple(ast.walk(tree(path)))
