"""4: the stages of set-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine import staging as s
from pbem.games.ctv import events as e
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import ASIDE, Position
from pbem.games.ctv.rules import cover, proposal, setup
from pbem.games.ctv.rules.cover import judged_by
from pbem.games.ctv.rules.naming import in_list, in_order
from pbem.games.ctv.stages.cover import Muster, narrow, opened
from pbem.games.ctv.tables import BY_ARMOUR_DIE, COLUMN, NATIONALIST, REPUBLICAN
from pbem.messages import Row, Said, say, say_many
from pbem.value import replace, value

OF_WHAT_CAME = s.checks(
    (setup.sets_up_its_units, setup.puts_what_it_sets_up_on_top), (setup.sets_up_on_its_ground,),
    (setup.stands_in_the_front, setup.keeps_the_basque_limit, setup.sets_up_italians_as_they_stood,
     setup.sets_up_within_the_limit),
    (setup.covers_the_front, setup.digs_trenches, setup.brings_its_columns),
)  # fmt: skip


def sets_up(stage: SettingUp, position: Position, order: o.SetUp) -> Iterator[s.Violation]:
    """The faults of armour that did not come, and beside them those of all the rest."""
    yield from setup.leaves_out_withheld_armour(stage, position, order)
    came = {unit: hex for unit, hex in order.units.items()
            if not setup.is_withheld(position, unit)}  # fmt: skip
    yield from OF_WHAT_CAME(stage, position, replace(order, units=came))


sets_up.predicates = (  # type: ignore[attr-defined]
    setup.leaves_out_withheld_armour, *s.predicates_of(OF_WHAT_CAME),
)  # fmt: skip
PLACE_CHECKS = judged_by((sets_up,))


def opening(*, is_open: bool) -> tuple[s.Stage[Position], ...]:
    """The stages of set-up, in order."""
    muster: tuple[s.Stage[Position], ...] = () if is_open else (Muster(),)
    return (
        *muster, SettingUp(REPUBLICAN, setup.FRONT), FrontDice(), ArmourDie(),
        SettingUp(NATIONALIST, setup.FRONT), SettingUp(REPUBLICAN, setup.RESERVE), SetUpEnds(),
    )  # fmt: skip


@value
@CITE.serves("4.1")
class SettingUp(s.PlayerStage[Position]):
    """A side sets up: the front, a division that the die put there, or the reserve."""

    side: s.Side
    what: str

    def trenches(self, position: Position) -> int:
        """How many trenches it may dig."""
        is_first = self.side == REPUBLICAN and self.what == setup.FRONT
        number: int = position.board.scenarios[position.scenario]["trenches"]
        return number if is_first else 0

    def asks(self, position: Position) -> bool:
        return setup.number_waiting(position, self.side, self.what) > 0

    def ask(self, position: Position) -> s.Decision | None:
        if not self.asks(position):
            return None
        default = proposal.proposed(position.seen(self.side), self.side, self.what)
        return s.Decision(
            side=self.side, stage="set-up", rule=self._rule(), prompt=self._prompt(),
            options=(s.Option(o.SetUp, note=self._note(position), examples=s.listed([default])),),
            default=default,
        )  # fmt: skip

    def _rule(self) -> str:
        if self.what == setup.RESERVE:
            return "4.3.1"
        return "4.3" if self.side == NATIONALIST else "4.2"

    def _prompt(self) -> Said:
        if self.what == setup.FRONT:
            return say("set up the units")
        if self.what == setup.RESERVE:
            return say("set up the reserve")
        return say("set up division {number} in the front line", number=self.what)

    def _note(self, position: Position) -> Said:
        """What a form says beside a set-up that is legal."""
        if self.what == setup.RESERVE:
            return say("anywhere on your side of the front; what you leave out never comes")
        told: list[Said] = []
        board, chart = position.board, position.board.charts["basques"]
        if self.side == REPUBLICAN:
            told.append(say(
                "a division must stand in front hexes, its headquarters there or next to one; "
                "Basques within {number} hexes of those that end in {place}, but for two brigades",
                number=chart["set_up"], place=chart["place"],
            ))  # fmt: skip
        front = in_list(board.front[self.side])
        if self.what != setup.FRONT:
            told.append(say("front hexes: {hexes}", hexes=front))
            return say("{told}", told=Row(tuple(told), "; "))
        told.append(say("front hexes, each held or next to a unit of yours: {hexes}", hexes=front))
        number, trenches = board.columns_at_first(self.side), self.trenches(position)
        told.append(say_many(
            "number", "{number} supply column with a headquarters or next to one",
            "{number} supply columns with headquarters or next to them", number=number,
        ))  # fmt: skip
        if trenches:
            told.append(
                say_many(
                    "number",
                    "up to {number} trench where units stand",
                    "up to {number} trenches where units stand",
                    number=trenches,
                )
            )
        return say("{told}", told=Row(tuple(told), "; "))

    check = PLACE_CHECKS

    def resolve(self, position: Position, order: o.SetUp) -> s.Outcome:  # type: ignore[override]
        story, order = opened(position, self, order)
        could = cover.who_could(story.position, self, order)
        stacks: dict[str, list[str]] = {}
        for unit, hex in order.units.items():
            if story.position.printed(unit).type == COLUMN:
                story.happen(e.ColumnArrived(unit, hex))
            else:
                stacks.setdefault(hex, []).append(unit)
        for hex, units in stacks.items():
            story.happen(e.UnitsPlaced(in_order(position, units), hex))
        narrow(story, could)
        story.happen(*map(e.TrenchDug, order.trenches))
        columns = position.board.columns[self.side]
        for column, hex in zip(columns, order.columns, strict=False):
            story.happen(e.ColumnArrived(column, hex))
        left = setup.waiting(story.position, self.side, self.what)
        if self.side == NATIONALIST:  # the armour that the die withheld
            left = tuple(
                tag
                for tag in story.position.tags_of(self.side)
                if story.position.places[tag] == ASIDE
            )
        if left:
            story.happen(e.LeftOut(left))
        return story.outcome()


@value
@CITE.serves("4.1")
class FrontDice(s.ChanceStage[Position]):
    """A die for each of three divisions; 1 to 4 puts it into the front line."""

    # reading: rolled after the rest of the front line stands, in sight of both.

    def chance(self, position: Position) -> s.Chance:
        draws = tuple(
            s.Draw(f"front/{division}", say("division {number}", number=division))
            for division in position.board.divisions_by_die
        )
        return s.Chance("set-up", "4.1", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        most = position.board.charts["set_up"]["front"]
        events, then = [], []
        for division in position.board.divisions_by_die:
            die = rolled[f"front/{division}"].face
            events.append(e.FrontRolled(division, die, die <= most))
            if die <= most:
                then.append(SettingUp(REPUBLICAN, division))
        return s.Outcome(tuple(events), then=tuple(then))


@value
@CITE.serves("4.3")
class ArmourDie(s.ChanceStage[Position]):
    """The die for Nationalist armour, before they set up."""

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("set-up", "4.3", (s.Draw("armour", say("Nationalist armour")),))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        die = rolled["armour"].face
        given = position.board.armour_for(die)
        missing = tuple(
            unit
            for unit in position.board.army[NATIONALIST]
            if position.printed(unit).comes == BY_ARMOUR_DIE and unit not in given
        )
        return s.Outcome((e.ArmourRolled(die, given, missing),))


@value
@CITE.rule("4.3.2")
class SetUpEnds(s.AutoStage[Position]):
    """The first turn follows: all air units available, fair weather."""

    def run(self, position: Position) -> s.Outcome:
        from pbem.games.ctv.stages.turn import NextTurn

        return s.Outcome(then=(NextTurn(),))
