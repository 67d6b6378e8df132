"""The audit: a finished game judged again with a player's cards known.

At the end each player shows the one secret from which everything they hid follows. It must give the
anchors and decks (shown.py) and the sealed orders they were bound to, and with their cards known
every entry must still be within the rules: that is how a withheld forced card is found.

A player who went on with new secrets during the game shows the earlier ones too, or declares them
lost; what was played with lost secrets is not audited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.gamefile import choices, consent, lists, policies
from pbem.gamefile.cards import Bound
from pbem.gamefile.chain import Entry
from pbem.gamefile.entry import fold_steps, named
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import GameInPlay, OrderRefused
from pbem.gamefile.journal import (
    Challenged,
    ChoiceSealed,
    FactSaid,
    JournalLine,
    Lapsed,
    ListSealed,
    Ordered,
    PolicyMade,
    Renewed,
    TakenBack,
    Upgraded,
)
from pbem.gamefile.machine import Machine, MayOpenTable, World
from pbem.gamefile.pending import allowed, judged, read_choice
from pbem.gamefile.rotation import accused
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.shown import RULE, Secret
from pbem.messages import Said, say

BESIDE_ORDERS = (PolicyMade, ChoiceSealed, ListSealed, TakenBack, Renewed, Upgraded)
"""Lines after which it is not enough to judge the orders: a view decides more than whether they are
legal, or cards or rules are not the same from beginning to end.
"""


def check_sealed_orders(
    entries: Sequence[Entry], machine: Machine, player: str, secrets: Sequence[Secret]
) -> None:
    """Opens every sealed document of a player, also those that were never needed.

    `machine` is the state that the entries led to. Raises FileRefused (E-AUDIT), placed at the
    entry that seals.
    """
    for entry, at, secret in _own_steps(entries, player, secrets):
        step = entry.steps[at]
        if secret is None or "box" not in step:
            continue
        try:
            bound_to = _in_box(secret, entry.seq, at, step)
        except FileRefused:
            bound_to = ""
        if bound_to != step["c"]:
            raise FileRefused("E-AUDIT", _other_content(step), rule=RULE).placed(
                entry=entry.seq, step=at, by=accused(machine, player, entry.seq)
            )


def _other_content(step: Mapping[str, Any]) -> Said:
    """That a box holds something else than what binds its author."""
    if step["do"] == "seal":
        return say(
            "the box of a secret choice contains a different one from the one its author was "
            "bound to"
        )
    if step["do"] == "list_seal":
        return say(
            "the box of the list {slot} contains a different list from the one its author was "
            "bound to",
            slot=step["slot"],
        )
    return say(
        "the box of the sealed orders {slot} contains a different document from the one their "
        "author was bound to",
        slot=step["slot"],
    )


def _in_box(secret: bytes, seq: int, at: int, step: Mapping[str, Any]) -> str:
    """What would bind to the content of a step's box (hex). Raises FileRefused (E-POLICY)."""
    if step["do"] == "seal":
        order = choices.unbox(secret, seq, at, step["box"])
        return choices.commitment(seq, at, choices.salt_of(secret, seq, at, order), order)
    slot = step["slot"]
    if step["do"] == "list_seal":
        items = lists.unbox(secret, slot, seq, step["size"], step["box"])
        return lists.root_of(secret, slot, seq, items)
    document = policies.unbox(secret, slot, seq, step["box"])
    return policies.commitment(slot, seq, policies.salt_of(secret, slot, seq, document), document)


def _own_steps(
    entries: Sequence[Entry], player: str, secrets: Sequence[Secret]
) -> Iterator[tuple[Entry, int, Secret]]:
    """The steps of a player, by entry and number, with the secret they had there."""
    generation = 0
    for entry in entries:
        for at, step in enumerate(entry.steps if entry.by == player else ()):
            yield entry, at, secrets[generation]
            generation += step["do"] == "renew"


