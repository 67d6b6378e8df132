"""The options of a game: the optional rules of chapter 18, the first edition, and other readings.

An option has an id that a game file may contain. It sets names that the rules check by
`position.option(...)`: the number of the rule, with a variant after a slash, or the name of the
reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from pbem.games.system import RuleOption
from pbem.value import value


@value
class Agreement:
    """One row: what the players may choose, and the names it sets."""

    option: RuleOption
    in_force: tuple[str, ...]


def _id(number: str) -> str:
    return "rule_" + number.replace(".", "_").replace("/", "_")


def _one(number: str, title: str) -> Agreement:
    """A rule that is on or off."""
    return Agreement(RuleOption(_id(number), number, title), (number,))


def _ways(number: str, *ways: tuple[str, str, tuple[str, ...]]) -> Iterator[Agreement]:
    """Ways to play one rule; a game has at most one of them."""
    ids = tuple(_id(f"{number}/{word}") for word, _, _ in ways)
    for (_, title, in_force), name in zip(ways, ids, strict=True):
        others = tuple(each for each in ids if each != name)
        yield Agreement(RuleOption(name, number, title, others), in_force)


def _corps(number: str, what: str) -> Iterator[Agreement]:
    """The five ways of 18.4: both corps, one of them, or one only after the other."""
    republican, nationalist = f"{number}.1", f"{number}.2"
    both = (republican, nationalist)
    return _ways(
        number,
        ("both", f"{what}: both sides", both),
        ("republican", f"{what}: the Republic alone", (republican,)),
        ("nationalist", f"{what}: the Nationalists alone", (nationalist,)),
        ("republican_first", f"{what}: the Republic must be first",
         (*both, f"{number}/republican")),
        ("nationalist_first", f"{what}: the Nationalists must be first",
         (*both, f"{number}/nationalist")),
    )  # fmt: skip


def _reading(name: str, number: str, title: str, *needs: str) -> Agreement:
    """Another reading of an unclear rule."""
    return Agreement(RuleOption(f"reading_{name.lower()}", number, title, needs=needs), (name,))


PRO_REPUBLICAN = (
    _one("18.1.1", "Morale for the conquest of Burgos"),
    _one("18.1.2", "One Army of Africa unit stays to guard Morocco"),
    _one("18.1.3", "The I-15 fighters are kept until better enemies come"),
    _one("18.1.4", "Only the Army of Africa makes a serious attack on Madrid"),
    _one("18.1.5", "The Army of Africa stays away from the north at first"),
    _one("18.1.6", "Elite divisions of the Popular Army"),
    _one("18.1.7", "Italians and Spaniards attack together at a higher price"),
    _one("18.1.8", "Less Axis help until Munich"),
    _one("18.1.9", "The guerrilla corps"),
    _one("18.1.10", "The war ends after three rounds of turn 18"),
)
PRO_NATIONALIST = (
    _one("18.2.1", "Raw militia attack badly"),
    _one("18.2.2", "Two battalion-sized Army of Africa units for one"),
    _one("18.2.3", "A corridor to Oviedo"),
    _one("18.2.4", "A captured T-26"),
    _one("18.2.5", "Bilbao counts as a Main City by itself"),
    _one("18.2.6", "Scarce replacements for the cut-off north"),
    _one("18.2.7", "Blockade Fleet from the Mobilization on"),
    _one("18.2.8", "A point every turn for the conquered north"),
    _one("18.2.9", "A heavy defeat doubles the price of staying"),
    _one("18.2.10", "Captured Positions and Trenches must be rebuilt"),
    _one("18.2.11", "Plan P may be called off"),
    _one("18.2.12", "A Nationalist landing"),
    _one("18.2.13", "No morale, no Republic"),
    _one("18.2.14", "French help stays near France"),
    *_ways(
        "18.2.15",
        ("1", "Republican automatic victory takes one morale more", ("18.2.15/1",)),
        ("2", "Republican automatic victory takes two turns running", ("18.2.15/2",)),
    ),
)
NEUTRAL = (
    _one("18.3.1", "Withdrawal before combat"),
    _one("18.3.2", "Any card may be discarded, face down"),
    _one("18.3.3", "One card more in hand"),
    _one("18.3.4", "Armor may move into an attack"),
    _one("18.3.5", "Intelligence services in two steps"),
    _one("18.3.6", "Captured supply sources serve their captors"),
    _one("18.3.7", "Later landings may be in Mallorca"),
    _one("18.3.8", "Morale for beach heads overrun"),
    _one("18.3.9", "Random set-up"),
    _one("18.3.10", "The middle of three dice in combat"),
)
UNITS_AND_CARDS = (
    *_corps("18.4.1", "Armored corps"),
    *_corps("18.4.2", "Expeditionary corps"),
    *_ways(
        "18.5",
        ("random", "Optional combat cards by lot", ("18.5", "18.5/random")),
        ("direct", "Optional combat cards by choice", ("18.5", "18.5/direct")),
        # reading: 18.5, of the choices left to the players, a game may have all cards in their
        # decks.
        ("free", "Optional combat cards, all of them added", ("18.5", "18.5/free")),
    ),
)
LATER = tuple(each.option.id for each in UNITS_AND_CARDS)
"""The options that exist only in the second edition."""
FIRST_EDITION = "first_edition"
EDITIONS = (
    Agreement(RuleOption(FIRST_EDITION, "4.0", "The rules of the first edition", LATER), ("1e",)),
)
READINGS = (
    _reading("Q1", "11.2.6", "The Sierra counts if every attacker comes out of it"),
    _reading("Q3", "17.1.1", "The Northern Zone is what it was when the war began"),
    _reading("Q4", "16.3.3/i", "A zone is divided even if it never was whole"),
    _reading("Q5", "16.3.3/h", "The north ends only with Oviedo Nationalist"),
    _reading("Q7", "11.4.5/h", "A retreat may cross any number of empty enemy spaces"),
    _reading("Q11", "11.4.6", "A corps lost after a retreat is replaced"),
    _reading("Q17", "9.1.4", "Units too many in Mallorca go to the Reserve Box"),
    _reading("Q21", "4.3.1", "Hands are drawn before the scenario's deployment"),
    _reading("Q48", "8.5.3.1", "Cards that cancel a retreat are played after the dice"),
    _reading("Q49", "8.5.3.3", "Cards of an attack that a card ends are discarded"),
    _reading(
        "Q67", "18.3.1", "A withdrawal without a way out: the units may be rebuilt", "rule_18_3_1"
    ),
    _reading("Q65", "3.0.coastal", "First edition: Huelva is not on a coast", FIRST_EDITION),
    _reading(
        "Q66",
        "16.6.2/d",
        "First edition: any armor that attacks may owe the first loss",
        FIRST_EDITION,
    ),
)
OF_THE_TABLE = (
    Agreement(RuleOption("open_hands", "8.1.4", "Both players see both hands"), ("open_hands",)),
    Agreement(
        RuleOption("example_hands", "24.1", "The opening hands of the extended example"),
        ("example_hands",),
    ),
)
AGREEMENTS = (
    *OF_THE_TABLE, *EDITIONS, *PRO_REPUBLICAN, *PRO_NATIONALIST, *NEUTRAL, *UNITS_AND_CARDS,
    *READINGS,
)  # fmt: skip
"""Every option, in the order they are shown."""

IN_FORCE: Mapping[str, tuple[str, ...]] = {each.option.id: each.in_force for each in AGREEMENTS}


def options() -> tuple[RuleOption, ...]:
    """Everything a proposal may agree on: chapter 18, readings and editions."""
    return tuple(each.option for each in AGREEMENTS)


def barred_by(editions: Collection[str]) -> tuple[str, ...]:
    """The options that a scenario of these editions excludes."""
    return () if "1e" in editions else (FIRST_EDITION,)


def needed_by(editions: Collection[str]) -> tuple[str, ...]:
    """The options that a scenario of these editions requires."""
    return () if "2e" in editions else (FIRST_EDITION,)


def in_force(ids: Iterable[str]) -> frozenset[str]:
    """The names that the rules check, from the ids of a game's options."""
    return frozenset(name for each in ids for name in IN_FORCE[each])
