"""2.6: the secret set-up."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine import staging as s
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import cover, setup
from pbem.games.nopasaran.rules.cover import judged_by
from pbem.messages import say
from pbem.value import value


@value
@CITE.serves("2.6")
class SettingUp(s.PlayerStage[Position]):
    """A side lays out its counters face down."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        default = setup.as_printed(position.seen(self.side), self.side)

        def trades() -> Iterator[o.SetUp]:
            yield default
            yield from _trades(position.seen(self.side), self.side, default)

        return s.Decision(
            side=self.side, stage="set-up", rule="2.6",
            prompt=say("lay out the counters face down"),
            options=(s.Option(
                o.SetUp, examples=s.listed(trades),
                note=say("units of one formation that move alike may trade hexes; what you leave "
                         "out goes where it is printed"),
            ),),
            default=default,
        )  # fmt: skip

    check = judged_by(
        (setup.lays_out_its_counters,), (setup.lays_out_as_many,),
        (setup.lays_out_within_the_limit,),
    )  # fmt: skip

    def resolve(self, position: Position, order: o.SetUp) -> s.Outcome:  # type: ignore[override]
        story: s.Unfolding[Position] = s.Unfolding(position)
        order = setup.whole(position, self.side, cover.in_tags(position, self.side, order))
        alike = setup.groups(position, self.side)
        face_down = position.down.hidden
        may_be = tuple((tag, tuple(sorted(face_down.intersection(alike[group]))))
                       for tag, group in order.alike.items() if is_tag(tag))  # fmt: skip
        story.happen(e.CountersSetUp(self.side, setup.names_after(position, order), may_be))
        story.happen(*(e.ZoneSaid(said.units, said.zone) for said in order.zones))
        return story.outcome()


def _trades(position: Position, side: s.Side, printed: o.SetUp) -> Iterator[o.SetUp]:
    """The set-ups in which two units have traded hexes, as far as this view knows them."""
    for group in setup.groups(position, side).values():
        known = [unit for unit in group if unit in printed.units]
        for at, unit in enumerate(known):
            for other in known[:at]:
                here, there = printed.units[unit], printed.units[other]
                if here != there:
                    yield o.SetUp({unit: there, other: here})
