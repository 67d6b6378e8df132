"""Agreements of two players during a game: offers, answers, take-backs, a change of the rules.

An offer binds nobody. The other player's answer names the entry of the offer, so that it cannot be
used for another one; an agreement is carried out at once, by a step of its own where the game goes
on. A take-back rewinds the position but never chance: the numbers of beacons, the values that were
shown and everything that was opened stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.journal import OfferLapsed
from pbem.gamefile.kept import Offer, StandingPolicy
from pbem.gamefile.notes import is_answer
from pbem.messages import Said, either, marked, say
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.gamefile.machine import Machine

Step = dict[str, Any]
MAX_TAKE_BACKS = 64  # of one game: each has its verifier fold a part of the file again
NAMES = {
    "draw": marked("a draw"), "takeback": marked("a take-back"),
    "upgrade": marked("a change of the rules"), "adjourn": marked("to adjourn"),
    "void": marked("to end the game without a result"),
    "renew": marked("a renewal of the secrets"),
}  # fmt: skip
CARRIED_OUT = frozenset({"takeback", "upgrade", "renew"})
"""What is agreed by an answer and done by a step of its own, directly after it."""
PINNED = ("ruleset", "data", "fixes")
"""What a proposal says of the rules and data; `fixes` only where there are any."""
DRAWN: Mapping[str, Any] = {"winner": None, "how": marked("draw agreed")}
VOID: Mapping[str, Any] = {"winner": None, "how": "void by consent", "void": True}


def open_offer(machine: Machine, player: str) -> Offer | None:
    """The open offer a player has made."""
    return next((offer for offer in machine.agreements.offers if offer.by == player), None)


def begins_anew(machine: Machine, step: Step) -> bool:
    """Whether a step leads to new secrets: a yes to an open offer of them, or the renewal
    itself.
    """
    if step["do"] == "answer":
        asked = open_offer(machine, other(machine.entry.by))
        return asked is not None and asked.what == "renew" and bool(step["yes"])
    return bool(step["do"] == "renew")


def goes_back(machine: Machine, step: Step) -> bool:
    """Whether a step leads to an earlier state: a yes to an open offer of it, or the take-back
    itself.

    It replaces what its author has fixed and sealed: the question is undone with it.
    """
    if step["do"] == "answer":
        asked = open_offer(machine, other(machine.entry.by))
        named = asked is not None and asked.what == "takeback" and asked.id == step["offer"]
        return bool(named and step["yes"])
    return step["do"] == "takeback" and machine.entry.agreed is not None


def policies_kept(machine: Machine, earlier: Machine) -> tuple[StandingPolicy, ...]:
    """The policies in force after a take-back, which leads from `machine` to `earlier`.

    They are those of the earlier state; later ones are void. A sealed one that has been opened
    since is void too, for the other player has read it, and was spent with its beacon; so is one
    that was replaced since, because the earlier state does not show that.
    """
    there = {each.sent for each in machine.pending.policies}
    return tuple(
        each for each in earlier.pending.policies if each.box is None or each.sent in there
    )


# --- lines drawn around entries


def check_carried_out(machine: Machine, kind: str = "") -> None:
    """Raises FileRefused (E-CONSENT) when something agreed is not carried out by the next step."""
    agreed = machine.entry.agreed
    if agreed is not None and kind != agreed.what:
        raise FileRefused(
            "E-CONSENT",
            say(
                "the answer agrees to {offer}, which the next step must carry out: {what}",
                offer=say(NAMES[agreed.what]),
                what=agreed.what,
            ),
            rule="offers",
        )


def ended(machine: Machine) -> Machine:
    """The machine at the end of the open entry: an offer that it does not answer lapses.

    An adjournment ends with an answer in turn: so days are counted from there (34).
    """
    entry, agreements = machine.entry, machine.agreements
    for each in agreements.offers:
        if each.by != entry.by:
            machine = machine.tell(OfferLapsed, by=each.by, what=each.what)
    left = tuple(each for each in agreements.offers if each.by == entry.by)
    if len(left) < len(agreements.offers):
        machine = machine.put(offers=left)
    if agreements.adjourned not in (None, entry.seq) and is_answer(machine):
        machine = machine.put(adjourned=None)
    return machine


def check_leaves_the_pen(machine: Machine) -> None:
    """T4: an offer made in turn is answered in turn, so its entry must leave the pen to the other
    player.

    Raises FileRefused (E-CONSENT) for an offer in an entry after which its author writes again.
    """
    entry = machine.entry
    if machine.pen != entry.by:
        return
    if any(each.entry == entry.seq for each in machine.agreements.offers):
        raise FileRefused(
            "E-CONSENT",
            say(
                "player {by} must write again after this entry, so nobody could answer its offer",
                by=entry.by,
            ),
            rule="T4",
            hint=ASK_BY_MAIL,
        )


ASK_BY_MAIL = say(
    "an offer must be sent with orders that leave the next move to your "
    "opponent; otherwise ask your opponent by e-mail to make the offer, and "
    "answer it with your next entry"
)
"""What to do where one's own entry cannot hold an offer (T4)."""


