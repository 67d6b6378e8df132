"""J.3: the charges at the bridges, prepared before the battle."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import staging as s
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import DAMAGED, DESTROYED, Position
from pbem.games.nopasaran.stages.rolling import ten_sided
from pbem.messages import say
from pbem.value import value


@value
@CITE.serves("J.3")
class Charges(s.ChanceStage[Position]):
    """The defender tries to blow a bridge before the enemy is over."""

    bridge: str
    side: s.Side

    def chance(self, position: Position) -> s.Chance:
        bridge = say(position.ground.bridges[self.bridge].name)
        return s.Chance("charges", "J.3", (
            ten_sided("charges/#", say("prepared charges at {bridge}", bridge=bridge)),
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        special = position.special("J.3")
        assert special is not None
        die = rolled["charges/#"].face
        state = ""
        if die >= special["destroyed"]:
            state = DESTROYED
        elif die >= special["damaged"]:
            state = DAMAGED
        event = (
            e.BridgeChanged(self.bridge, state, die, "J.3")
            if state
            else e.BridgeHeld(self.bridge, die, "J.3")
        )
        return s.Outcome((event, e.ChargesUsed(self.bridge)))
