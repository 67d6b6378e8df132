"""Finds the modules of this package where their names say: `pbem.cli.form` is pbem/cli/form.py.

Python looks there for three kinds of extension modules first, and takes a third of the time that it
spends on finding and reading a small module. A command loads two hundred, so that a cold one takes
two percent less (see decisions/). What is not found here is left to Python.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader


class Here:
    """The finder, to be asked before those of Python."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        """The module of a name; None for packages, and for what is none of ours."""
        if path is None or not name.startswith("pbem."):
            return None
        file = f"{path[0]}{os.sep}{name.rpartition('.')[2]}.py"
        if not os.path.isfile(file):
            return None
        found = ModuleSpec(name, SourceFileLoader(name, file), origin=file)
        found.has_location = True
        return found


def look_here_first() -> None:
    """Has every import that follows ask this finder first."""
    if Here not in sys.meta_path:
        sys.meta_path.insert(0, Here)
