"""The steps that begin a game: propose, accept, start."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.gamefile.advance import advance
from pbem.gamefile.cards import RULE, first_decks
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import GameInPlay
from pbem.gamefile.journal import Began
from pbem.gamefile.keys import check_public, solo_key
from pbem.gamefile.machine import Machine
from pbem.gamefile.shapes import BOTS
from pbem.gamefile.steps.beacons import bind_deck
from pbem.late import Late
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.engine.tags import slot_under
    from pbem.gamefile import new_keys
else:  # few games begin with spare keys, or with counters
    slot_under = Late("pbem.engine.tags").slot_under
    new_keys = Late("pbem.gamefile.new_keys")

Step = dict[str, Any]


def propose(machine: Machine, step: Step) -> Machine:
    """Begins a file with the terms of a new game. Raises FileRefused for keys, decks and options
    the protocol does not allow.
    """
    publics = {"A": bytes.fromhex(step["pub_a"]), "B": bytes.fromhex(step["pub_b"])}
    for public in publics.values():
        check_public(public)
    if publics["A"] == publics["B"]:
        raise FileRefused("E-KEY", say("both players have the same key"))
    options = step["options"]
    names = [deck["deck"] for deck in step["decks"]]
    if len(set(names)) != len(names):
        raise FileRefused("E-DECK", say("two decks have the same name"), rule=RULE)
    _check_pieces(step["decks"])
    if {"solo", "seed", *BOTS.values()} & set(options):
        _check_solo(options, publics)
    machine = machine.put(proposal=step, publics=publics)
    table = machine.proposed_table()  # a game that cannot be begun is not even proposed
    if table is not None:
        _check_decks(table, step)
    if "director" in step:
        _check_director(bytes.fromhex(step["director"]), publics.values())
    if "silence" in step and "solo" in options:
        raise FileRefused("E-SCHEMA", say("nobody waits for anybody in a solo game"))
    spares = _spares_named(machine, "A", step)
    machine = machine.put(spares=spares, phase="proposed", progress=True)
    return machine.tell(Began, by=machine.entry.by, kind="propose")


def _check_director(director: bytes, players: Collection[bytes]) -> None:
    """Raises FileRefused (E-KEY) for a director who is a player, or nobody."""
    check_public(director)
    if director in players:
        raise FileRefused("E-KEY", say("the director of a game cannot be one of its players"))


def _spares_named(machine: Machine, player: str, step: Step) -> Mapping[str, bytes]:
    """The spare keys with what a player names at the beginning. Raises FileRefused (E-KEY)."""
    spares = machine.keys.spares
    if "spare" not in step:
        return spares
    spare = bytes.fromhex(step["spare"])
    new_keys.check_new(machine, spare)
    return {**spares, player: spare}


def _check_pieces(decks: Sequence[Step]) -> None:
    """Raises FileRefused (E-DECK) for a counter that could be taken for a tag or for another."""
    pieces = [card for deck in decks if deck.get("pieces") for card in deck["cards"]]
    for piece in pieces:
        if slot_under(piece) or pieces.count(piece) > 1:
            raise FileRefused(
                "E-DECK",
                say("{piece} is the name of a tag", piece=piece)
                if slot_under(piece)
                else say("{piece} is in two decks", piece=piece),
                rule="tags",
            )


def _check_solo(options: Mapping[str, Any], publics: Mapping[str, bytes]) -> None:
    if not {"solo", "seed"} <= set(options):
        raise FileRefused(
            "E-SCHEMA", say("a solo game, and no other, names its seed in the options")
        )
    if set(BOTS.values()) <= set(options):
        raise FileRefused("E-SCHEMA", say("pbem plays one of both players at most"))
    text = options["seed"]
    for player, public in publics.items():
        if solo_key(player, text).public != public:
            raise FileRefused("E-KEY", say("the keys are not those of this solo game"))


def accept(machine: Machine, step: Step) -> Machine:
    """Accepts the proposal, which makes it a game. Raises FileRefused: E-CHAIN for another
    proposal, E-RULES for other data, E-DECK, E-KEY.
    """
    if step["proposal"] != machine.terms.proposal_id:
        raise FileRefused("E-CHAIN", say("the proposal accepted here is not the one in this file"))
    if step["data"] != machine.terms.proposal["data"]:
        raise FileRefused(
            "E-RULES",
            say("the two players do not have the same game data, so the game does not start"),
            hint=say("both need the same version of pbem and the same --data folder"),
        )
    machine = _bind_decks_named(machine, step, "B")
    machine = machine.put(spares=_spares_named(machine, "B", step))
    return _bound(machine, "B", step["nonce"], step["anchor"], "accepted", "accept")


def start(machine: Machine, step: Step) -> Machine:
    """Sets up the table and plays up to the first question. Raises FileRefused (E-DECK), and the
    Refused of `open_table`.
    """
    machine = start_bound(machine, step)
    table = machine.proposed_table()
    assert table is not None, "without rules no table is set"
    machine = machine.put(has_counters=table.may_hide_counters())
    return advance(machine.at(table))


def start_bound(machine: Machine, step: Step) -> Machine:
    """What a `start` step binds its author to, before the table is set up. Raises FileRefused."""
    machine = _bind_decks_named(machine, step, "A")
    return _bound(machine, "A", machine.terms.game, step["anchor"], "running", "start")


def _bound(
    machine: Machine, player: str, context: str, anchor: str, phase: str, kind: str
) -> Machine:
    machine = machine.put(
        contexts={**machine.keys.contexts, player: context},
        anchors={**machine.beacons.anchors, player: (anchor,)},
        phase=phase, progress=True,
    )  # fmt: skip
    return machine.tell(Began, by=machine.entry.by, kind=kind)


def _check_decks(table: GameInPlay, proposal: Mapping[str, Any]) -> None:
    """Raises FileRefused (E-DECK) where a proposal names other decks than the game has."""
    if table.laid() != first_decks(proposal):
        raise FileRefused(
            "E-DECK", say("the game is not played with the decks of the proposal"), rule=RULE
        )


def _bind_decks_named(machine: Machine, step: Step, player: str) -> Machine:
    """The commitments of `accept` and `start`: exactly one for each deck of that player."""
    own = [each for each in first_decks(machine.terms.proposal) if each.by == player]
    if {each.deck for each in own} != set(step["decks"]):
        raise FileRefused(
            "E-DECK",
            say("player {player} must commit to each of their decks", player=player),
            rule=RULE,
        )
    for each in own:
        machine = bind_deck(machine, machine.epoch_to_bind(each), step["decks"][each.deck])
    return machine
