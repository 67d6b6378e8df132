"""What players agree on, in the words of requests and reports: offers, keys, claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.gamefile import journal as j
from pbem.gamefile.consent import rules_of
from pbem.gamefile.deputies import present
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.in_play import PLAYERS, other
from pbem.gamefile.kept import Deputy, Offer
from pbem.gamefile.keys import key_fingerprint
from pbem.gamefile.machine import Machine
from pbem.gamefile.negotiation import completed_since, last_decision, quiet_before
from pbem.gamefile.notes import not_taken
from pbem.gamefile.rotation import on_word, seats, words_alone
from pbem.late import Late
from pbem.messages import Either, Message, Said, indented, marked, say, say_many, words
from pbem.play.debts import debts, wiped_out
from pbem.play.game import Game
from pbem.play.owing import TAKE_OR_PLAY_ON, claimed_words, has_claimed, owed_words
from pbem.play.systems import OpenedGame, rules_for, slug_of
from pbem.problems import Problem, Refused
from pbem.text.wording import shown

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.play import both_ways
else:
    both_ways = Late("pbem.play.both_ways")  # few games go on by other rules

SHORT = {
    "draw": marked("a draw"), "takeback": marked("a take-back"), "upgrade": marked("other rules"),
    "adjourn": marked("to adjourn"), "void": marked("to end the game without a result"),
    "renew": marked("new secrets"),
}  # fmt: skip
BY_RIGHT_OF = {
    "old": marked("the {of} player signs with a new key from now on"),
    "spare": marked("the {of} player signs with a new key from now on, named by their spare key"),
    "director": marked(
        "the director has given the seat of the {of} player to somebody else, who signs for it "
        "from now on"
    ),
    "opponent": marked(
        "the {by} player says that the key of the {of} player is lost, and names a new one. From "
        "then on, that key rests on the word of the {by} player alone"
    ),
}


# --- what a player offers


COST_OF_NEW_SECRETS = say(
    "everything they hide is dealt again, dice that wait for their value are void although they "
    "may know them, and their play until then is audited only if they still have the old secrets"
)


PRICE_OF_A_NAMED_KEY = say(
    "if the old key was not lost after all, your opponent can use it to go "
    "back before your entry and write another one; your record refuses that, "
    "but you cannot prove it to anybody, because the new key rests on your "
    "word alone (a spare key, named at the beginning, has no such cost)"
)


def name_the_price(game: Game, player: str, *, on_my_word: bool, naming: bool) -> None:
    """Warns, before anything is signed, what it may cost to help an opponent who named no spare
    key.

    `naming`: a key is about to be named; otherwise one was, and new secrets are offered for it.
    Raises Refused unless the player has said that they know.
    """
    if on_my_word or not (naming or on_word(game.fold.machine, other(player)) is not None):
        return
    hint = say("if you have heard their voice and vouch for it, add --on-my-word")
    raise Refused(Problem("on-word", PRICE_OF_A_NAMED_KEY, hint=hint))


def take_back_of(game: Game, player: str, to: int | None, known_randomness: bool) -> dict[str, Any]:
    """The offer to go back to entry `to`, or to the player's last decision.

    Raises FileRefused (E-CONSENT) when there is nothing to go back to, or when both players have
    seen dice since then and the offer does not say so.
    """
    machine = game.fold.machine
    target = quiet_before(machine, player, game.fold.entries) if to is None else to
    past = [seq for seq in machine.agreements.quiet if seq < len(game.fold.entries) - 1]
    where = ", ".join(map(str, past[-5:]))
    if target is None:
        decided = last_decision(player, game.fold.entries)
        what = say("you have made no decision that could be taken back")
        if decided is not None:
            what = say(
                "your first decision is in entry {decided}, and the game cannot go back to the "
                "state before it: {why}",
                decided=decided, why=why_not_back_to(game, decided - 1),
            )  # fmt: skip
        raise FileRefused(
            "E-CONSENT",
            what,
            rule="" if decided is None else "R7",
            hint=say(
                "--to N names another entry, and the game can go back to the state after "
                "one of these: {where}",
                where=where,
            )
            if where
            else say("nothing has been decided yet"),
        )
    if target not in machine.agreements.quiet:
        raise FileRefused(
            "E-CONSENT",
            say(
                "the game cannot go back to entry {target}: {why}",
                target=target,
                why=why_not_back_to(game, target),
            ),
            rule="R7",
            hint=say("it can go back to the state after one of these entries: {where}", where=where)
            if where
            else say("nothing has been decided yet"),
        )
    if target in machine.agreements.quiet and not known_randomness and _dice_fell(game, target):
        fell = say(
            "dice have fallen since entry {target}: both players know them, even if no roll has "
            "used them yet",
            target=target,
        )
        if game.fold.locked is not None:
            fell = say(
                "dice are about to fall, and your opponent will know them before they answer"
            )
        raise FileRefused(
            "E-CONSENT",
            fell,
            rule="R7",
            hint=_what_remains(game, past),
        )
    terms: dict[str, Any] = {"what": "takeback", "to": target}
    return {**terms, "known_randomness": True} if known_randomness else terms


def _what_remains(game: Game, past: Sequence[int]) -> Said:
    """What can still be offered where dice are known since the entry that was asked for."""
    anyway = say("--known-randomness offers to go back anyway; new dice will be rolled")
    later = [str(seq) for seq in past[-5:] if not _dice_fell(game, seq)]
    if not later:
        return anyway
    return say(
        "{anyway}; --to {later} goes back to a state since which no dice are known",
        anyway=anyway,
        later=Either(tuple(later)),
    )


def why_not_back_to(game: Game, target: int) -> Said:
    """Why the game cannot go back to the state after an entry, in words.

    The state is folded again, so this is only for the text of a refusal.
    """
    fold = game.fold
    last = len(fold.entries) - 1
    if target > last:
        return say("it is not in the file, which ends with entry {last}", last=last)
    then = game.after(replay(fold.entries[: target + 1], game.opening))
    if then.fold.phase == "over":
        return say("the game was over then")
    if then.fold.phase != "running":
        return say("the game had not begun then")
    first = [thing for thing in then.fold.owed if thing.code not in ("answer", "anchor")]
    if first:
        return say(
            "{player} still had to {owed} then",
            player=game.called(first[0].by),
            owed=owed_words(first[0], then),
        )
    return say("it was itself taken back")


def _dice_fell(game: Game, target: int) -> bool:
    """Whether a beacon was completed since then, or will be before the other player can answer."""
    return game.fold.locked is not None or completed_since(game.fold.machine, target) > 0


def upgrade_of(game: Game) -> dict[str, Any]:
    """The offer to continue with the folder of `--data`, or else with the data of this program, and
    with all fixes. It names what changes, which both sign.

    Raises FileRefused: E-CONSENT when the game already uses those data and fixes, E-RULES when the
    position cannot be carried over.
    """
    new = game.library.to_begin(slug_of(game.fold.proposal))
    now = game.opened
    if new.pins == now.pins:
        raise FileRefused(
            "E-CONSENT",
            say("there is nothing to change to: the game already uses these rules and data"),
            hint=say("--data DIR names a folder with other data"),
        )
    terms = {"what": "upgrade", "old": rules_of(game.fold.machine), "new": new.pins}
    if game.table is None:
        return terms
    return {**terms, "changes": both_ways.in_english(both_ways.public_changes(game, new))}


def changes_of(game: Game) -> tuple[Said, ...]:
    """What changes with a yes to the open offer of other rules or data, if there is one.

    This program works it out again. Where the offer says something else, a line says so.
    """
    asked = _upgrade_asked(game)
    if asked is None:
        return ()
    signed = tuple(asked.terms.get("changes", ()))
    try:
        found = both_ways.public_changes(game, _opened_anew(game, asked))
    except FileRefused as refused:
        lines = [say("a yes to that is refused by this pbem: {why}", why=refused.message)]
        if signed:
            lines += [say("the offer says that this changes:"), *map(indented, signed)]
        return tuple(lines)
    lines = [say("with a yes, this changes:"), *map(indented, found)]
    if tuple(both_ways.in_english(found)) != signed:
        lines += [say("the offer itself names something else, which you would sign:")]
        lines += map(indented, signed or (say("nothing"),))
    return tuple(lines)


def own_changes_of(game: Game, key: KeyPair) -> tuple[Said, ...]:
    """What else changes with it, by what only the owner of `key` knows."""
    asked = _upgrade_asked(game)
    if asked is None:
        return ()
    try:
        found = both_ways.own_changes(game, _opened_anew(game, asked), key)
    except FileRefused:
        return ()
    told = say("and this changes, which only you know:")
    return (told, *map(indented, found)) if found else ()


def _upgrade_asked(game: Game) -> Offer | None:
    if game.table is None:
        return None
    offers = game.fold.machine.agreements.offers
    return next((each for each in offers if each.what == "upgrade"), None)


def _opened_anew(game: Game, asked: Offer) -> OpenedGame:
    return rules_for({**game.fold.proposal, **asked.terms["new"]}, game.library)


# --- in a log ---------------------------------------------------------------------------------


def told(item: j.JournalLine, game: Game) -> Iterator[Message]:
    """The notes of a log."""
    side = game.side_told
    match item:
        case j.OfferMade(by=by, what=what, terms=terms):
            yield wanted(what, terms, side(by))
        case j.OfferAnswered(by=by, yes=True):
            yield say("the {side} player agrees", side=side(by))
        case j.OfferAnswered(by=by, what=what):
            yield say("the {side} player declines {what}", side=side(by), what=say(SHORT[what]))
        case j.OfferLapsed(by=by, what=what):
            yield say("the offer of the {side} player, {what}, has lapsed", side=side(by),
                      what=say(SHORT[what]))  # fmt: skip
        case j.TakenBack(to=to, ended=ended):
            yield say("the game goes back to where it was after entry {number}. No beacon is "
                      "used again", number=to)  # fmt: skip
            for player in ended:
                yield say("standing orders of the {side} player that came after it, or were "
                          "opened since, are no longer in force", side=side(player))  # fmt: skip
        case j.Upgraded(new=new):
            yield say("from now on the game is played by {rules}", rules=_rules(new))
        case j.Adjourned(until=""):
            yield say("the game is adjourned")
        case j.Adjourned(until=until):
            yield say("the game is adjourned: {until}", until=_in_their_words(until))
        case j.Rotated(of=of, by=by, signed_by=signed_by, had_deputy=had_deputy):
            yield say(BY_RIGHT_OF[signed_by], of=side(of), by=side(by))
            if had_deputy:
                yield say("with the old key its deputy is withdrawn")
        case j.Renewed(by=by, burnt=burnt):
            yield say("the {side} player continues with new secrets, made from their present key",
                      side=side(by))  # fmt: skip
            if burnt is not None:
                yield say("beacon {number} is void: it stays unknown and decides nothing",
                          number=burnt)  # fmt: skip
        case j.Cured(by=by, left=()):
            yield say("the {side} player has sent what was claimed", side=side(by))
        case j.Cured(by=by, left=left):
            yield say("the {side} player has sent what was claimed, except this: {owed}",
                      side=side(by), owed=claimed_words(left, game))  # fmt: skip
        case j.DeputyNamed(by=by, key=None):
            yield say("the {side} player withdraws their deputy", side=side(by))
        case j.DeputyNamed(by=by, key=key, ends=ends, has_secrets=has_secrets):
            yield say("the {side} player names a deputy who may go on for them, with the key {key}",
                      side=side(by), key=key_fingerprint(key or b""))  # fmt: skip
            if ends:
                yield say("the deputy may also end the game and take it back")
            if not has_secrets:
                yield say("the deputy was not given what the {side} player keeps hidden",
                          side=side(by))  # fmt: skip
        case j.ByDeputy(by=by, key=key):
            yield say("written by the deputy of the {side} player, with the key {key}",
                      side=side(by), key=key_fingerprint(key))  # fmt: skip
        case j.Ruled(by=by, what="extend", days=days):
            yield say("the {side} player brings a ruling of the director, which gives more time: "
                      "{days}", side=side(by),
                      days=say_many("days", "{days} day", "{days} days", days=days))  # fmt: skip
        case j.Ruled(by=by):
            yield say("the {side} player brings a ruling of the director: the result of the game",
                      side=side(by))  # fmt: skip
        case j.Concluded(by=by):
            yield say("the {side} player closes the game", side=side(by))


def wanted(what: str, terms: Mapping[str, Any], side: Said) -> Message:
    """What the player of a side offers or asks for."""
    if what == "takeback" and "known_randomness" in terms:
        return say("the {side} player asks to take back everything after entry {number}, even "
                   "where both know the dice", side=side, number=terms["to"])  # fmt: skip
    if what == "takeback":
        return say("the {side} player asks to take back everything after entry {number}",
                   side=side, number=terms["to"])  # fmt: skip
    if what == "upgrade":
        return say("the {side} player asks to continue with {new} instead of {old}", side=side,
                   new=_rules(terms["new"]), old=_rules(terms["old"]))  # fmt: skip
    if what == "adjourn" and terms.get("until"):
        return say("the {side} player asks to adjourn: {until}", side=side,
                   until=_in_their_words(terms["until"]))  # fmt: skip
    if what == "adjourn":
        return say("the {side} player asks to adjourn", side=side)
    if what == "renew":
        return say("the {side} player offers new secrets to the other: {cost}", side=side,
                   cost=COST_OF_NEW_SECRETS)  # fmt: skip
    return say("the {side} player offers {what}", side=side, what=say(SHORT[what]))


def _in_their_words(until: str) -> str:
    """A player's text about an adjournment, in quotes that it cannot close."""
    said = until.replace("'", "\u2019")
    return f"'{shown(said)}'"


