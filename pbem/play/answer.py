"""The next entry of a player: what they owe, what they order, and the game with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.codec import to_plain
from pbem.gamefile.compose import OrdersRefused, Wish, compose, settle_solo, solo_keys
from pbem.gamefile.consent import ASK_BY_MAIL, open_offer
from pbem.gamefile.draft import Draft, called
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.format import lines
from pbem.gamefile.in_play import other
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.notes import lies_on_own_note, not_taken
from pbem.gamefile.secrets import not_given
from pbem.messages import Said, marked, say
from pbem.orders.parse import OrdersFile, parsed_in_part
from pbem.play.game import Game, tool
from pbem.play.judged import kept_standing, must_be_to_write, parsed, prepared_for
from pbem.play.now import outlook_of
from pbem.play.order_lines import said
from pbem.play.owing import TAKE_OR_PLAY_ON, has_claimed, owed_words, what_owes
from pbem.play.prepare import SEALED, Prepared, added
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from pbem.value import replace, value

CHOSEN_OR_NO_DICE = ("answer", "reveal", "deck_reply")
"""What a player owes that does not end an offer: a choice, the dice themselves, a proof."""


@value
class AnsweredGame:
    """The game with the new entry, and what its author should know about it."""

    game: Game
    notes: tuple[Said, ...] = ()


def answer(
    game: Game, key: KeyPair | None, orders: Source | None, *, fresh: bytes,
    spare: bytes | None = None, standing: Source | None = None, time: str | None = None,
    accepts_end: bool = False,
) -> AnsweredGame:  # fmt: skip
    """Writes the next entry for the owner of `key` (in a solo game: for whoever is to move).

    `standing` are the standing orders to seal with it, unless they are already in force; `time` is
    the author's remark of when it was written. `accepts_end`: they have said that they accept a
    resignation out of turn, which nothing accepts unasked.

    Raises Refused with every problem of the orders, or FileRefused when nothing can be written now.
    """
    fold = game.fold
    if key is None:
        key = solo_keys(fold)[fold.pen or "A"]
    player = fold.player_of(key.public)
    if not accepts_end:
        _resignation_first(game, player)
    wish, prepared = Wish(), None
    kept = kept_standing(game, standing)
    if orders is None:
        _nothing_but_orders_is_owed(game, key)
        if kept is not None:
            wish, prepared = _wish(game, key, OrdersFile(kept.document), kept)
    else:
        file = parsed(orders, game)
        wish, prepared = _wish(game, key, file, kept)
        if not wish.orders:
            _nothing_but_orders_is_owed(game, key)
    if not (wish.say and not wish.orders and not wish.policies):
        must_be_to_write(game, key)
    not_on_own_note(game, player)
    try:
        composed = compose(
            fold, key, wish, tool=tool(), time=time, fresh=fresh, spare=spare,
            begun=_draft(prepared),
        )  # fmt: skip
    except OrdersRefused as refused:
        raise Refused(*_causes(refused)) from None
    fold = composed.fold
    if fold.is_solo:
        fold = settle_solo(fold, tool=tool())
    notes = _notes(prepared, composed.unused) if prepared else ()
    after = game.after(fold)
    return AnsweredGame(after, (*notes, *_audit_left(after, key)))


def agreed(
    game: Game, key: KeyPair, orders: Source | None, *, offer: Mapping[str, Any] | None = None,
    reply: bool | None = None, resign: bool = False, claim: bool = False, silence: bool = False,
    time: str | None = None,
) -> AnsweredGame:  # fmt: skip
    """The game with an entry that offers, answers an offer, resigns or claims a forfeit; the claim
    by the terms for `silence`, if so.

    The player who must write sends their orders with it, unless it ends the game or goes back in
    it. Raises Refused as `answer` does.
    """
    player = game.fold.player_of(key.public)
    _resignation_first(game, player)
    if resign or claim:
        _in_a_running_game(
            game, say("there is nothing to resign") if resign else say("nothing is claimed")
        )
    if offer is not None:
        has_begun(game, say("nothing can be offered yet"))
    if claim:
        _may_claim(game, player)
    if reply is not None:
        _is_asked(game, player)
    if not silence:
        not_on_own_note(game, player)
    wish, prepared = Wish(), None
    if orders is not None:
        file = parsed(orders, game)
        if reply and file.orders:
            raise FileRefused(
                "E-TURN",
                say("a yes cannot be sent with orders: what was agreed on is carried out first"),
                rule="offers",
                hint=say("send the yes alone, and your orders when it is your turn again"),
            )
        wish, prepared = _wish(game, key, file)
    elif offer is not None or reply is False:
        _goes_with_orders(game, key, is_offer=offer is not None)
    wish = replace(wish, offer=offer, answer=reply, resign=resign, claim_forfeit=claim,
                   silence=silence)  # fmt: skip
    try:
        composed = compose(game.fold, key, wish, tool=tool(), time=time, begun=_draft(prepared))
    except OrdersRefused as refused:
        raise Refused(*_causes(refused)) from None
    notes = _notes(prepared, composed.unused) if prepared else ()
    after = game.after(composed.fold)
    if offer is not None:
        notes = (*notes, *_what_comes_first(after, player))
    if not resign:
        notes = (*notes, *_audit_left(after, key))
    return AnsweredGame(after, notes)


def _what_comes_first(game: Game, player: str | None) -> Iterator[Said]:
    """A note where the other player owes something they do not choose: dice may follow it."""
    owed = next((thing for thing in game.fold.owed if thing.by != player), None)
    if owed is not None and owed.code not in CHOSEN_OR_NO_DICE:
        yield say(
            "{other} must first do this: {owed}; if dice follow it, your offer lapses unanswered, "
            "and you can make it again",
            other=game.called(owed.by), owed=owed_words(owed, game),
        )  # fmt: skip


def _audit_left(game: Game, key: KeyPair) -> Iterator[Said]:
    """A note where the entry that ended the game has no audit, for want of an earlier key."""
    player, machine = game.fold.player_of(key.public), game.fold.machine
    missing = not_given(machine, key, player) if machine.owes_audit(player) else None
    if missing is not None:
        yield say(
            "this mail ends the game, and does not yet show what you kept hidden: until entry "
            "{until} that comes from a key that was not given; in your next mail: pbem audit GAME "
            "--secrets OLD, with that key, or pbem audit GAME --lost, if it is lost for good",
            until=missing.until,
        )


def audited(game: Game, key: KeyPair, *, lost: bool = False) -> AnsweredGame:
    """The finished game with everything its owner kept hidden, and closed if that was all.

    `lost`: earlier secrets whose keys are not given are lost for good. Raises FileRefused: E-TURN
    where there is nothing more to show, E-KEY where an earlier key is missing and not declared
    lost.
    """
    composed = compose(game.fold, key, Wish(close=True, lost=lost), tool=tool())
    return AnsweredGame(game.after(composed.fold))


def _goes_with_orders(game: Game, key: KeyPair, *, is_offer: bool) -> None:
    """Raises FileRefused (E-TURN) where a player who is asked for orders writes something else."""
    fold = game.fold
    if fold.phase != "running" or fold.pen != fold.player_of(key.public):
        return
    if outlook_of(game, key).orders_wanted:
        raise FileRefused(
            "E-TURN",
            say(
                "it is your turn to write, so an offer must be sent with your orders"
                if is_offer
                else "it is your turn to write, so a no must be sent with your orders"
            ),
            rule="the pen",
            hint=say("name the orders file as well; {ask_by_mail}", ask_by_mail=ASK_BY_MAIL)
            if is_offer
            else say("name the orders file as well; orders alone let the offer lapse"),
        )


def _resignation_first(game: Game, player: str) -> None:
    """Raises FileRefused (E-TURN) where the other player's resignation must be taken or passed over
    first.
    """
    if not_taken(game.fold.machine) == other(player):
        raise FileRefused(
            "E-TURN",
            say(
                "{other} claims the game by the terms for silence, and you have not accepted that"
                if has_claimed(game)
                else "{other} has resigned out of turn, and you have not accepted it yet",
                other=game.called(other(player)),
            ),
            rule="T5",
            hint=TAKE_OR_PLAY_ON,
        )


def has_begun(game: Game, nothing: Said) -> None:
    """Raises FileRefused (E-TURN) before the game has begun."""
    if game.fold.phase not in ("running", "over"):
        why = say("the game has not begun")
        raise FileRefused("E-TURN", say("{why}: {nothing}", why=why, nothing=nothing))


def _in_a_running_game(game: Game, nothing: Said) -> None:
    """Raises FileRefused (E-TURN) before the game has begun and when it is over."""
    has_begun(game, nothing)
    if game.fold.phase != "running":
        why = say("the game is over")
        raise FileRefused("E-TURN", say("{why}: {nothing}", why=why, nothing=nothing))


def _may_claim(game: Game, player: str) -> None:
    """Raises FileRefused (E-TURN) where the claimant is the one who must write."""
    if game.fold.pen == player:
        owed = what_owes(game, player)
        raise FileRefused(
            "E-TURN",
            say(
                "only the player who is waiting can claim, and it is your turn to write ({owed})",
                owed=owed,
            ),
            hint=say("send that first; then claim what your opponent owes"),
        )


def not_on_own_note(game: Game, player: str) -> None:
    """Raises FileRefused (E-TURN) where the last entry is the player's own, out of turn."""
    fold = game.fold
    if fold.phase == "running" and not fold.is_solo and lies_on_own_note(fold.machine, player):
        raise FileRefused(
            "E-TURN",
            say(
                "your entry {number} was written out of turn, and your opponent has not "
                "answered it yet",
                number=len(fold.entries) - 1,
            ),
            rule="T3",
            hint=say(
                "nothing else of yours can follow it before your opponent writes: send it, if you "
                "have not, and do this when their answer is there; they may pass that entry over, "
                "and a second one with it"
            ),
        )


