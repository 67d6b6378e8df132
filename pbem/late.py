"""Names of a module that is loaded when one of them is first used.

Modules are imported at the head of a file, unless a measured command does without them. Then there
is one way for each case. A capability of a game is in the table of its system (games/system.py). A
module that one function needs is imported in that function; a house test counts these. A module
that several functions of a file need, or whose functions a table names, is named here: a table
would otherwise load all of its rows to use one.

Type checkers see the module itself where it is imported for them alone:

    if TYPE_CHECKING:
        from pbem.games.some import policy
    else:
        policy = Late("pbem.games.some.policy")

A long table may do without that, where a test looks up every name in it:

    cards, combat = late("pbem.games.some.policies", "cards", "combat")

Measured: 25 percent of the instructions of a cold `apply`, 36 of `status`, 18 of `verify`
(pbem/decisions, page 22).
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


class Late:
    """A module whose functions and shapes can be passed around before it is loaded."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> LateName:
        return LateName(self._module, name)


class LateName:
    """A function, a shape or another value of such a module."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def found(self) -> Any:
        """What is named; AttributeError if the module has no such name."""
        return getattr(sys.modules.get(self.module) or import_module(self.module), self.name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.found()(*given, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # code that inspects its kind does not mean what it names
            raise AttributeError(name)
        return getattr(self.found(), name)


def late(package: str, *modules: str) -> tuple[Any, ...]:
    """Modules of a package, untyped."""
    return tuple(Late(f"{package}.{module}") for module in modules)
