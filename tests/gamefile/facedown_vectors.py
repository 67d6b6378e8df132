"""The vectors of counters face down: mixes, sealed lists, and a small game with both."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pbem.gamefile import decks, lists
from pbem.gamefile.chain import Entry
from pbem.gamefile.decks import Epoch, Reply
from pbem.gamefile.fold import Fold
from pbem.value import replace
from tests.facedown import test_cheats as cheats
from tests.facedown.mails import audited, random_game
from tests.gamefile.mutations import GOOD, as_stored, numbered
from tests.gamefile.players import forge, reveal

SECRET = bytes(range(32))
TAGS = ("n.1.0", "n.1.3", "N-X", "n.1.4", "n.1.1", "n.1.2", "n.1.5")
MIXES = {
    "three groups": Epoch("n", "A", 2, ("N-X", "n.1.4", *TAGS[:2], *TAGS[4:]), 16, 5, (2, 2, 3)),
    "one group of all": Epoch("n", "A", 3, tuple(sorted(TAGS)), 32, 9, (7,)),
}


def mix_vectors() -> Any:
    """The file 23-mixes.json."""
    rows = []
    for what, epoch in MIXES.items():
        trial = 6
        reply = decks.reply_of(SECRET, epoch, trial)
        rows.append(
            {
                "what": what, "deck": epoch.deck, "epoch": epoch.number, "n": epoch.challenge,
                "cards": list(epoch.cards), "groups": list(epoch.groups), "m_mix": epoch.trials,
                "root": decks.root_of(SECRET, epoch).hex(),
                "commitment": decks.commitment_of(SECRET, epoch), "t": trial,
                "layout": list(decks.layout_of(SECRET, epoch, trial).cards),
                "leaves": list(reply.leaves), "siblings": list(reply.siblings),
                "refused": [
                    {"what": told, "leaves": list(wrong.leaves), "siblings": list(wrong.siblings)}
                    for told, wrong in _spoilt(epoch, trial)
                ],
            }
        )  # fmt: skip
    return {
        "what": "mixes: what binds, the reply for one trial and replies that do not pass it, and "
        "groups as no mix has them (E-DECK)",
        "gsec": SECRET.hex(), "mixes": rows,
        "groups": [{"deck": "n", "cards": list(cards), "groups": list(groups)}
                   for cards, groups in NO_MIXES],
    }  # fmt: skip


def _spoilt(epoch: Epoch, trial: int) -> Iterator[tuple[str, Reply]]:
    """Replies that do not show what the owner of a mix is bound to."""
    good = decks.reply_of(SECRET, epoch, trial)
    yield (
        "the leaves of another trial",
        replace(good, leaves=decks.reply_of(SECRET, epoch, trial ^ 1).leaves),
    )
    yield (
        "two leaves changed places",
        replace(good, leaves=(good.leaves[1], good.leaves[0], *good.leaves[2:])),
    )
    yield "a leaf left out", replace(good, leaves=good.leaves[1:])
    yield "the seeds the other way round", replace(good, siblings=good.siblings[::-1])
    yield "a seed left out", replace(good, siblings=good.siblings[1:])
    yield "another seed", replace(good, siblings=("00" * 32, *good.siblings[1:]))
    moved = replace(epoch, groups=(*epoch.groups[:-1], epoch.groups[-1] - 2, 2))
    yield "the layouts of other groups", decks.reply_of(SECRET, moved, trial)


NO_MIXES = (
    (("n.1.1", "n.1.0"), (2,)),
    (("n.1.1", "n.1.3", "n.1.0", "n.1.2"), (2, 2)),
    (("n.1.0", "n.1.1", "n.1.2"), (2, 1)),
    (("n.1.0", "n.1.1", "n.1.2"), (2, 2)),
    (("n.1.0", "n.1.1", "n.1.2"), (2,)),
    (("n.1.0", "s.1.1"), (2,)),
)
"""Cards and groups out of order, of one card, of another number, of another deck."""


def list_vectors() -> Any:
    """The file 24-lists.json."""
    rows = []
    for items in (("0101", None), (None,) * 4, ("a", {"at": "n/1/2"}, None, "a", 7, None, [], "b")):
        sealed = lists.seal(SECRET, "plan", 12, items)
        placed = lists.placed(SECRET, "plan", 12, items)
        shown = [lists.shown(SECRET, "plan", 12, items, at) for at in range(len(items))]
        rows.append(
            {"slot": "plan", "seq": 12, "size": len(items), "items": list(items), "c": sealed.c,
             "box": sealed.box, "placed": list(placed), "told": shown,
             "refused": list(_not_sealed(shown))}
        )  # fmt: skip
    return {"what": "sealed lists, every item told, items that are not in them (E-POLICY), and the "
            "same items in an order of their own", "gsec": SECRET.hex(), "lists": rows}  # fmt: skip


def _not_sealed(shown: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Items that do not give what binds the author of a list."""
    first, last = shown[0], shown[-1]
    for what, wrong in {
        "another item": {**first, "item": "0102"},
        "another place": {**first, "at": 1},
        "a place that the list has not": {**first, "at": len(shown)},
        "another nonce": {**first, "nonce": last["nonce"]},
        "a path one node short": {**first, "path": first["path"][1:]},
        "a path one node long": {**first, "path": [*first["path"], "00" * 32]},
        "the path of another item": {**first, "path": last["path"]},
        "a node as an item": {**first, "item": first["path"][0], "path": first["path"][1:]},
    }.items():
        yield {"what": what, "items": [wrong]}
    yield {"what": "an item told twice", "items": [first, first]}


