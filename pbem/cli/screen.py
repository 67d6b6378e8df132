"""Rows of a board in the terminal: in colour if possible, plain in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pbem.cli import report
from pbem.render.maps.text import Row, plain
from pbem.words import visible

STYLES = {
    "first": "bold white on blue",
    "second": "bold red on white",
    "bar": "bold black on grey70",
    "dim": "dim",
}


def show(rows: Iterable[Row]) -> None:
    """Prints rows, in colour if standard output is a terminal and `rich` is installed."""
    if not sys.stdout.isatty() or find_spec("rich") is None:
        report.tell(*plain(rows))
        return
    console: Any = import_module("rich.console").Console(highlight=False, soft_wrap=True)
    text: Any = import_module("rich.text").Text
    for row in rows:
        styled = ((visible(span.text), STYLES.get(span.what, "")) for span in row)
        console.print(text.assemble(*styled))