def _rules(rules: Mapping[str, Any]) -> Message:
    fixes = tuple(f"{number}" for number in rules.get("fixes", ()))
    if fixes:
        return say_many("count", "{rules} with the data {digest} and fix {fixes}",
                        "{rules} with the data {digest} and the fixes {fixes}",
                        count=len(fixes), rules=rules["ruleset"], digest=rules["data"][:16],
                        fixes=fixes)  # fmt: skip
    return say("{rules} with the data {digest}", rules=rules["ruleset"],
               digest=rules["data"][:16])  # fmt: skip


# --- what a status says of it


def lines(game: Game, player: str | None) -> list[Said]:
    """Open offers, a pause, a claim, keys confirmed by one player's word alone: notes on a game."""
    machine = game.fold.machine
    found: list[Said] = [_open(game, each, player) for each in machine.agreements.offers]
    for each in machine.agreements.offers:
        if each.what == "renew":
            found += wiped_out(game, other(each.by))
    found += changes_of(game)
    if machine.agreements.adjourned is not None:
        entry = machine.agreements.adjourned
        found.append(say("adjourned by agreement in entry {entry}", entry=entry))
    if machine.agreements.claim is not None:
        is_over = game.fold.phase == "over"
        owed = claimed_words(machine.agreements.claim["owed"], game, now=not is_over)
        claimant = machine.agreements.claim["by"]
        found.append(say(
            "on record: when the game ended, {claimant} had claimed that {other} still had to "
            "{owed}"
            if is_over
            else "on record: {claimant} claims that {other} still has to {owed}; sending it ends "
            "the claim",
            claimant=game.called(claimant), other=game.called(other(claimant)), owed=owed,
        ))  # fmt: skip
    found += [*resignation_notes(game), *key_notes(game), *secret_notes(game)]
    if player is not None and game.fold.phase == "running" and present(machine, player) is not None:
        found.append(
            say("{player} and their deputy may both write: agree on who writes the next entry, for "
                "two different ones are two stories of the game", player=game.called(player))
        )  # fmt: skip
    return found


