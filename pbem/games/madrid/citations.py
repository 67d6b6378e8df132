"""Where each numbered rule is kept."""

from pbem.engine.rules import Citations

CITE = Citations("madrid")