def stands(told: Iterable[Sequence[JournalLine]], player: str, secrets: Sequence[Secret]) -> bool:
    """Whether the journal of a whole game already shows that nothing breaks the rules with the
    player's cards known: what was legal then is still legal, and what lapsed is still illegal.

    Nothing else may depend on what one view knows and another does not, and only the player's own
    orders, and what they said, may depend on their cards (engine/hidden.py): the other player could
    not know them. False means only that the journal does not show it, and the game must be played
    again. That is also so where more than orders was judged, or where the player's cards do not
    come from one secret.
    """
    first, *later = secrets
    if first is None or later:
        return False
    who, cards = Secrets(player, first), dict[str, str]()
    for journal in told:
        if not journal or not all(map(_is_plain, journal)):
            return False
        for line in journal:
            if isinstance(line, Challenged) and line.epoch.by == player:
                cards = {**cards, **who.whole_deck(Bound(line.epoch, "", line.trial))}
            elif isinstance(line, Ordered | Lapsed) and line.by == player:
                is_legal = allowed(line.before.informed(cards), player, line.read)
                if isinstance(line, Lapsed) and line.before.doubts(line.read):
                    continue  # in every view alike
                if is_legal != isinstance(line, Ordered):
                    return False
            elif (
                isinstance(line, FactSaid)
                and line.by == player
                and not _is_so(line.before.informed(cards), line.order)
            ):
                return False
    return True


def _is_so(table: GameInPlay, order: Mapping[str, Any]) -> bool:
    """Whether what a player said of hidden things is so, at a table that knows them."""
    try:
        judged(table, read_choice(table, order))
    except OrderRefused:
        return False
    return True


def _is_plain(line: JournalLine) -> bool:
    return not isinstance(line, BESIDE_ORDERS)


def play_again(
    entries: Sequence[Entry], open_table: MayOpenTable, player: str, secrets: Sequence[Secret]
) -> None:
    """Folds the game again, with all in view that the player kept hidden.

    What they played with lost secrets is folded as everybody saw it. Raises FileRefused (E-AUDIT)
    at the first entry that breaks the rules.
    """
    knowing = [None if each is None else Secrets(player, each) for each in secrets]
    wanted = {step["to"] for each in entries for step in each.steps if step["do"] == "takeback"}
    kept: dict[int, Machine] = {}
    machine = Machine(World(open_table, kept.__getitem__))
    for entry in entries:
        generation = sum(each.of == player for each in machine.keys.renewals)
        try:
            machine = _folded_again(machine.put(auditor=knowing[generation]), entry, player)
        except FileRefused as refused:
            by = accused(machine, player, entry.seq)
            raise refused.placed(entry=entry.seq, by=by) from None
        if entry.seq in wanted:
            kept[entry.seq] = machine


def _folded_again(machine: Machine, entry: Entry, player: str) -> Machine:
    """The machine after an entry, as it was and with more in view. Raises FileRefused (E-AUDIT)."""
    try:
        machine = fold_steps(machine, entry)
    except FileRefused as refused:
        raise FileRefused(
            "E-AUDIT",
            say(
                "with all that player {player} kept hidden in view: {message}",
                player=player,
                message=refused.message,
            ),
            rule=refused.rule or RULE,
            causes=refused.causes,
        ).placed(step=refused.step) from None
    except OrderRefused as refused:  # an order that the rules refuse where none may lapse
        raise FileRefused(
            "E-AUDIT",
            say(
                "with all that player {player} kept hidden in view: {message}",
                player=player,
                message=refused.problems[0].message,
            ),
            rule=RULE,
            causes=refused.problems,
        ) from None
    if machine.post() != entry.payload["post"]:
        raise FileRefused(
            "E-AUDIT",
            say(
                "with all that player {player} kept hidden in view, the game goes differently",
                player=player,
            ),
            rule=RULE,
        )
    return named(consent.sealed(machine, entry.id), entry)
