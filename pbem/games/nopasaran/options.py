"""What the players may agree on at the start: readings of unclear rules."""

from __future__ import annotations

from pbem.games.system import RuleOption

OPEN_UNITS, SECRET_SET_UP = "open_units", "secret_set_up"
AIR_AFTER_RECOVERY, ATTACK_INTO_ZONES = "air_after_recovery", "attack_into_zones"
FIRE_AT_ALL_MISSIONS, FREE_REACTIONS = "fire_at_all_missions", "free_reactions"
MOSTLY_ROAD, INTERDICT_EACH_HEX = "mostly_road", "interdict_each_hex"

OPTIONS = (
    RuleOption(OPEN_UNITS, "2.6", "all units lie open: simpler, and best for a first game"),
    RuleOption(
        SECRET_SET_UP,
        "2.6",
        "units of a formation trade hexes in secret at the start",
        excludes=(OPEN_UNITS,),
    ),
    RuleOption(AIR_AFTER_RECOVERY, "5.2.1", "air missions are planned after the dice of recovery"),
    RuleOption(ATTACK_INTO_ZONES, "9.p2", "units attack only where their zone reaches"),
    RuleOption(FIRE_AT_ALL_MISSIONS, "7.4", "reconnaissance and bombers are fired at, too"),
    RuleOption(FREE_REACTIONS, "21.2", "a reaction does not count for the initiative"),
    RuleOption(MOSTLY_ROAD, "10.p4", "the road rate needs a move of which most is by road"),
    RuleOption(INTERDICT_EACH_HEX, "7.3.1", "interdiction costs points in each hex, not once"),
)
