"""Where the code of this game cites the rulebook."""

from pbem.engine.rules import Citations

CITE = Citations("crusade")
