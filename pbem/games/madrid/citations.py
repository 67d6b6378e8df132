"""The decorators with which code cites Madrid's rules."""

from pbem.engine.rules import Citations

CITE = Citations("madrid")
