"""What the players may agree on at the start: optional rules, and readings of unclear ones."""

from __future__ import annotations

from pbem.games.system import RuleOption

OPEN_UNITS = "open_units"
AIR_COMBAT, HISTORICAL, SLOW_RECOVERY = "air_combat", "historical_set_up", "slow_recovery"
UNIT_BY_UNIT, FRESH_LOSSES = "unit_by_unit", "losses_of_this_combat"
EXEMPT, BASQUES_IN_FRONT, AT_ONCE = "unsupplied_are_exempt", "basques_in_front", "ends_at_once"

OPTIONS = (
    RuleOption(OPEN_UNITS, "5.2", "all counters lie open: simpler, and best for a first game"),
    RuleOption(AIR_COMBAT, "15.1", "air units of both sides fight each other"),
    RuleOption(HISTORICAL, "15.2", "Italian units must be set up in places 10 to 15"),
    RuleOption(SLOW_RECOVERY, "15.3", "disorganised units recover one level at a time"),
    RuleOption(UNIT_BY_UNIT, "1.4", "values are halved and rounded unit by unit, not added first"),
    RuleOption(FRESH_LOSSES, "10.3", "losses are even in each combat by itself"),
    RuleOption(EXEMPT, "8.1.1", "units without supply may move where there is none"),
    RuleOption(BASQUES_IN_FRONT, "4.2", "Basque brigades must stand in front hexes too"),
    RuleOption(AT_ONCE, "14.1", "enough victory points end the game at once"),
)