def _open(game: Game, offer: Offer, player: str | None) -> Message:
    asked = wanted(offer.what, offer.terms, game.side_told(offer.by))
    if player == other(offer.by):
        return say(
            "open offer (entry {entry}): {asked}; answer with: pbem answer GAME yes|no (it lapses "
            "with your next entry)",
            entry=offer.entry, asked=asked,
        )  # fmt: skip
    return say(
        "open offer (entry {entry}): {asked}; {other} has not answered",
        entry=offer.entry, asked=asked, other=game.called(other(offer.by)),
    )  # fmt: skip


def resignation_notes(game: Game) -> list[Message]:
    """Notes on a resignation out of turn, until another entry is written on it."""
    player = not_taken(game.fold.machine)
    if player is None:
        return []
    if has_claimed(game):
        return [
            say(
                "{player} claims the game by the terms for silence: {other} may accept that, or "
                "answer and play on ({how}); until then {player} does not have to show anything",
                player=game.called(player), other=game.called(other(player)), how=TAKE_OR_PLAY_ON,
            )
        ]  # fmt: skip
    return [
        say(
            "{player} has resigned out of turn: the resignation counts when {other} accepts it "
            "({how}); until then {player} does not have to show anything",
            player=game.called(player), other=game.called(other(player)), how=TAKE_OR_PLAY_ON,
        )
    ]  # fmt: skip


