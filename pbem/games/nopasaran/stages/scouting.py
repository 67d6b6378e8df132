"""21: reconnaissance on the ground, and the reaction to it."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import staging as s
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import combat, engineers, fate, recon
from pbem.games.nopasaran.rules.cover import answered_by
from pbem.games.nopasaran.rules.naming import called, place
from pbem.games.nopasaran.rules.reports import HexLook
from pbem.games.nopasaran.stages.charges import Charges
from pbem.games.nopasaran.stages.combat import Fighting
from pbem.games.nopasaran.stages.cover import Showing, opened
from pbem.games.nopasaran.stages.papers import TellingWith
from pbem.games.nopasaran.stages.reports import found_out
from pbem.games.nopasaran.stages.rolling import ten_sided
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import Said, say
from pbem.value import value


@value
@CITE.serves("21")
class GroundScouting(s.ChanceStage[Position]):
    """A unit looks into a hex; if it fails, those who are there may attack it."""

    side: s.Side
    order: o.Scout

    def chance(self, position: Position) -> s.Chance:
        draw = ten_sided("scouting/#", say("reconnaissance of {hex}", hex=self.order.hex))
        return s.Chance("scouting", "21", (draw,))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        unit, hex = self.order.unit, self.order.hex
        die = rolled["scouting/#"].face
        number = recon.modified(position, hex, die)
        level = "none"
        if recon.succeeds(position, unit, number):
            level = position.board.seen_from_ground(number)
        cost = recon.scout_cost(position, unit, hex) or 0
        story: s.Unfolding[Position] = s.Unfolding(position)
        # reading: a look across a river is a crossing, for it costs as much.
        fate.help_across(story, self.side, (position.at(unit), hex), (unit,))
        march = recon.march_with_look(position, unit, hex)
        story.happen(e.GroundScouted(unit, hex, die, number, level, cost, march))
        if level == "none":
            return story.outcome(then=(Reacting(ENEMY[self.side], hex, unit),))
        look = HexLook(hex, level, self.order.picks == o.ASK)
        return story.outcome(then=found_out(position, ENEMY[self.side], (look,)))


@value
@CITE.serves("21.2")
class Reacting(s.PlayerStage[Position]):
    """Those who were not found attack those who looked for them, or let them be."""

    side: s.Side
    hex: str
    scout: str

    def able(self, position: Position) -> tuple[str, ...]:
        """The units that may attack."""
        return recon.may_react(position, self.hex, self.scout)

    def ask(self, position: Position) -> s.Decision | None:
        able = self.able(position)
        seen = [unit for unit in able if not is_tag(unit)]
        if not any(combat.strength(position, seen, combat.REGULAR).values()) and seen == [*able]:
            return None  # a counter face down might have a factor
        own = self.able(position.seen(self.side))
        return s.Decision(
            side=self.side, stage="react", rule="21.2",
            prompt=say("attack {hex}, from where {unit} has looked, or do not",
                       hex=place(position, position.at(self.scout)),
                       unit=called(position, self.scout)),
            options=(s.Option(o.React, note=self._note(position),
                              examples=s.listed([o.React(), o.React(own)])),),
            default=o.React(), policy="react",
        )  # fmt: skip

    def _note(self, position: Position) -> Said:
        """What a reaction costs, and what may come before it."""
        told = say("a regular attack that costs no activation and no points; nothing supports it, "
                   "and nobody advances, unless {hex} is left before the combat",
                   hex=place(position, position.at(self.scout)))  # fmt: skip
        attack = o.Attack(position.at(self.scout), {self.hex: self.able(position)})
        bridge = engineers.charged_before(position, self.side, attack)
        if not bridge:
            return told
        return say("{told}; {more} (J.3)", told=told,
                   more=engineers.charges_told(position, bridge))  # fmt: skip

    check = answered_by((recon.reacts_with_those_there,))

    @CITE.serves("J.3")
    def resolve(self, position: Position, order: o.React) -> s.Outcome:  # type: ignore[override]
        if not order.units:
            return s.Outcome()
        story, order = opened(position, self.side, order)
        position = story.position
        # reading: a reaction is a regular attack of its own kind, by the units of the hex alone:
        # nothing supports it, though the scouts may be supported, and nobody advances after it.
        # reading: a reaction strikes all who stand in the hex of the scout.
        # reading: J.3, an attack across a bridge with charges is one in a reaction, too.
        attack = o.Attack(position.at(self.scout), {self.hex: order.units},
                          primary=order.primary, advance=o.NONE)  # fmt: skip
        enemy = ENEMY[self.side]
        bridge = engineers.charged_before(position, self.side, attack)
        return story.outcome(then=(
            *((Charges(bridge, enemy),) if bridge else ()),
            TellingWith(self.side, order), Showing(enemy, attack.hex),
            Fighting(self.side, attack, is_reaction=True, bridge=bridge),
        ))  # fmt: skip
