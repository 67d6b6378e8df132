"""The command line. Each command is one module, loaded only when it is the one that is called."""

from __future__ import annotations

import gc
import os
import sys

from pbem import __version__


def main(argv: list[str] | None = None) -> None:
    """The entry point of `pbem`. Exits with a code of exits.py; a bug shows no traceback."""
    words = sys.argv[1:] if argv is None else argv
    if words == ["--version"]:  # scripts ask it often, and nothing else is needed for it
        print(f"pbem {__version__}")
        return
    if sorted(words) == ["--json", "--version"]:
        from pbem.cli import promised, report

        report.as_json(promised.versions())
        return
    # A command is short, and what it makes lives to its end: garbage collection pays only if very
    # much is made.
    gc.set_threshold(200_000)
    from pbem.cli.group import run

    try:
        run(words)
    except SystemExit as left:
        if argv is not None:
            raise
        # Everything is written and flushed. Destroying a hundred thousand objects one by one, as
        # Python does at exit, takes a tenth of the time of the whole command.
        os._exit(left.code if isinstance(left.code, int) else 1)