@cache
def sample() -> Fold:
    """A game of two random players with mixes, showings of several slots, ambushes and facts that
    are said, audited.
    """
    return audited(random_game(SEED))


SEED = 2


def files() -> Iterator[tuple[str, str, list[Entry]]]:
    """What, the class it is refused with, and the entries of the file."""
    yield "the sample", GOOD, list(sample().entries)
    for what, code, fold, player, steps in _cheats():
        yield what, code, [*fold.entries, forge(fold, player, steps)]


def _cheats() -> Iterator[tuple[str, str, Fold, str, list[dict[str, Any]]]]:
    begun, steps, placed = cheats.laid_out("N-G")
    whole = [*steps, placed]
    yield "a counter laid out where it may not stand is shown", "E-PIECE", begun, "A", whole
    yield "who is laid out in view is not shown", "E-CARD", begun, "A", steps
    other = {**placed, "card": "N-H"}
    yield "another counter is shown by who lays them out", "E-OPEN", begun, "A", [*steps, other]
    mixing = cheats.mixable()
    steps = cheats.honest(mixing, "A", *cheats.MIX)
    for groups in ([4], [2, 3], [2]):
        wrong = cheats.changed(steps, "deck_commit", lambda step, g=groups: {**step, "groups": g})
        yield f"groups {groups} for two stacks of two", "E-DECK", mixing, "A", wrong
    commit = next(step for step in steps if step["do"] == "deck_commit")
    yield "two stacks mixed in one entry are bound twice", "E-DECK", mixing, "A", [
        each for step in steps for each in ((step, commit) if step is commit else (step,))
    ]  # fmt: skip
    turned = cheats.changed(
        steps, "deck_commit", lambda step: {**step, "cards": step["cards"][::-1]}
    )
    yield "groups in a wrong order", "E-DECK", mixing, "A", turned
    late = cheats.without(steps, "deck_commit", "reveal")
    yield "a mix left for later", "E-DECK", mixing, "A", late
    across, shown = cheats.moved_across()
    yield "a counter of another stack is shown", "E-DECK", across, "A", shown
    writing = cheats.writing()
    listed = cheats.honest(writing, "A", {"ambush": {"at": ["0403"]}})
    short = cheats.changed(listed, "list_seal", lambda step: {**step, "box": "A" * 160})
    yield "a list in a longer box", "E-POLICY", writing, "A", short
    size = cheats.changed(listed, "list_seal", lambda step: {**step, "size": 4})
    yield "a list of another size", "E-POLICY", writing, "A", size
    due, _ = cheats.sprung()
    told = cheats.honest(due, "B")
    for name, change in {
        "another line": {"item": "0201"}, "a line at another place": {"at": 0},
        "another nonce": {"nonce": "00" * 32},
    }.items():  # fmt: skip
        wrong = cheats.changed(
            told, "list_tell",
            lambda step, c=change: {**step, "items": [{**step["items"][0], **c}]},
        )  # fmt: skip
        yield f"{name} is told", "E-POLICY", due, "B", wrong
    twice = cheats.changed(told, "list_tell", lambda step: {**step, "items": step["items"] * 2})
    yield "a line told twice", "E-POLICY", due, "B", twice
    yield "a line that is due is kept back", "E-POLICY", due, "B", cheats.without(told, "list_tell")
    silent = cheats.both_lie_in_wait()
    attack = cheats.honest(silent, "A", cheats.ATTACK)
    other_list = {"slot": "ambush_s", "seq": 7}
    theirs = cheats.changed(attack, "list_tell", lambda step: {**step, **other_list})
    yield "a line of the other list in front of orders", "E-POLICY", silent, "A", theirs
    told = next(step for step in attack if step["do"] == "list_tell")
    yield "a line told where nothing is asked", "E-POLICY", writing, "A", [
        *cheats.head(writing, "A"), told,
    ]  # fmt: skip
    attacked = cheats.write(silent, "A", cheats.ATTACK)
    answered = cheats.honest(attacked, "B")
    kept = cheats.without(answered, "list_tell")
    yield "a line is kept back where B is attacked", "E-POLICY", attacked, "B", kept
    fought = cheats.fight()
    shown = cheats.honest(fought, "B")
    yield "who is attacked is not shown", "E-CARD", fought, "B", cheats.without(shown, "open")
    unlike = cheats.changed(shown, "open", lambda step: {**step, "card": "S-H"})
    yield "another counter is shown", "E-OPEN", fought, "B", unlike
    said = cheats.fired_at()
    yield "a class of points that no counters have", "E-ORDER", said, "A", cheats.counted("4+")
    yield "a fact is left out", "E-POLICY", said, "A", cheats.counted("3+")[:1]
    yield "a fact that nobody asked for", "E-POLICY", writing, "A", [
        *cheats.head(writing, "A"), *cheats.counted("3+")[1:],
    ]  # fmt: skip
    false, shown = cheats.shown_whole()
    yield "a stack that was said to be another is shown", "E-PIECE", false, "A", shown
    forged, slot = cheats.far_and_attacked()
    opened = [reveal(forged, "A", forged.locked), cheats.opening(forged, "A", slot)]
    yield "a counter that marched too far is shown", "E-PIECE", forged, "A", opened


NEED_RULES = {
    "a counter laid out where it may not stand is shown", "who is laid out in view is not shown",
    "a mix left for later",
    "a line that is due is kept back", "who is attacked is not shown",
    "a line is kept back where B is attacked",
    "a class of points that no counters have", "a fact is left out", "a fact that nobody asked for",
    "a stack that was said to be another is shown",
    "a counter that marched too far is shown",
}  # fmt: skip
"""What only shows to who knows the rules of the little game."""


def game_vectors() -> Any:
    """The file 25-facedown.json."""
    stored = as_stored(sample().entries)

    return {
        "what": "Fog on the Ridge (tests/facedown): a game with counters face down, and spoilt "
        "copies with the class each must be refused with",
        "file": {"entries": stored, "format": "pbem-game/1"},
        "mutations": [
            {"what": what, "expected": code, "rules": what in NEED_RULES,
             "entries": numbered(entries, stored)}
            for what, code, entries in files()
            if code != GOOD
        ],
    }  # fmt: skip