def key_notes(game: Game) -> list[Message]:
    """Notes on keys that rest on the other player's word alone, seats that the director gave to
    somebody else, and deputies.
    """
    machine = game.fold.machine
    return [
        *(deputy_note(game, each) for each in deputies_now(machine)),
        *(
            say(
                "from entry {entry} on, somebody whom the director named sits in the place of "
                "{player}",
                entry=entry, player=game.called(player),
            )
            for player, entry in seats(machine)
        ),
        *(
        say(
            "from entry {entry} on, the key of {player} rests on the word of {other} alone",
            entry=entry, player=game.called(player), other=game.called(other(player)),
        )
        for player, entry in words_alone(game.fold.machine)
        ),
    ]  # fmt: skip


def deputies_now(machine: Machine) -> list[Deputy]:
    """The deputies there are."""
    found = [present(machine, player) for player in PLAYERS] if machine.keys.deputies else []
    return [each for each in found if each is not None]


def deputy_note(game: Game, deputy: Deputy) -> Message:
    """Who may go on for a player."""
    return say(
        "{player} has had a deputy since entry {entry}, with the key {key}, who may also end the "
        "game and take it back"
        if deputy.ends
        else "{player} has had a deputy since entry {entry}, with the key {key}",
        player=game.called(deputy.of), entry=deputy.entry,
        key=key_fingerprint(deputy.public or b""),
    )  # fmt: skip


