"""The battles of a turn as its summary tells them, in a stored Campaign and by hand."""

from __future__ import annotations

import re

from pbem.engine.picture import Place, Scene
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.play import summary
from pbem.play.battles import changed_hands
from pbem.render.formats import rendered
from tests.play.test_kept import whole


def test_each_attack_of_a_turn_is_told_with_its_dice_and_who_holds_the_ground() -> None:
    found = summary.summary(whole(), 1)
    told = rendered(summary.as_log(found))
    battles = found.turn.fought.battles
    assert len(battles) > 2
    parts = re.findall(r"^Attack on (.*)\n((?:    .*\n)+)", told, re.M)
    for battle, (name, lines) in zip(battles, parts, strict=True):
        assert name == str(found.name_of(battle.at))
        part = " ".join(lines.split())
        assert re.search(rf"The \w+ attack {name} from [^.]+: .+ against .+\.", part)
        assert len(re.findall(r"on column \w+ of the \w+ table.*?: die \d.*?, Loss", part)) == 2
        assert re.search("win the combat in|is drawn", part)
        holds = f"The {battle.holder.capitalize()} side holds {name}."  # type: ignore[union-attr]
        assert (holds in part) is not battle.is_taken
        assert battle.is_taken is ("take control of" in part)


def test_a_space_that_changed_hands_twice_is_not_lost_from_sight() -> None:
    def scene(**held: str) -> Scene:
        return Scene(1, {space: Place(control=side) for space, side in held.items()})  # type: ignore[arg-type]

    known = changed_hands((), scene(a=REPUBLICAN, b=REPUBLICAN), scene(a=NATIONALIST, b=REPUBLICAN))
    assert known == (("a", (NATIONALIST,)),)
    known = changed_hands(known, scene(a=NATIONALIST, b=REPUBLICAN), scene(a=REPUBLICAN))
    assert known == (("a", (NATIONALIST, REPUBLICAN)),)
