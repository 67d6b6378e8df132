"""What was mended in the rules of Storm over Madrid 1936 since its first release.

Each fix has its number, its date, the rule, what changes, and the function as it was before
(engine/fixes.py). A game is played by those that it was begun with.
"""

from __future__ import annotations

from pbem.engine.fixes import NOT_MENDED, Fix

FIXES: tuple[Fix, ...] = NOT_MENDED
