"""The alternative readings that players may agree on: each is an option, off by default."""

from __future__ import annotations

from pbem.games.system import RuleOption

OPEN_HANDS = "open_hands"
PRINTED_LOSSES = "losses_as_printed"
LOSSES_ON_SUCCESS = "losses_on_success"
SHOCK_IN_AREA = "shock_in_area"
MOVE_ENDS = "move_ends_on_capture"
STAY_FRESH = "movers_stay_fresh"
WHOLE_DOUBLED = "fortification_doubles_all"
GARRISON_BOTH = "garrison_needs_both"
EMPTY_SUBURB = "empty_suburb_opens_rivers"
GUNS_STAND = "guns_do_not_test"
AIR_TWICE = "air_counts_twice"
CHITS_STAY = "played_chits_stay"
JUNTA_PAUSE = "junta_remembers_pause"
JUNTA_ROLLED = "junta_in_scenario_2"
NATIONALISTS_LEAD = "nationalists_lead"
ADJACENT_NEVER = "no_supply_in_enemy_areas"
FORCED_FIRE = "forced_fire"
POINTS_ONCE = "points_once"

OPTIONS = (
    RuleOption(OPEN_HANDS, "6.1", "Both players see all chits"),
    RuleOption(
        PRINTED_LOSSES, "9.4.1.C7", "The defender loses the attack value minus the defence value"
    ),
    RuleOption(LOSSES_ON_SUCCESS, "9.4.1.C7", "The attacker has losses only if the attack wins"),
    RuleOption(
        SHOCK_IN_AREA, "9.4.1.C4", "For the shock edge all units in the area must be shock units"
    ),
    RuleOption(MOVE_ENDS, "3.5.1.a", "A move ends in the first area it takes"),
    RuleOption(STAY_FRESH, "9.2.l", "Units that move stay fresh"),
    RuleOption(WHOLE_DOUBLED, "15.CR4", "A Fortification doubles the whole defence value"),
    RuleOption(GARRISON_BOTH, "12.2.g", "The garrison waits for a bombardment and for an entry"),
    RuleOption(EMPTY_SUBURB, "12.1.d", "An empty urban area opens the rivers"),
    RuleOption(GUNS_STAND, "9.4.1.C2", "Artillery does not test its morale"),
    RuleOption(AIR_TWICE, "3.4.2.b", "An air attack counts +2 in a morale test"),
    RuleOption(CHITS_STAY, "6.7", "Played chits stay in hand; each may be played once a turn"),
    RuleOption(JUNTA_PAUSE, "11.1.b", "A pause counts for the Junta even when it is over"),
    RuleOption(JUNTA_ROLLED, "11.1.e", "The Junta is still to come in scenario 2"),
    RuleOption(NATIONALISTS_LEAD, "12.2.f", "The Nationalists keep the initiative in scenario 2"),
    RuleOption(ADJACENT_NEVER, "3.3.2", "No unit is in supply in an enemy area"),
    RuleOption(FORCED_FIRE, "9.5.b", "Defensive fire cannot be declined"),
    RuleOption(POINTS_ONCE, "12.1.e", "Urban areas and roads count once in scenario 1"),
)
"""In the order of the doubts about the rulebook (data/madrid/README.md)."""
