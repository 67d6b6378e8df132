"""Orders files read for a game, and tried on it without sending anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Decision, Order
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import Asked
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.gamefile.steps.orders import check_room
from pbem.games import GAMES
from pbem.late import Late
from pbem.messages import Either, Said, say
from pbem.orders.fields import Names
from pbem.orders.parse import IN_CLEAR, OF_NO_ORDER, OrdersFile, parse, parsed_in_part
from pbem.play.game import Game, no_orders_after_the_end
from pbem.play.now import outlook_of
from pbem.play.owing import what_owes
from pbem.play.prepare import Prepared, first_legal, prepare, span_of_slot
from pbem.play.reports import reported
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from pbem.text.wording import is_line, is_meant
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.gamefile.prospect import Prospect
    from pbem.play import standing as standing_orders
    from pbem.play.said_ahead import sealed_ahead
else:
    standing_orders = Late("pbem.play.standing")
    sealed_ahead = Late("pbem.play.said_ahead").sealed_ahead
"""Only a player who keeps standing orders in a file, or orders behind dice, needs these."""


def parsed(orders: Source, game: Game) -> OrdersFile:
    """An orders file for this game, read as a whole.

    Raises Refused with everything wrong with its form, or with one problem when it names another
    game, another entry than the next, or is written for another game system.
    """
    try:
        file = parse(orders, game.opened.system.verbs, lambda: _a_condition(game),
                     lambda before: _asked_behind(before, game), _names_in(game))  # fmt: skip
    except Refused as refused:
        told = _of_another_game(orders, game) or _with_example(refused.problems, game)
        raise Refused(*told) from None
    problems = (*_meant_for(file, game), *_seals_nothing(file, game))
    if problems:
        raise Refused(*problems)
    return file


def _names_in(game: Game) -> Callable[[type[Order]], Names | None]:
    """The names that an order may use of whoever is asked in a game; nobody knows them where nobody
    is.
    """
    table = game.table
    waits = table.waits() if table is not None else None
    if table is None or not isinstance(waits, Asked) or waits.is_fixed:
        return lambda kind: None
    return lambda kind: table.names_of(waits.by, kind)


def _asked_behind(before: OrdersFile, game: Game) -> Decision | None:
    """The question that is asked behind some orders; None where that depends on dice, or on what is
    wrong with them.
    """
    table = game.table
    waits = table.waits() if table is not None else None
    if table is None or not isinstance(waits, Asked) or table.decision is None or waits.is_fixed:
        return None  # or the programs answer first, and what is asked then is not known here
    if before.orders:
        try:
            table = prepare(before, table, waits.by, blind=True).table
        except Refused:
            return None
    decision = table.decision
    is_theirs = decision is not None and table.player_of(decision.side) == waits.by
    return decision if is_theirs else None


def _with_example(problems: tuple[Problem, ...], game: Game) -> tuple[Problem, ...]:
    """The problems; the first thing that is no order at all has one that would be legal now, unless
    its hint names one already.
    """
    at = next((at for at, each in enumerate(problems) if each.code in NO_ORDERS), None)
    if at is not None and is_meant(problems[at].hint):
        return problems
    example = "" if at is None else _legal_now(game)
    if at is None or not example:
        return problems
    hint = say("{hint}, such as - {order}", hint=problems[at].hint, order=example)
    if is_line(problems[at].hint):
        hint = say("{hint}; legal now is, for example, - {order}", hint=problems[at].hint,
                   order=example)  # fmt: skip
    return (*problems[:at], replace(problems[at], hint=hint), *problems[at + 1 :])


def _legal_now(game: Game) -> str:
    """An order that the player who is asked could give now, in a line; empty without any."""
    table = game.table
    waits = table.waits() if table is not None else None
    if table is None or not isinstance(waits, Asked) or table.decision is None:
        return ""
    names = table.system.names(table.state, table.seats[waits.by], None, answering=True)
    return first_legal(table, names)


NO_ORDERS = frozenset({"no-order", "no-orders", "not-asked"})
"""The codes of what is written in place of an order that can be given, or of the whole file."""


def _meant_for(file: OrdersFile, game: Game) -> tuple[Problem, ...]:
    """Whether the file names another game, by its digits or its words, or another entry."""
    fold, also = game.fold, ""
    if file.game and fold.game and not file.game[:1].isdigit():
        from pbem.gamefile.fingerprint_words import game_words

        also = game_words(fold.game)
    return file.meant_for(fold.fingerprint or "", len(fold.entries), also=also)


def _seals_nothing(file: OrdersFile, game: Game) -> Iterator[Problem]:
    """The problem of a file that says how orders ahead are sent, where the game seals none."""
    if file.ahead and not game.opened.system.policies.slots_ahead:
        told = say("nothing that is ordered ahead is sealed in this game")
        span = file.document.key_span(("ahead",))
        yield Problem("unknown-field", told, span, hint=say("leave the line 'ahead:' out"))


def _of_another_game(orders: Source, game: Game) -> tuple[Problem, ...]:
    """The problem of a file that is for another game, if it is."""
    ours = game.opened.system
    file, problems = parsed_in_part(orders, ours.verbs)
    named = [each for each in _meant_for(file, game) if each.code == "wrong-game"]
    if named:
        return tuple(named)
    strange = [each for each in problems if each.code == "unknown-verb"]
    theirs = []
    for slug in GAMES if strange else ():
        other = opened(slug).system
        if slug != ours.slug:
            _, left = parsed_in_part(orders, other.verbs)
            if not any(each.code in OF_NO_ORDER for each in left):
                theirs.append(other.title)
    if not theirs:
        return ()
    told = say("these orders are for {theirs}, and this is a game of {ours}",
               theirs=Either(tuple(theirs)), ours=ours.title)  # fmt: skip
    return (Problem("wrong-game", told, strange[0].span, hint=say("is this the right file?")),)


def _a_condition(game: Game) -> str:
    """An example of a `when` in this game; empty where orders have none."""
    if game.table is None:
        return ""
    example, position = game.opened.system.waiting.example, game.table.state.position
    return "".join(map(str, reported(example, position, failing=lambda line: ())[:1]))


def kept_standing(game: Game, standing: Source | None) -> OrdersFile | None:
    """The standing orders kept next to a game, if it goes on and they are for it.

    Raises Refused with everything wrong with their form.
    """
    if standing is None or game.fold.phase != "running" or game.fold.is_solo:
        return None
    standing_orders.check_heading(standing)
    file = parse(standing, game.opened.system.verbs, lambda: _a_condition(game),
                 lambda before: _asked_behind(before, game), _names_in(game))  # fmt: skip
    return standing_orders.for_game(file, game)


def judged(
    game: Game, key: KeyPair | None, file: OrdersFile, standing: OrdersFile | None = None
) -> tuple[Prepared, tuple[str, ...] | None]:
    """The orders as tried, and the cards assumed to be in an unknown hand.

    Raises Refused with every problem, each at its place.
    """
    if key is not None and not game.fold.is_solo:
        return prepared_for(game, key, file, standing), None
    return _of_whoever_is_asked(game, file)


def prepared_for(
    game: Game, key: KeyPair, file: OrdersFile, standing: OrdersFile | None = None
) -> Prepared:
    """The orders, tried on the table as it will be when the player has sent what they owe.

    `standing` are standing orders from another file, used where these orders have none.

    Raises FileRefused (E-TURN) for orders that nobody asks for.
    """
    if file.orders:
        no_orders_after_the_end(game)
    ahead = outlook_of(game, key)
    assert isinstance(ahead.in_play, Table)
    player = game.fold.player_of(key.public)
    if file.orders and not ahead.orders_wanted:
        if not any(thing.by == player for thing in game.fold.owed):
            must_be_to_write(game, key)
        raise FileRefused(
            "E-TURN",
            say(
                "orders cannot be given now: {ahead_of_them}",
                ahead_of_them=_ahead_of_them(ahead, game, player),
            ),
            hint=say("send what you owe first: pbem turn, or pbem apply without orders"),
        )
    assert player is not None
    prepared = replace(prepare(file, ahead.in_play, player), draft=ahead.draft)
    machine = ahead.draft.machine if ahead.draft is not None else game.fold.machine
    is_clear = file.ahead == IN_CLEAR or game.fold.is_solo
    if prepared.ahead and not is_clear and ahead.in_play.system.policies.slots_ahead:
        prepared = sealed_ahead(prepared, file, ahead.in_play, player)
    if prepared.policies:
        filled = standing_orders.without_empty(prepared.policies, machine, player)
        prepared = replace(prepared, policies=filled)
    if prepared.stated and not game.fold.is_solo:
        prepared = standing_orders.stated_with(prepared)
    if standing is not None:
        with standing_orders.naming_no_game(standing, game):
            parts = prepare(standing, ahead.in_play, player).policies
        beside = {part["slot"] for part in prepared.policies}
        if prepared.sealed:
            prepared, parts = standing_orders.without_ahead(prepared, parts, ahead.in_play)
        apart = tuple(part for part in parts if part["slot"] not in beside)
        missing = standing_orders.not_in_force(apart, machine, key, player)
        prepared = replace(prepared, policies=(*missing, *prepared.policies))
    if not game.fold.is_solo and (prepared.policies or any(machine.in_force(player))):
        prepared = standing_orders.without_used_up(prepared, machine, key, player)
    if machine.pending.policies and not game.fold.is_solo:
        prepared = standing_orders.shown_in_time(prepared, ahead.in_play, machine, key, player)
    if standing is not None:
        slots = {part["slot"] for part in missing}
        sent = [part for part in prepared.policies
                if part["slot"] in slots and part["doc"] is not None]  # fmt: skip
        notes = standing_orders.sent_from(standing, parts, sent, game)
        prepared = replace(prepared, notes=(*prepared.notes, *notes))
    _check_room(prepared, machine, player, file, standing)
    return prepared


def _check_room(
    prepared: Prepared, machine: Machine, player: str, file: OrdersFile, standing: OrdersFile | None
) -> None:
    """Refuses more standing orders than can be in force, at the first that is too many.

    Raises Refused.
    """
    more: list[tuple[str, bool]] = []
    for part in prepared.policies:
        more.append((part["slot"], part["doc"] is None))
        try:
            check_room(machine, player, more)
        except FileRefused as refused:
            spans = (span_of_slot(each, part["slot"]) for each in (file, standing) if each)
            span = next(filter(None, spans), None)
            raise Refused(*(replace(each, span=span) for each in refused.problems)) from None


def must_be_to_write(game: Game, key: KeyPair) -> None:
    """Raises FileRefused: E-TURN when the other player must write, E-KEY for a stranger's key."""
    fold = game.fold
    if fold.pen is None or fold.pen == fold.player_of(key.public):
        return
    wanted = what_owes(game, fold.pen)
    raise FileRefused(
        "E-TURN",
        say(
            "it is not your turn: {pen} must write ({wanted})",
            pen=game.called(fold.pen),
            wanted=wanted,
        ),
        hint=say("wait for your opponent's file; if you already have it, use that one"),
    )


