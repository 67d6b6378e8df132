"""7.3.4, 21, 11.4: what is told and shown of counters face down to who looks or fires at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from pbem.engine import staging as s
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import CLASS, Position
from pbem.games.nopasaran.rules import cover, reports
from pbem.games.nopasaran.rules.naming import counters_called, in_list, place
from pbem.games.nopasaran.rules.reports import FULL, HexLook
from pbem.games.nopasaran.stages.cover import OnlyShows
from pbem.games.nopasaran.tables import ENEMY, SIDES
from pbem.messages import say, words
from pbem.value import value

Tags = tuple[str, ...]

# ------------------------------------------------------------------- what is fired at


@value
@CITE.serves("11.4")
class Measuring(s.PlayerStage[Position]):
    """The player of counters face down says of which class the troop points of their hex are."""

    side: s.Side
    hex: str

    def ask(self, position: Position) -> s.Decision | None:
        units = position.stacks.get(self.hex, ())
        is_said = reports.said_of(position, CLASS, units) is not None
        if is_said or not any(map(is_tag, units)):
            return None
        default = o.Strength(reports.possible_classes(position, units)[0])
        return s.Decision(
            side=self.side, stage="strength", rule="11.4",
            prompt=say("say how strong the units in {hex} are", hex=place(position, self.hex)),
            options=(s.Option(o.Strength, examples=s.listed([default])),), default=default,
            only_says=True,
        )  # fmt: skip

    check = s.by_verb({o.Strength: s.checks((reports.says_a_class_it_may_have,))})

    def resolve(self, position: Position, order: o.Strength) -> s.Outcome:  # type: ignore[override]
        return s.Outcome((e.StrengthSaid(self.hex, order.points),))


@value
class IfUnsaid(s.AutoStage[Position]):
    """Each side says anew what its counters face down come to, where that is no longer said."""

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(then=tuple(
            SayingZones(side) for side in SIDES if any(True for _ in cover.unsaid(position, side))
        ))  # fmt: skip


@value
@CITE.serves("9")
class SayingZones(s.PlayerStage[Position]):
    """A side says what its counters face down come to, where that was said of others with them.
    It is asked until it answers: a showing before that may take the reason away.
    """

    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        default = o.SayZones(tuple(cover.zones_anew(position, self.side)))
        return s.Decision(
            side=self.side, stage="zones", rule="9",
            prompt=say("say what the counters come to that lie face down"),
            options=(s.Option(o.SayZones, examples=s.listed([default])),), default=default,
            only_says=True,
        )  # fmt: skip

    check = s.by_verb({
        o.SayZones: s.checks((cover.says_all_zones,), (cover.says_what_is_so,)),
    })  # fmt: skip

    def resolve(self, position: Position, order: o.SayZones) -> s.Outcome:  # type: ignore[override]
        return s.Outcome(tuple(e.ZoneSaid(said.units, said.zone) for said in order.zones))


# ------------------------------------------------------------------- what reconnaissance tells


def found_out(
    position: Position, side: s.Side, looks: Iterable[HexLook]
) -> tuple[s.Stage[Position], ...]:
    """The stages in which a side tells and shows what was found out of its counters face down."""
    hidden = tuple(look for look in reports.better(looks) if position.tags_at(look.hex))
    return (s.IfRolled(DrawingLots(side, hidden)),) if hidden else ()


@value
@CITE.serves("7.3.4", "21")
class DrawingLots(s.ChanceStage[Position]):
    """The lot picks the half of a stack that is shown, where who has looked does not."""

    side: s.Side
    looks: tuple[HexLook, ...]

    def chance(self, position: Position) -> s.Chance:
        # reading: who has looked may have the lot pick; to pick oneself takes two mails more.
        return s.Chance("picks", "7.3.4", tuple(
            s.Draw(f"picks/#/{hex}", say("counters that are shown in {hex}",
                                         hex=place(position, hex)),
                 of=len(position.tags_at(hex)), take=number)
            for hex, number in reports.half_of(position, self.looks, asked=False).items()
        ))  # fmt: skip

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        drawn = tuple(
            position.tags_at(hex)[at]
            for hex in reports.half_of(position, self.looks, asked=False)
            for at in sorted(rolled[f"picks/#/{hex}"].picked)
        )
        if reports.half_of(position, self.looks, asked=True):
            return s.Outcome(then=(Picking(ENEMY[self.side], self.looks, drawn),))
        return s.Outcome(then=(reporting(position, self.side, self.looks, drawn),))


@value
@CITE.serves("7.3.4", "21")
class Picking(s.PlayerStage[Position]):
    """Who has looked into hexes picks the half of each that is shown."""

    side: s.Side
    looks: tuple[HexLook, ...]
    drawn: Tags

    def to_pick(self, position: Position) -> Mapping[str, int]:
        """The hexes, and how many counters are picked in each."""
        return reports.half_of(position, self.looks, asked=True)

    def ask(self, position: Position) -> s.Decision:
        wanted = self.to_pick(position)
        first = {hex: tuple(islice(position.tags_at(hex), number))
                 for hex, number in wanted.items()}  # fmt: skip
        told = counters_called(position.veiled(self.side))
        return s.Decision(
            side=self.side, stage="pick", rule="7.3.4",
            prompt=say("pick counters that are shown: {told}", told=in_list(
                say("{number} in {hex}", number=number, hex=place(position, hex))
                for hex, number in wanted.items()
            )),
            options=(s.Option(
                o.Pick, examples=s.listed([o.Pick(first)]),
                note=say("choose among: {counters}", counters=in_list(
                    words(told[tag]) for hex in wanted for tag in position.tags_at(hex)
                )),
            ),), default=o.Pick(first),
        )  # fmt: skip

    check = s.by_verb({o.Pick: s.checks((reports.picks_half,))})

    def resolve(self, position: Position, order: o.Pick) -> s.Outcome:  # type: ignore[override]
        picked = tuple(tag for units in order.units.values() for tag in units)
        return s.Outcome(then=(
            reporting(position, ENEMY[self.side], self.looks, (*self.drawn, *picked)),
        ))  # fmt: skip


def reporting(
    position: Position, side: s.Side, looks: tuple[HexLook, ...], picked: Tags
) -> Reporting:
    """The report of what was found out, once it is known which counters are shown."""
    whole = (tag for look in looks if look.level == FULL for tag in position.tags_at(look.hex))
    shown = reports.within_one_report(position, (*whole, *map(position.down.now, picked)))
    return Reporting(side, looks, shown)


@value
@CITE.serves("7.3.4", "21")
class Reporting(OnlyShows):
    """A side shows those of its counters that were found out, and tells of the others what was."""

    side: s.Side
    looks: tuple[HexLook, ...]
    shown: Tags

    def hidden(self, position: Position) -> Tags:
        return tuple(filter(is_tag, map(position.down.now, self.shown)))

    def to_tell(self, position: Position) -> Mapping[str, str]:
        """The hexes of which something is told, with their levels."""
        return {look.hex: look.level for look in self.looks if position.tags_at(look.hex)}

    def ask(self, position: Position) -> s.Decision | None:
        wanted = self.to_tell(position)
        if not wanted:
            return None
        default = o.ReportHexes({hex: reports.told_of(position, hex, level)
                            for hex, level in wanted.items()})  # fmt: skip
        return s.Decision(
            side=self.side, stage="report", rule="7.3.4",
            prompt=say("tell what reconnaissance has found out"),
            options=(s.Option(o.ReportHexes, examples=s.listed([default])),), default=default,
            only_says=True,
        )  # fmt: skip

    check = s.by_verb({o.ReportHexes: s.checks((reports.tells_what_may_be,))})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, o.ReportHexes)
        return s.Outcome(tuple(e.CountersTold(hex, told.points, told.types)
                             for hex, told in order.hexes.items()))  # fmt: skip
