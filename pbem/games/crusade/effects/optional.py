"""The events of the optional cards that bring the expeditionary corps (18.4.2)."""

from __future__ import annotations

from pbem.games.crusade.effects.builders import brings_corps

# reading: 8.5.2.5 asks its price of every reinforcement card with a corps, of these two also.
brings_corps("N56")
brings_corps("R56")
