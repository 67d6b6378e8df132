"""The decorators with which code cites Crusade's rules."""

from pbem.engine.rules import Citations

CITE = Citations("crusade")
