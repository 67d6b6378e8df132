"""What two players agree on underway: offers, answers, take-backs, a change of the rules.

An offer binds nobody. The other player's answer names the entry it stands in, so that it cannot be
shown for another one; what was agreed is carried out at once, by a step of its own where the game
goes on. A take-back rewinds the position and never chance: numbers of beacons, values that were
shown and whatever was opened stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile import renewal
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.happenings import (
    Adjourned,
    OfferAnswered,
    OfferLapsed,
    OfferMade,
    TakenBack,
    Upgraded,
)
from pbem.gamefile.pending import Standing
from pbem.gamefile.referee import PLAYERS, other
from pbem.value import value

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

Step = dict[str, Any]
MAX_TAKE_BACKS = 64  # of one game: each has its verifier fold a part of the file again
NAMES = {
    "draw": "a draw", "takeback": "a take-back", "upgrade": "a change of the rules",
    "adjourn": "to adjourn", "void": "to end the game without a result",
    "renew": "a renewal of the secrets",
}  # fmt: skip
CARRIED_OUT = frozenset({"takeback", "upgrade", "renew"})
"""What is agreed by an answer and done by a step of its own, directly behind it."""
DRAWN: Mapping[str, Any] = {"winner": None, "how": "draw agreed"}
VOID: Mapping[str, Any] = {"winner": None, "how": "void by consent", "void": True}


@value
class Offer:
    """An open offer: `entry` is where it stands, `id` that entry's id; `terms` its other members.

    The id is not known while its own entry is folded, and nobody can answer it then.
    """

    by: str
    what: str
    entry: int
    terms: Mapping[str, Any]
    id: str = ""

    def plain(self) -> dict[str, Any]:
        return {"by": self.by, "what": self.what, "entry": self.entry, **self.terms}


def open_offer(machine: Machine, player: str) -> Offer | None:
    """The open offer a player has made."""
    return next((offer for offer in machine.offers if offer.by == player), None)


# --- the steps


def offer(machine: Machine, step: Step) -> None:
    """Raises FileRefused: E-CONSENT, or E-TURN where a roll is near (R10)."""
    what = step["what"]
    terms = {name: item for name, item in step.items() if name not in ("do", "what")}
    if open_offer(machine, machine.by) is not None:
        raise FileRefused(
            "E-CONSENT", f"player {machine.by} has an open offer already", rule="offers",
            hint="it lapses with the next entry of the other player",
        )  # fmt: skip
    if machine.locked is not None and not _may_hang(what, terms):
        raise FileRefused(
            "E-TURN",
            f"beacon {machine.locked} is locked, and an offer now would be answered by one who "
            "knows the dice",
            rule="R10",
            hint="only a take-back that says known_randomness may be offered before they fall, or "
            "new secrets to the player whose value is missing",
        )
    if what == "takeback":
        _check_target(machine, terms)
    if what == "upgrade":
        _check_present(machine, terms["old"])
    if what == "renew":
        renewal.check_may_offer(machine)
    made = Offer(machine.by, what, machine.seq, terms)
    machine.offers = (*machine.offers, made)
    machine.tell(OfferMade, by=machine.by, what=what, terms=terms)


def answer(machine: Machine, step: Step) -> None:
    """Raises FileRefused (E-CONSENT) when it names no open offer of the other player."""
    asked = open_offer(machine, other(machine.by))
    if asked is None or asked.id != step["offer"]:
        raise _not_open(machine, asked)
    machine.offers = tuple(each for each in machine.offers if each is not asked)
    yes = step["yes"]
    machine.tell(OfferAnswered, by=machine.by, what=asked.what, terms=asked.terms, yes=yes)
    if not yes:
        return
    machine.progress = True
    if asked.what == "draw":
        machine.finish(dict(DRAWN))
    elif asked.what == "void":
        machine.finish(dict(VOID))
    elif asked.what == "adjourn":
        machine.adjourned = machine.seq
        machine.tell(Adjourned, by=asked.by, until=asked.terms.get("until", ""))
    else:
        machine.agreed = asked


def _may_hang(what: str, terms: Mapping[str, Any]) -> bool:
    """Whether something may be offered although its answer may come from one who knows the dice."""
    return what == "renew" or (what == "takeback" and "known_randomness" in terms)


def begins_anew(machine: Machine, step: Step) -> bool:
    """Whether a step leads to new secrets: a yes to the open offer of them, or they themselves."""
    if step["do"] == "answer":
        asked = open_offer(machine, other(machine.by))
        return asked is not None and asked.what == "renew" and bool(step["yes"])
    return bool(step["do"] == "renew")


def goes_back(machine: Machine, step: Step) -> bool:
    """Whether a step leads to an earlier state: a yes to the open offer of it, or what was agreed.

    It stands in place of what its author has fixed and sealed: the question is undone with it.
    """
    if step["do"] == "answer":
        asked = open_offer(machine, other(machine.by))
        named = asked is not None and asked.what == "takeback" and asked.id == step["offer"]
        return bool(named and step["yes"])
    return step["do"] == "takeback" and machine.agreed is not None


def take_back(machine: Machine, step: Step) -> None:
    """The fold goes on from the state behind entry `to`; what chance and players showed stays.

    That the state can be gone back to was judged with the offer, which lapses before that changes.
    Raises FileRefused: E-CONSENT without the other's consent to this very take-back, or where a
    pile was laid since; E-LIMIT.
    """
    agreed = _agreed(machine, "takeback", {"to": step["to"]})
    if machine.take_backs == MAX_TAKE_BACKS:
        raise FileRefused("E-LIMIT", f"more than {MAX_TAKE_BACKS} take-backs in one game")
    assert machine.recall is not None, "a machine that folds a file can recall its states"
    to = step["to"]
    earlier, before = machine.recall(to), machine.table
    machine.close_beacon()
    machine.halt, machine.chosen = None, ()
    machine.referee = earlier.table
    machine.given = {player: list(items) for player, items in earlier.given.items()}
    known = [*machine.policies, *earlier.policies]
    machine.policies = policies_kept(machine, earlier)
    gone = {each.by for each in known if each not in machine.policies and not each.withdraws}
    keep_decks(machine)
    if _rules_of(earlier) != _rules_of(machine):
        machine.referee = machine.table.upgraded(machine.proposal)
    machine.quiet = {seq: count for seq, count in machine.quiet.items() if seq <= to}
    machine.claim, machine.offers = None, ()
    machine.take_backs += 1
    machine.only_words = True
    machine.tell(
        TakenBack, by=agreed.by, to=to, before=before, after=machine.table,
        ended=tuple(player for player in PLAYERS if player in gone),
    )  # fmt: skip


def upgrade(machine: Machine, step: Step) -> None:
    """From the next entry on the game is judged by other rules or data; the position stays.

    Raises FileRefused: E-CONSENT without the other's consent to these very rules, E-RULES when the
    new ones are not known here, or the position cannot be carried over.
    """
    terms = {"old": step["old"], "new": step["new"]}
    agreed = _agreed(machine, "upgrade", terms)
    _check_present(machine, step["old"])
    before, proposal = machine.table, {**machine.proposal, **step["new"]}
    machine.referee = before.upgraded(proposal)
    machine.proposal = proposal
    machine.upgrades += 1
    machine.only_words = True
    machine.tell(
        Upgraded, by=agreed.by, old=step["old"], new=step["new"], before=before,
        after=machine.table,
    )  # fmt: skip


def renew(machine: Machine, step: Step) -> None:
    """Its author goes on with new secrets; whatever the game then asks may follow.

    Raises FileRefused: E-CONSENT without the other's consent, E-REVEAL for an anchor of old.
    """
    _agreed(machine, "renew", {})
    renewal.take_up(machine, step["anchor"])


# --- what a take-back keeps


def policies_kept(machine: Machine, earlier: Machine) -> list[Standing]:
    """The policies in force behind a take-back, which leads from `machine` to `earlier`.

    Those of then: what was committed since is void. A sealed one that has been opened since is void
    too, for the other player has read it; so is one that was replaced since, which cannot be told
    from it any more.
    """
    still_sealed = {each.sent for each in machine.policies if each.doc is None}
    return [each for each in earlier.policies if each.box is None or each.sent in still_sealed]


def keep_decks(machine: Machine) -> None:
    """Decks and hands behind a take-back, whose earlier position the machine has again.

    What players are bound to and have opened stays; a card opened since is known in the hand that
    held it. A pile that was laid since is gone, and the next one of its deck takes the next number:
    no number of an epoch names two commitments (R7). Of a deck that stays, chance may have met the
    cards since, and an audit must know them.
    """
    used = machine.decks.undo(machine.table.laid())
    if used:
        machine.referee = machine.table.renumbered(used)
    machine.inform_auditor()
    held = {slot for player in PLAYERS for slot in machine.table.hand(player)}
    opened = {
        f"{each.name}/{place}": card
        for each in machine.decks
        for place, card in each.opened.items()
        if f"{each.name}/{place}" in held
    }
    if opened:
        machine.referee = machine.table.learn(opened)


# --- lines drawn around entries and locks


def carried_out_first(machine: Machine, kind: str = "") -> None:
    """Raises FileRefused (E-CONSENT) when something agreed is not carried out by the next step."""
    agreed = machine.agreed
    if agreed is not None and kind != agreed.what:
        raise FileRefused(
            "E-CONSENT",
            f"the answer agrees to {NAMES[agreed.what]}, which the very next step must carry out: "
            f"{agreed.what}",
            rule="offers",
        )


def at_lock(machine: Machine) -> None:
    """R10: nothing that is offered may be answered by one who knows the dice.

    Raises FileRefused (E-TURN) when the offer stands in the very entry that locks.
    """
    for each in machine.offers:
        if each.entry == machine.seq:
            raise FileRefused(
                "E-TURN",
                "the entry comes to stand before a roll, so it may hold no offer: the other "
                "player would answer it knowing the dice",
                rule="R10",
                hint="send the orders alone, and the offer when the dice have fallen",
            )
        machine.tell(OfferLapsed, by=each.by, what=each.what)
    machine.offers = ()


def at_end(machine: Machine) -> None:
    """An offer lapses with the next entry of the other side that does not answer it."""
    carried_out_first(machine)
    for each in machine.offers:
        if each.by != machine.by and each.entry < machine.seq:
            machine.tell(OfferLapsed, by=each.by, what=each.what)
    machine.offers = tuple(
        each for each in machine.offers if each.by == machine.by or each.entry == machine.seq
    )
    if machine.adjourned not in (None, machine.seq) and machine.progress:
        machine.adjourned = None


def leaves_the_pen(machine: Machine) -> None:
    """T4: what is offered in turn is answered in turn, so the entry leaves the pen to the other.

    Raises FileRefused (E-CONSENT) for an offer in an entry after which its author writes again.
    """
    if machine.side or machine.pen != machine.by:
        return
    if any(each.entry == machine.seq for each in machine.offers):
        raise FileRefused(
            "E-CONSENT",
            f"player {machine.by} is to write again after this entry, so nobody could answer "
            "what it offers",
            rule="T4",
            hint=ASK_BY_MAIL,
        )


ASK_BY_MAIL = (
    "an offer goes with orders that leave the next move to your opponent; otherwise ask your "
    "opponent by mail to make the offer, and answer it with your next entry"
)
"""What to do where one's own entry cannot hold an offer (T4)."""


