"""9.4.1: a combat from C2 to C9."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.board.ledger import total
from pbem.engine import staging as s
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Counter, Defend, Spare
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits, combat
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.rules.control import Story
from pbem.games.madrid.rules.defence import (
    counterattacks_with_fresh_units,
    is_led_well,
    leads_with_the_best_class,
)
from pbem.games.madrid.rules.morale import (
    ELIMINATED,
    RETREATS,
    sorted_by,
    test_modifiers,
    test_result,
    tested_in_combat,
)
from pbem.games.madrid.rules.retreat import names_of
from pbem.games.madrid.stages.chit_answers import for_a_chit, with_or_without
from pbem.games.madrid.stages.losses import Retreats, Suffer
from pbem.games.madrid.stages.rerolls import settled
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN
from pbem.messages import Row, Said, marked, say
from pbem.value import replace, value


@value
@CITE.rule("9.4.1.C2")
class CombatBegins(s.AutoStage[Position]):
    """Begins a combat. From here on an assault is a combat like any other."""

    fight: Fight

    def run(self, position: Position) -> s.Outcome:
        tests = tested(position, self.fight)
        spares = chits.may_play(position, REPUBLICAN, chits.SPARE)
        if tests and spares:
            return s.Outcome(then=(Sparing(self.fight),))
        return s.Outcome(then=(testing(position, self.fight),))


def tested(position: Position, fight: Fight) -> tuple[str, ...]:
    """The units that test their morale in this combat."""
    return tested_in_combat(position, fight.side, fight.area, is_stampede=fight.stampede)


def testing(position: Position, fight: Fight) -> s.Stage[Position]:
    """The morale tests, or what follows them."""
    units = () if fight.spared else tested(position, fight)
    return Testing(fight, units) if units else Standing(fight)


@value
@CITE.rule("15.CR8")
class Sparing(s.PlayerStage[Position]):
    """Asks for the chit with which no unit tests its morale."""

    fight: Fight

    @property
    def side(self) -> s.Side:
        return REPUBLICAN

    def ask(self, position: Position) -> s.Decision:
        names = names_of(position, tested(position, self.fight))
        prompt = say("choose whether to spare {names} the morale test", names=names)
        return for_a_chit(
            position, REPUBLICAN, chits.SPARE, Spare, prompt, "15.CR8", policy="spare"
        )

    check = s.checks((chits.answers_with_its_chit,))

    def resolve(self, position: Position, order: Spare) -> s.Outcome:  # type: ignore[override]
        if not order.chit:
            return s.Outcome(then=(testing(position, self.fight),))
        # reading: with it no unit tests for a Stampede either; cancelling the Stampede alone would
        # never spare more.
        spared = self.fight.but(spared=True)
        return s.Outcome((e.ChitPlayed(REPUBLICAN, order.chit),), then=(testing(position, spared),))


@value
@CITE.serves("3.4.2.a", "9.4.1.C2", "15.CN8")
class Testing(s.ChanceStage[Position]):
    """Each unit tests its morale; the results apply at once."""

    fight: Fight
    units: tuple[str, ...]

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("morale", "3.4.2.a", morale_draws(position, self.units))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return morale_outcome(
            position, self.fight.area, self.units, rolled, (Standing(self.fight),)
        )


def morale_draws(position: Position, units: tuple[str, ...]) -> tuple[s.Draw, ...]:
    """A die for each unit that tests its morale, labelled with its place in the list."""
    return tuple(
        s.Draw(f"morale/#/{at}", say("morale of {unit}", unit=position.unit(unit).name))
        for at, unit in enumerate(units, 1)
    )


@CITE.rule("3.4.2.a")
def morale_outcome(
    position: Position, area: str, units: tuple[str, ...], rolled: Mapping[str, s.Roll],
    then: tuple[s.Stage[Position], ...], *, by_air: bool = False,
) -> s.Outcome:  # fmt: skip
    """The results of the tests: eliminations, then retreats before anything else."""
    modifiers = test_modifiers(position, area, by_air=by_air)
    story = Story(position)
    results = []
    for at, unit in enumerate(units, 1):
        die = rolled[f"morale/#/{at}"].face
        result = test_result(position, unit, die + total(modifiers))
        results.append((unit, result))
        story.happen(e.MoraleTested(die, modifiers, unit, result))
    for unit in sorted_by(results, ELIMINATED):
        story.happen(e.UnitEliminated(unit, area))
    story.settle()
    retreats = Retreats(REPUBLICAN, sorted_by(results, RETREATS))
    return story.outcome(then=(retreats, *then))


@value
@CITE.serves("9.4.1.C2", "9.4.1.C3", "9.4.1.C6")
class Standing(s.AutoStage[Position]):
    """After the tests: the combat ends if nobody is left, else player B answers."""

    fight: Fight

    def run(self, position: Position) -> s.Outcome:
        # reading: the combat ends only if no unit of any type is left.
        fight = self.fight
        if not fight.defenders(position):
            return s.Outcome((e.UnitsSpent(fight.attackers),))
        asked = Defending(fight)
        if asked.is_needed(position):
            return s.Outcome(then=(asked,))
        return asked.resolve(position, asked.default(position))


@value
@CITE.serves("9.4.1.C3", "9.4.1.C6")
class Defending(s.PlayerStage[Position]):
    """Asks player B for the units that counter-attack, the point unit and chits."""

    fight: Fight

    @property
    def side(self) -> s.Side:
        return self.fight.enemy

    def default(self, position: Position) -> Defend:
        return Defend(point=combat.may_lead(position, self.fight, ())[0])

    def is_needed(self, position: Position) -> bool:
        """Whether there is a choice."""
        return bool(
            combat.may_counterattack(position, self.fight)
            or len(combat.may_lead(position, self.fight, ())) > 1
            or chits.may_play(position, self.side, chits.OF_DEFENCE)
        )

    def ask(self, position: Position) -> s.Decision:
        attack = combat.attack_value(position, self.fight)
        prompt = say(
            "answer the attack on {area}, of value {attack}",
            area=position.called(self.fight.area),
            attack=attack,
        )
        return s.Decision(
            side=self.side, stage="defend", prompt=prompt, rule="9.4.1.C3",
            options=(s.Option(Defend, examples=lambda some: self._answers(position, some)),),
            default=self.default(position),
            policy="defend",
        )  # fmt: skip

    def _answers(self, position: Position, some: s.Some) -> Iterator[s.Example]:
        """Answers without a counter-attack, with every unit that can, and with each; each chit
        once.
        """
        may = combat.may_counterattack(position, self.fight)
        held = chits.playable(position, self.side, chits.OF_DEFENCE)
        plays = ((), *((chit,) for chit in held))
        for counter in some([(), *([may] if may else ()), *((unit,) for unit in may)]):
            leaders = combat.may_lead(position, self.fight, counter)
            order = Defend(counter, leaders[0])
            level = combat.intensity(position, self.fight.but(counterattack=counter))
            told = say("intensity {level}", level=level)
            with_it = tuple(self._chits_told(position, held, order))
            if with_it:
                told = say("{told}; chits: {chits}", told=told, chits=Row(with_it))
            yield s.Example(order, told, {"point": leaders, "chits": plays})

    def _chits_told(self, position: Position, held: Sequence[str], order: Defend) -> Iterator[Said]:
        """The chits that may be played with an answer, each with its title."""
        for chit in held:
            text = marked("{chit} ({title})")
            if position.kind_of(chit) == "CR4" and order.counterattack:
                text = marked("{chit} ({title}, with fortify: terrain or units)")
            if not any(self.check(position, replace(order, chits=(chit,)))):
                yield say(text, chit=chit, title=position.title(chit))

    check = s.checks(
        (counterattacks_with_fresh_units, chits.answers_with_chits),
        (leads_with_the_best_class, chits.tanks_need_a_counterattack),
        (is_led_well,),
    )

    def resolve(self, position: Position, order: Defend) -> s.Outcome:  # type: ignore[override]
        played = tuple(e.ChitPlayed(self.side, chit) for chit in order.chits)
        kinds = chits.kinds_of(position, order.chits)
        fight = self.fight.but(
            counterattack=order.counterattack, enemy_point=order.point,
            enemy_tanks="CR3" in kinds, alfereces="CN12" in kinds,
            fortified=order.fortify if "CR4" in kinds else "",
        )  # fmt: skip
        told = e.Defended(self.side, order.counterattack, order.point)
        answers = chits.answers_with_engineers(
            position, fight.area, fight.fortified, is_asked_for=fight.asks_engineers
        )
        return s.Outcome((*played, told), then=(Countering(fight) if answers else Clash(fight),))


@value
@CITE.serves("15.CN4")
class Countering(s.PlayerStage[Position]):
    """Asks for the chit that cancels a Fortification, or the terrain."""

    # reading: if both may play a chit, player A is asked first, then player B; CN4 may answer CR4.
    fight: Fight

    @property
    def side(self) -> s.Side:
        return NATIONALIST

    @property
    def fortified(self) -> str:
        """The use of the Fortification; empty without one."""
        return self.fight.fortified

    def ask(self, position: Position) -> s.Decision:
        prompt = say("play Combat Engineers against the terrain, or decline")
        if self.fight.fortified:
            prompt = say("cancel the Fortification or the terrain, or decline")
        found = for_a_chit(
            position, NATIONALIST, chits.COUNTER, Counter, prompt, "15.CN4", policy="counter"
        )
        option = s.Option(Counter, examples=lambda some: self._answers(position, some))
        return replace(found, options=(option,))

    def _answers(self, position: Position, some: s.Some) -> Iterator[s.Example]:
        """The answer without the chit, and with each of its effects."""
        yield from with_or_without(position, Counter, self._held(position))(some)
        if self.fight.fortified:
            for chit in self._held(position):
                yield s.Example(
                    Counter(chit, "terrain"),
                    say("{chit}, against the terrain", chit=position.title(chit)),
                )

    def _held(self, position: Position) -> tuple[str, ...]:
        return chits.playable(position, NATIONALIST, chits.COUNTER)

    check = s.checks((chits.answers_with_its_chit,), (chits.counters_what_is_there,))

    def resolve(self, position: Position, order: Counter) -> s.Outcome:  # type: ignore[override]
        if not order.chit:
            return s.Outcome(then=(Clash(self.fight),))
        fight = self._answered(order.against)
        return s.Outcome((e.ChitPlayed(NATIONALIST, order.chit),), then=(Clash(fight),))

    def _answered(self, against: str) -> Fight:
        """The fight after the chit."""
        is_cancelled = self.fight.fortified and against != "terrain"
        return self.fight.but(**({"fortified": ""} if is_cancelled else {"engineers": True}))

    def gains_most(self, position: Position) -> str:
        """What the chit is best played against: empty is the Fortification, if there is one."""
        if self.fight.fortified != "terrain":
            return ""
        flat, plain = (
            combat.defence_of(position, self._answered(each)) for each in ("terrain", "")
        )
        return "terrain" if flat < plain else ""


@value
@CITE.serves("9.4.1.C7", "9.4.2.b")
class Clash(s.ChanceStage[Position]):
    """The dice of the attack."""

    fight: Fight

    def chance(self, position: Position) -> s.Chance:
        count = 3 if self.fight.is_prepared or self.fight.keeps_worst else 2
        draws = tuple(s.Draw(f"attack/#/{at}", say("attack")) for at in range(1, count + 1))
        return s.Chance("attack", "9.4.1.C7", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        dice = tuple(roll.face for roll in rolled.values())
        never = self.fight.keeps_dice
        return settled(position, dice, self, Struck(self.fight, dice), never=never)


@value
@CITE.rule("9.4.1.C8", "9.4.1.C9")
class Struck(s.AutoStage[Position]):
    """Applies the dice: units that fought are spent, then player B takes losses, then player A."""

    # reading: player B first, and each choice is shown before the next is asked.
    fight: Fight
    dice: tuple[int, ...]

    @property
    def side(self) -> s.Side:
        return self.fight.side

    def losses(self, position: Position) -> tuple[int, int]:
        """The loss points of player A and of player B."""
        fight = self.fight
        two = combat.kept(self.dice, worst=fight.keeps_worst)
        attack, defence = combat.attack_value(position, fight), combat.defence_of(position, fight)
        return combat.outcome(
            position, sum(two), attack, defence, combat.intensity(position, fight)
        )

    def run(self, position: Position) -> s.Outcome:
        fight = self.fight
        two = combat.kept(self.dice, worst=fight.keeps_worst)
        attack, defence = combat.attack_value(position, fight), combat.defence_of(position, fight)
        level = combat.intensity(position, fight)
        ours, theirs = self.losses(position)
        told = e.CombatRolled(
            fight.side, fight.area, self.dice, two, attack, defence, level, ours, theirs
        )
        spent = (*fight.attackers, *(() if fight.fortified == "units" else fight.counterattack))
        back = fight.left if fight.is_assault else ""
        there = fight.defenders(position)
        return s.Outcome(
            (told, e.UnitsSpent(spent)),
            then=(
                Suffer(fight.enemy, there, fight.enemy_point, theirs),
                Suffer(fight.side, fight.attackers, fight.point, ours, back, fight.losses),
            ),
        )
