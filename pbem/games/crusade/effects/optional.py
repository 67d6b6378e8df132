"""The events of the optional cards with the expeditionary corps (18.4.2)."""

from __future__ import annotations

from pbem.games.crusade.effects.builders import brings_corps

# reading: 8.5.2.5, its price is charged for every reinforcement card with a corps, including these
# two.
brings_corps("N56")
brings_corps("R56")