def sealed(machine: Machine) -> None:
    """Notes what only now is known of the entry folded last: its id, and whether it is quiet."""
    machine.offers = tuple(
        Offer(each.by, each.what, each.entry, each.terms, machine.last_id)
        if each.entry == machine.seq
        else each
        for each in machine.offers
    )
    owed = {thing.code for thing in machine.owed()}
    asks = owed & {"answer", "seal"}
    if asks and owed <= {*asks, "anchor"} and not machine.chosen:
        machine.quiet[machine.seq] = _completed(machine)


# --- checks


def _agreed(machine: Machine, what: str, terms: Mapping[str, Any]) -> Offer:
    agreed, machine.agreed = machine.agreed, None
    if agreed is None:
        raise FileRefused(
            "E-CONSENT",
            f"{NAMES[what]} needs an offer of one player and, directly in front of it, the yes of "
            "the other",
            rule="offers",
        )
    for name, item in terms.items():
        if agreed.what == what and agreed.terms[name] != item:
            raise FileRefused(
                "E-CONSENT",
                f"{NAMES[what]} was agreed on with {_worded(name, agreed.terms[name])}, and this "
                f"is one with {_worded(name, item)}",
                rule="offers",
            )
    return agreed


def _worded(name: str, item: Any) -> str:
    if isinstance(item, Mapping):
        return f"{name} {item['ruleset']} {item['data'][:16]}"
    return f"{name} {item}"


