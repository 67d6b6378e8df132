"""Pictures as PNG, by resvg, where that is installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pbem.problems import Problem, Refused

RENDERER = "resvg_py"


def as_png(svg: str) -> bytes:
    """An SVG of ours as a PNG of its size. Raises Refused where resvg-py is not installed."""
    if find_spec(RENDERER) is None:
        raise Refused(
            Problem("no-renderer", "a PNG is drawn by resvg-py, which is not installed",
                    hint="pip install 'pbem[picture]', or write the picture with --svg")
        )  # fmt: skip
    renderer: Any = import_module(RENDERER)
    return bytes(renderer.svg_to_bytes(svg_string=svg))
