"""The rules of this game, cited by what keeps them."""

from pbem.engine.rules import Citations

CITE = Citations("fog")