def secret_notes(game: Game) -> list[Said]:
    """Notes on players who went on with new secrets, and on what could not be audited."""
    machine = game.fold.machine
    found = [
        say("from entry {entry} on, {player} plays with new secrets",
            entry=each.entry, player=game.called(each.of))
        for each in machine.keys.renewals
    ]  # fmt: skip
    return [*found, *(each.told(game.called(each.of)) for each in machine.hidden.lost)]


def plain(game: Game) -> dict[str, Any]:
    """The same for machines."""
    machine = game.fold.machine
    return {
        "offers": [_offer_plain(game, each) for each in machine.agreements.offers],
        "adjourned": machine.agreements.adjourned,
        "claim": machine.agreements.claim,
        "resigned_not_taken": not_taken(machine),
        "keys_on_word": [
            {"player": player, "entry": entry} for player, entry in words_alone(game.fold.machine)
        ],
        "deputies": [
            {
                "player": each.of,
                "entry": each.entry,
                "key": key_fingerprint(each.public or b""),
                "ends": each.ends,
                "has_secrets": each.box is not None,
            }
            for each in deputies_now(machine)
        ],
        "seated": [{"player": player, "entry": entry} for player, entry in seats(machine)],
        "renewed": [{"player": each.of, "entry": each.entry} for each in machine.keys.renewals],
        "lost": [each.plain() for each in machine.hidden.lost],
    }


def _offer_plain(game: Game, offer: Offer) -> dict[str, Any]:
    found = {**offer.plain(), "id": offer.id}
    if offer.what == "renew":
        found["lets_out_of"] = [words(each) for each in debts(game, other(offer.by))]
    return found