def sealed(machine: Machine, name: str) -> Machine:
    """The machine with the id (`name`) of the entry folded last, which is known only now.

    Its offers are answered by that id, and it decides whether the game can be taken back to it.
    """
    seq, agreements = machine.entry.seq, machine.agreements
    owed = {thing.code for thing in machine.owed}
    asks = owed & {"answer", "seal"}
    if asks and owed <= {*asks, "anchor"} and not machine.hidden.chosen:
        machine = machine.put(quiet={**agreements.quiet, seq: completed(machine)})
    if any(each.entry == seq for each in agreements.offers):
        offers = (
            replace(each, id=name) if each.entry == seq else each for each in agreements.offers
        )
        machine = machine.put(offers=tuple(offers))
    return machine


# --- checks


def agreed(machine: Machine, what: str, terms: Mapping[str, Any]) -> Offer:
    """The offer that was just accepted, to be carried out now with these terms.

    Raises FileRefused (E-CONSENT) when nothing was agreed, or something else.
    """
    made = machine.entry.agreed
    if made is None:
        raise FileRefused(
            "E-CONSENT",
            say(
                "{offer} needs an offer from one player and, directly before it, the yes "
                "of the other",
                offer=say(NAMES[what]),
            ),
            rule="offers",
        )
    for name, item in terms.items():
        if made.terms[name] != item:
            raise FileRefused(
                "E-CONSENT",
                say(
                    "{offer} was agreed on with {agreed}, but this one has {other}",
                    offer=say(NAMES[what]),
                    agreed=_worded(name, made.terms[name]),
                    other=_worded(name, item),
                ),
                rule="offers",
            )
    return made


def _worded(name: str, item: Any) -> str:
    if isinstance(item, Mapping):
        fixes = "".join(f" {number}" for number in item.get("fixes", ()))
        return f"{name} {item['ruleset']} {item['data'][:16]}{fixes and ' fixes'}{fixes}"
    return f"{name} {item}"


def not_open(machine: Machine, asked: Offer | None) -> FileRefused:
    """Why an answer answers nothing; `asked` is the open offer of the other player."""
    author = other(machine.entry.by)
    if asked is None:
        message = say(
            "player {author} has no open offer: it was answered, or it has lapsed", author=author
        )
    else:
        message = say(
            "the answer names an offer other than the open one, in entry {entry}", entry=asked.entry
        )
    return FileRefused("E-CONSENT", message, rule="offers")


def check_target(machine: Machine, terms: Mapping[str, Any]) -> None:
    """Checks that the game can go back to the state after entry `to`, and that the offer says
    enough.

    Raises FileRefused (E-CONSENT).
    """
    to = terms["to"]
    for each in machine.keys.renewals:
        if to < each.entry:
            raise FileRefused(
                "E-CONSENT",
                say(
                    "player {of} has had new secrets since entry {entry}, and the game cannot "
                    "go back before that",
                    of=each.of,
                    entry=each.entry,
                ),
                rule="R7",
                hint=_fit(machine),
            )
    then = machine.agreements.quiet.get(to)
    if then is None:
        raise FileRefused(
            "E-CONSENT",
            say(
                "the game cannot go back to entry {to}: after it nothing may be locked, a "
                "player must have a decision, and it must not itself have been taken back",
                to=to,
            ),
            rule="R7",
            hint=_fit(machine),
        )
    burnt = completed(machine) - then
    if burnt and "known_randomness" not in terms:
        told = say("a beacon was completed since entry {to}, so both players know its dice, "
                   "rolled or not", to=to)  # fmt: skip
        if burnt > 1:
            told = say("{beacons} beacons were completed since entry {to}, so both players know "
                       "their dice, rolled or not", beacons=burnt, to=to)  # fmt: skip
        raise FileRefused(
            "E-CONSENT",
            told,
            rule="R7",
            hint=say(
                "a take-back with --known-randomness may go back before them; new dice are rolled"
            ),
        )


def _fit(machine: Machine) -> Said:
    near = [str(seq) for seq in list(machine.agreements.quiet)[-5:]]
    return (
        say("it can go back to {near}", near=either(near))
        if near
        else say("nothing has been decided yet")
    )


def check_present(machine: Machine, rules: Mapping[str, Any]) -> None:
    """Raises FileRefused (E-CONSENT) for rules other than those of the game."""
    if rules != rules_of(machine):
        raise FileRefused(
            "E-CONSENT",
            say(
                "the game is not played by {ruleset} with the data {data}",
                ruleset=rules["ruleset"],
                data=rules["data"][:16],
            ),
            rule="offers",
        )


def rules_of(machine: Machine) -> dict[str, Any]:
    """The rules, the data and the fixes a game is played by now."""
    return {name: machine.terms.proposal[name] for name in PINNED if name in machine.terms.proposal}


def completed(machine: Machine) -> int:
    """How many beacons both players have revealed for."""
    return min(machine.beacons.revealed.values())