def _ahead_of_them(ahead: Prospect, game: Game, player: str | None) -> Said:
    """Why a player who writes next is not asked for orders: what they do, and what comes then."""
    if ahead.locked is not None:
        return say("the dice need the other player's value first")
    owed = what_owes(game, player) if player is not None else ""
    if not ahead.owed:
        return say("the game is over")
    if not owed:
        return say("it is {side}'s turn to write", side=game.called(ahead.owed[0].by))
    return say("your next mail only has to {owed}, and then {side} writes", owed=owed,
               side=game.called(ahead.owed[0].by))  # fmt: skip


def _of_whoever_is_asked(game: Game, file: OrdersFile) -> tuple[Prepared, tuple[str, ...] | None]:
    """Without a key: the orders are those of the player asked, with a hand that may be theirs."""
    table = game.table
    waits = table.waits() if table else None
    if table is None or not isinstance(waits, Asked) or game.fold.locked is not None:
        raise FileRefused(
            "E-TURN",
            say("no orders can be given now"),
            hint=say("use --key, so that what you owe is answered first"),
        )
    if game.fold.is_solo or not table.hides_hand(waits.by):
        return prepare(file, table, waits.by), None
    names = table.system.names(table.state, table.seats[waits.by], None, answering=False)
    named = (
        names.find(table.system.words.piece, word)
        for word in _words((*_plain(file), file.standing))
    )
    table, supposed = table.supposing(waits.by, [card for card in named if card is not None])
    return prepare(file, table, waits.by, blind=True), supposed


def _plain(file: OrdersFile) -> tuple[Any, ...]:
    return tuple(order.plain for order in file.orders)


def _words(value: Any) -> Iterator[str]:
    """Every text in what was written, keys apart."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _words(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _words(inner)
