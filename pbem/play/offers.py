"""What players agree on, as they ask for it and as they are told of it: offers, keys, claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamefile import happenings as h
from pbem.gamefile.agreement import completed_since, last_decision, quiet_before
from pbem.gamefile.consent import Offer
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.notes import not_taken
from pbem.gamefile.referee import other
from pbem.gamefile.renewal import lost_words
from pbem.gamefile.rotation import on_word, words_alone
from pbem.play.game import Game, slug_of
from pbem.play.owing import claimed_words, owed_words
from pbem.problems import Problem, Refused
from pbem.text.wording import shown

AGREED = (
    h.OfferMade, h.OfferAnswered, h.OfferLapsed, h.TakenBack, h.Upgraded, h.Adjourned, h.Rotated,
    h.Renewed, h.Cured, h.Concluded,
)  # fmt: skip
SHORT = {
    "draw": "a draw", "takeback": "a take-back", "upgrade": "other rules",
    "adjourn": "to adjourn", "void": "to end the game without a result", "renew": "new secrets",
}  # fmt: skip
TAKE_OR_PLAY_ON = (
    "pbem audit GAME --key KEY takes it and closes the game, pbem apply GAME ORDERS --key KEY "
    "--pass-over plays on"
)
"""What the other player may do about a resignation laid beside the turn."""
BY_RIGHT_OF = {
    "old": "The {of} player signs with a new key from here on.",
    "spare": "The {of} player signs with a new key from here on; their spare key has named it.",
    "opponent": "The {by} player says that the key of the {of} player is lost, and names a new "
    "one. From here on that key rests on the word of the {by} player alone.",
}


# --- what a player offers


COST_OF_NEW_SECRETS = (
    "all that they hide is dealt anew, dice that wait for their value are burnt although they may "
    "know them, and their play up to there is audited only if they still have the old secrets"
)


PRICE_OF_A_NAMED_KEY = (
    "if the old key was not lost after all, your opponent can go back before your entry with it "
    "and write another one; your record refuses that, but you can prove it to nobody, for the new "
    "key rests on your word alone (a spare key, named at the beginning, has no such price)"
)


def name_the_price(game: Game, player: str, *, on_my_word: bool, naming: bool) -> None:
    """Tells, before anything is signed, what it may cost to help who named no spare key.

    `naming`: a key is about to be named; else one was, and new secrets are offered for it.
    Raises Refused unless the player has said that they know.
    """
    if on_my_word or not (naming or on_word(game.fold.machine, other(player)) is not None):
        return
    hint = "if you have heard their voice and will stand for it, say --on-my-word, too"
    raise Refused(Problem("on-word", PRICE_OF_A_NAMED_KEY, hint=hint))


def take_back_of(game: Game, player: str, to: int | None, known_randomness: bool) -> dict[str, Any]:
    """The offer to go back to entry `to`, or to where the player made their last decision.

    Raises FileRefused (E-CONSENT) when there is nothing to go back to, or both know dice since
    and the offer does not say so.
    """
    machine = game.fold.machine
    target = quiet_before(machine, player, game.fold.entries) if to is None else to
    past = [seq for seq in machine.quiet if seq < len(game.fold.entries) - 1]
    where = ", ".join(map(str, past[-5:]))
    if target is None:
        decided = last_decision(player, game.fold.entries)
        what = "you have decided nothing that could be taken back"
        if decided is not None:
            what = f"you decided first in entry {decided}, and the game cannot go back to the "
            what += f"state before it: {why_not_back_to(game, decided - 1)}"
        raise FileRefused(
            "E-CONSENT", what, rule="" if decided is None else "R7",
            hint="--to N names another entry, and the game can go back to the state after one of "
            f"these: {where}" if where else "nothing was decided yet",
        )  # fmt: skip
    if target not in machine.quiet:
        raise FileRefused(
            "E-CONSENT",
            f"the game cannot go back to entry {target}: {why_not_back_to(game, target)}",
            rule="R7",
            hint=f"it can go back to the state after one of these entries: {where}"
            if where else "nothing was decided yet",
        )  # fmt: skip
    if target in machine.quiet and not known_randomness and _dice_fell(game, target):
        fell = (
            f"a beacon was completed since entry {target}: both players know its dice, rolled or "
            "not"
        )
        if game.fold.locked is not None:
            fell = (
                f"beacon {game.fold.locked} is locked, and your opponent will know its dice before "
                "they answer"
            )
        raise FileRefused(
            "E-CONSENT", fell, rule="R7",
            hint="--known-randomness offers to go back all the same; new dice will be rolled",
        )  # fmt: skip
    terms: dict[str, Any] = {"what": "takeback", "to": target}
    return {**terms, "known_randomness": True} if known_randomness else terms


def why_not_back_to(game: Game, target: int) -> str:
    """Why the game cannot go back to the state behind an entry that is not quiet, in words.

    The state is folded once more, so this is for who is refused.
    """
    from pbem.gamefile.fold import replay

    fold = game.fold
    last = len(fold.entries) - 1
    if target > last:
        return f"it is not in the file, which ends with entry {last}"
    then = game.after(replay(fold.entries[: target + 1], game.opening))
    if then.fold.phase == "over":
        return "the game was over then"
    if then.fold.phase != "running":
        return "the game had not begun then"
    first = [thing for thing in then.fold.owed if thing.code not in ("answer", "anchor")]
    if first:
        side = game.side_of(first[0].by).capitalize()
        return f"then the {side} player had still to {owed_words(first[0], then)}"
    return "it was itself taken back"


def _dice_fell(game: Game, target: int) -> bool:
    """Whether a beacon was completed since, or will be before the other player can answer."""
    return game.fold.locked is not None or completed_since(game.fold.machine, target) > 0


def upgrade_of(game: Game) -> dict[str, Any]:
    """The offer to go on with the folder named by `--data`, or else with the data we ship.

    Raises FileRefused (E-CONSENT) when those are the data of the game.
    """
    proposal = game.fold.proposal
    new = game.library.to_begin(slug_of(proposal))
    if (new.ruleset, new.digest) == (proposal["ruleset"], proposal["data"]):
        raise FileRefused(
            "E-CONSENT", f"the game is played by {new.ruleset} with these very data",
            hint="--data DIR names a folder with other data",
        )  # fmt: skip
    old = {name: proposal[name] for name in ("ruleset", "data")}
    return {"what": "upgrade", "old": old, "new": {"ruleset": new.ruleset, "data": new.digest}}


# --- what is told of it


def told(happening: h.Happening, game: Game) -> Iterator[str]:
    """The line of a log."""

    def side(player: str) -> str:
        return game.side_of(player).capitalize()

    if isinstance(happening, h.OfferMade):
        yield f"The {side(happening.by)} player {wanted(happening.what, happening.terms)}."
    elif isinstance(happening, h.OfferAnswered):
        verb = "agrees" if happening.yes else f"declines {SHORT[happening.what]}"
        yield f"The {side(happening.by)} player {verb}."
    elif isinstance(happening, h.OfferLapsed):
        yield f"The offer of the {side(happening.by)} player, {SHORT[happening.what]}, has lapsed."
    elif isinstance(happening, h.TakenBack):
        yield (
            f"The game goes back to where it stood after entry {happening.to}. No beacon is used "
            "again."
        )
        for player in happening.ended:
            yield (
                f"Standing orders of the {side(player)} player that came after it, or were opened "
                "since, are no longer in force."
            )
    elif isinstance(happening, h.Upgraded):
        yield f"From here on the game is judged by {_rules(happening.new)}."
    elif isinstance(happening, h.Adjourned):
        yield f"The game is adjourned{_in_their_words(happening.until)}."
    elif isinstance(happening, h.Rotated):
        sides = {"of": side(happening.of), "by": side(happening.by)}
        yield BY_RIGHT_OF[happening.signed_by].format(**sides)
    elif isinstance(happening, h.Renewed):
        yield f"The {side(happening.by)} player goes on with new secrets, of their present key."
        if happening.burnt is not None:
            yield f"Beacon {happening.burnt} is burnt: it is never known and decides nothing."
    elif isinstance(happening, h.Cured):
        owed = claimed_words(happening.left, game)
        left = f", but for this: {owed}" if happening.left else ""
        yield f"The {side(happening.by)} player has sent what was claimed{left}."
    elif isinstance(happening, h.Concluded):
        yield f"The {side(happening.by)} player closes the game."


def wanted(what: str, terms: Mapping[str, Any]) -> str:
    """What an offer asks for, in words that follow "the ... player"."""
    if what == "takeback":
        known = ", even where both know the dice" if "known_randomness" in terms else ""
        return f"asks to take back all that came after entry {terms['to']}{known}"
    if what == "upgrade":
        return f"asks to go on by {_rules(terms['new'])}, in place of {_rules(terms['old'])}"
    if what == "adjourn":
        return f"asks to adjourn{_in_their_words(terms.get('until', ''))}"
    if what == "renew":
        return f"offers new secrets to the other: {COST_OF_NEW_SECRETS}"
    return f"offers {SHORT[what]}"


def _in_their_words(until: str) -> str:
    """What a player has written of an adjournment, in quotes that it cannot close."""
    marked = until.replace("'", "\u2019")
    return f": '{shown(marked)}'" if until else ""


def _rules(rules: Mapping[str, Any]) -> str:
    return f"{rules['ruleset']} with the data {rules['data'][:16]}"


# --- what a status says of it


def lines(game: Game, player: str | None) -> list[str]:
    """Open offers, a pause, a claim, keys that rest on a word: what is to be known of a game."""
    machine = game.fold.machine
    found = [_open(game, each, player) for each in machine.offers]
    if machine.adjourned is not None:
        found.append(f"adjourned by consent in entry {machine.adjourned}")
    if machine.claim is not None:
        owed = claimed_words(machine.claim["owed"], game, now=True)
        claimant = machine.claim["by"]
        found.append(
            f"on record: the {game.side_of(claimant)} player claims that the "
            f"{game.side_of(other(claimant))} player has still to {owed}; sending it ends the claim"
        )
    return found + resignation_notes(game) + key_notes(game) + secret_notes(game)


def _open(game: Game, offer: Offer, player: str | None) -> str:
    asked = f"open offer (entry {offer.entry}): the {game.side_of(offer.by)} player "
    asked += wanted(offer.what, offer.terms)
    if player == other(offer.by):
        return f"{asked}; answer with: pbem answer GAME yes|no (it lapses with your next entry)"
    return f"{asked}; the {game.side_of(other(offer.by))} player has not answered"


def resignation_notes(game: Game) -> list[str]:
    """What holds as long as nobody has written on a resignation laid beside the turn."""
    player = not_taken(game.fold.machine)
    if player is None:
        return []
    them = game.side_of(other(player))
    return [
        f"the {game.side_of(player)} player has resigned, and it is not yet taken: it counts when "
        f"the {them} player has written on it ({TAKE_OR_PLAY_ON}); until then the "
        f"{game.side_of(player)} player shows nothing"
    ]


def key_notes(game: Game) -> list[str]:
    """Whose key rests on the other player's word alone."""
    return [
        f"from entry {entry} on the key of the {game.side_of(player)} player rests on the word of "
        f"the {game.side_of(other(player))} player alone"
        for player, entry in words_alone(game.fold.machine)
    ]


def secret_notes(game: Game) -> list[str]:
    """Who has gone on with new secrets, and what could not be audited."""
    machine = game.fold.machine
    found = [
        f"from entry {each.entry} on the {game.side_of(each.of)} player plays with new secrets"
        for each in machine.renewals
    ]
    return found + [
        lost_words(each, f"the {game.side_of(each.of)} player") for each in machine.lost
    ]


def plain(game: Game) -> dict[str, Any]:
    """The same for machines."""
    machine = game.fold.machine
    return {
        "offers": [{**each.plain(), "id": each.id} for each in machine.offers],
        "adjourned": machine.adjourned,
        "claim": machine.claim,
        "resigned_not_taken": not_taken(machine),
        "keys_on_word": [
            {"player": player, "entry": entry} for player, entry in words_alone(game.fold.machine)
        ],
        "renewed": [{"player": each.of, "entry": each.entry} for each in machine.renewals],
        "lost": [each.plain() for each in machine.lost],
    }
