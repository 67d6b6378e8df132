"""Generations of secrets: new ones for a player who lost a key, or whose old ones were stolen.

The other player offers it, for the risk is theirs; the player with the pen takes it up with the
anchor of a new chain. It begins the next generation of that player's secrets: other values of
beacons, other decks, other boxes. A beacon they have not answered is burnt, their sealed orders are
void, and everything they hid is dealt again. `pbem/decisions/` has the reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile.cards import Bound
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.kept import NewGeneration
from pbem.gamefile.rotation import first_key
from pbem.late import Late
from pbem.messages import say
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.gamefile import lists
    from pbem.gamefile.machine import Machine
else:  # most games have none
    lists = Late("pbem.gamefile.lists")

RULE = "new secrets"


@value
class Generation:
    """A period in which a player's secrets are the same: after entry `since`, up to `until`.

    `key` is the public half of the key they come from, `context` the argument of `game_secret`; the
    anchors and decks are those they give.
    """

    since: int
    until: int | None
    key: bytes
    context: str
    anchors: tuple[str, ...]
    bound: tuple[Bound, ...]


# --- where things stand


def origin(machine: Machine, player: str) -> tuple[bytes, str]:
    """The public key their present secrets come from, and the context they are computed for."""
    renewals, context = machine.renewals_of(player), machine.keys.contexts[player]
    if not renewals:
        return first_key(machine, player), context
    return renewals[-1].key, context_behind(context, renewals[-1].prev)


def context_behind(context: str, prev: str) -> str:
    """The context of new secrets, taken up after the entry with id `prev`.

    Two positions have different ones: a player lured into renewing in an old position reveals
    nothing of the other.
    """
    return f"{context}\n{prev}"


def generations(machine: Machine, player: str) -> tuple[Generation, ...]:
    """All generations of a player's secrets, the present one last."""
    since, found = 0, []
    key, context = first_key(machine, player), machine.keys.contexts[player]
    for each in machine.renewals_of(player):
        found.append(Generation(since, each.entry, key, context, each.anchors, each.bound))
        since, key = each.entry, each.key
        context = context_behind(machine.keys.contexts[player], each.prev)
    anchors = machine.beacons.anchors[player]
    found.append(Generation(since, None, key, context, anchors, _bound_now(machine, player)))
    return tuple(found)


def _bound_now(machine: Machine, player: str) -> tuple[Bound, ...]:
    """The decks of the present generation, including those that a take-back has undone."""
    before = {each.name for renewal in machine.renewals_of(player) for each in renewal.bound}
    return tuple(
        each
        for each in machine.hidden.decks.ever()
        if each.epoch.by == player and each.name not in before
    )


# --- the offer


def check_may_offer(machine: Machine) -> None:
    """Whether the author of the open entry may offer new secrets to the other now.

    Raises FileRefused (E-CONSENT).
    """
    of = other(machine.entry.by)
    since = max((each.entry for each in machine.renewals_of(of)), default=-1)
    keys = machine.keys
    named = [(each.of, each.entry) for each in keys.rotations]
    named += [(each.of, each.entry) for each in keys.deputies if each.public is not None]
    if not any(by == of and entry > since for by, entry in named):
        raise FileRefused(
            "E-CONSENT",
            say(
                "player {of} has had no new key since the present secrets, and new secrets "
                "come from a new key",
                of=of,
            ),
            rule=RULE,
            hint=say("replace the lost or stolen one with pbem rotate first"),
        )
    if machine.pen != of:
        raise FileRefused(
            "E-CONSENT",
            say("player {of} owes nothing now, so they could not take up new secrets", of=of),
            rule=RULE,
            hint=say("offer them while player {of} must write", of=of),
        )


# --- the step


def _writing(machine: Machine) -> bytes:
    """The key that signs the open entry, the deputy's if one writes it."""
    player, named = machine.entry.by, machine.keys.deputies
    if machine.entry.deputy:
        public = next(each.public for each in reversed(named) if each.of == player)
        assert public is not None
        return public
    return machine.keys.publics[player]


def bind_anew(machine: Machine, anchor: str) -> tuple[Machine, int | None]:
    """The machine in which the author of the open entry is bound to new secrets by this anchor, and
    the beacon that is burnt by it, if any.

    The table is not touched. Raises FileRefused (E-REVEAL) for an anchor they have given before.
    """
    player, beacons = machine.entry.by, machine.beacons
    base = max(beacons.revealed.values())
    if any(anchor in generation.anchors for generation in generations(machine, player)):
        raise FileRefused(
            "E-REVEAL",
            say("new secrets need an anchor of their own, and this one was given before"),
            rule=RULE,
        )
    burnt = base if beacons.revealed[player] < base else None
    made = NewGeneration(
        player, machine.entry.seq, base, _writing(machine), machine.entry.last_id,
        beacons.anchors[player], _bound_now(machine, player),
    )  # fmt: skip
    decks = machine.hidden.decks.drop(player)
    bound = machine.put(
        revealed={**beacons.revealed, player: base},
        anchors={**beacons.anchors, player: (anchor,)},
        renewals=(*machine.keys.renewals, made),
        decks=decks if burnt is None else decks.put_off(burnt),
        chosen=tuple(
            replace(each, c=None) if each.by == player else each for each in machine.hidden.chosen
        ),
        lists=lists.forget_items(machine.hidden.lists, player),
    )
    return bound, burnt