def _is_asked(game: Game, player: str) -> None:
    """Raises FileRefused (E-CONSENT) where no offer of the other player is open."""
    machine = game.fold.machine
    if game.fold.phase != "running" or open_offer(machine, other(player)) is not None:
        return
    if open_offer(machine, player) is not None:
        raise FileRefused(
            "E-CONSENT",
            say("the open offer is your own; your opponent must answer it"),
            rule="offers",
        )
    raise FileRefused(
        "E-CONSENT",
        say("{other} has no open offer", other=called(machine, other(player))),
        rule="offers",
        hint=say(
            "pbem status shows an open one; an offer lapses with your next entry, and "
            "before every roll"
        ),
    )


def _nothing_but_orders_is_owed(game: Game, key: KeyPair) -> None:
    """Raises FileRefused (E-TURN) when only orders would help, and none were given."""
    fold = game.fold
    if fold.phase != "running" or fold.owed[0].code != "answer" or game.table is None:
        return
    decision = game.table.decision
    if decision is not None and fold.owed[0].by == fold.player_of(key.public):
        raise FileRefused(
            "E-TURN",
            say("you are asked to {prompt}, but no orders were given", prompt=decision.prompt),
            rule=decision.rule,
            hint=say("'pbem form' writes an orders file to fill in"),
        )