def _not_open(machine: Machine, asked: Offer | None) -> FileRefused:
    author = other(machine.by)
    if asked is None:
        message = f"no offer of player {author} is open: it was answered, or it has lapsed"
    else:
        message = f"the answer names another offer than the open one, of entry {asked.entry}"
    return FileRefused("E-CONSENT", message, rule="offers")


def _check_target(machine: Machine, terms: Mapping[str, Any]) -> None:
    """Whether the game can go back to the state behind entry `to`, and the offer says enough."""
    to = terms["to"]
    for each in machine.renewals:
        if to < each.entry:
            raise FileRefused(
                "E-CONSENT",
                f"player {each.of} goes on with new secrets since entry {each.entry}, and the game "
                "cannot go back before that",
                rule="R7",
                hint=_fit(machine),
            )
    completed = machine.quiet.get(to)
    if completed is None or to >= machine.seq:
        raise FileRefused(
            "E-CONSENT",
            f"the game cannot go back to entry {to}: after it nothing may be locked, somebody "
            "must have a decision, and it must not be taken back itself",
            rule="R7",
            hint=_fit(machine),
        )
    burnt = _completed(machine) - completed
    if burnt and "known_randomness" not in terms:
        count, dice = "a beacon was", "its dice"
        if burnt > 1:
            count, dice = f"{burnt} beacons were", "their dice"
        raise FileRefused(
            "E-CONSENT",
            f"{count} completed since entry {to}, so both players know {dice}, rolled or not",
            rule="R7",
            hint="an offer that says known_randomness may go back before them; new dice are rolled",
        )


def _fit(machine: Machine) -> str:
    near = [str(seq) for seq in list(machine.quiet)[-5:]]
    return f"it can go back to {', '.join(near)}" if near else "nothing was decided yet"


def _check_present(machine: Machine, rules: Mapping[str, Any]) -> None:
    if rules != _rules_of(machine):
        raise FileRefused(
            "E-CONSENT",
            f"the game is not played by {rules['ruleset']} with the data {rules['data'][:16]}",
            rule="offers",
        )


def _rules_of(machine: Machine) -> dict[str, Any]:
    return {name: machine.proposal[name] for name in ("ruleset", "data")}


def _completed(machine: Machine) -> int:
    """How many beacons both players have revealed for."""
    return min(machine.revealed.values())