def _causes(refused: OrdersRefused) -> list[Problem]:
    """Every cause of a refusal, with the number of its order."""
    return [
        replace(
            problem,
            message=say("order {index}: {message}", index=index + 1, message=problem.message),
            span=None,
        )
        for index, refusal in refused.refusals
        for problem in refusal.problems
    ]


def sealed_with(
    game: Game, key: KeyPair | None, orders: Source | None, standing: Source | None
) -> Prepared | None:
    """The standing orders that `answer` seals with the mail, and notes that say so.

    Raises Refused where they cannot be sealed.
    """
    kept = kept_standing(game, standing)
    has_own = orders and parsed_in_part(orders, game.opened.system.verbs)[0].standing is not None
    if kept is None or key is None or has_own:
        return None
    return prepared_for(game, key, OrdersFile(kept.document), kept)


def _wish(
    game: Game, key: KeyPair, file: OrdersFile, standing: OrdersFile | None = None
) -> tuple[Wish, Prepared | None]:
    if game.fold.phase in ("proposed", "accepted"):
        if file.orders:
            raise FileRefused(
                "E-TURN",
                say("the game has not begun"),
                hint=say("pbem turn accepts or begins it first"),
            )
        return Wish(say=tuple(lines(file.say)) if file.say else ()), None
    prepared = prepared_for(game, key, file, standing)
    said = tuple(lines(file.say)) if file.say else ()
    # Nobody is there to hide from in a solo game.
    in_clear = game.fold.is_solo
    wish = Wish(prepared.orders, prepared.policies, in_clear=in_clear, say=said)
    return replace(wish, opened=prepared.opened), prepared


def _draft(prepared: Prepared | None) -> Draft | None:
    return prepared.draft if prepared else None


ADDED = marked("{orders} was added where a part of the {span} ends")


def _notes(prepared: Prepared, unused: tuple[int, ...]) -> tuple[Said, ...]:
    """What was added to the orders, what waits after a roll, and what was not sent at all."""
    found = list(prepared.notes)
    if prepared.closed:
        found.append(added(prepared, ADDED))
    for tried in prepared.tried:
        if tried.is_passed_over:
            order = {tried.order.verb: to_plain(tried.order)}
            text = marked("lapsed, because its `when` is not true: {order}")
            found.append(say(text, order=said(prepared.table, order, prepared.side)))
    for index in range(len(prepared.orders) - prepared.ahead, len(prepared.orders)):
        text = marked("kept, and checked when its turn comes: {order}")
        if index in unused:
            text = marked("left out, because nothing in this mail asked for it: {order}")
        found.append(say(text, order=said(prepared.table, prepared.orders[index], prepared.side)))
    for _, each in prepared.sealed:
        found.append(say(SEALED, order=said(prepared.table, each.plain, prepared.side)))
    return tuple(found)
