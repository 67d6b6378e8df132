"""The form of the decision a player is about to make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine import kernel
from pbem.engine.model import Decision, Order, Side
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import Asked
from pbem.gamefile.keys import KeyPair
from pbem.late import Late
from pbem.messages import ENGLISH, Language, Said, marked, say
from pbem.orders.spelling import noting, spelt, spelt_decision, unspelt
from pbem.orders.template import Head, form, only_answer
from pbem.orders.written import OPEN
from pbem.play.game import STANDING_FILE, Game, no_orders_after_the_end
from pbem.play.now import now, outlook_of, told_ahead
from pbem.play.reports import reported
from pbem.play.standing import HEADING, last
from pbem.play.table import Table
from pbem.play.titles import title
from pbem.problems import Refused
from pbem.text.source import Source

if TYPE_CHECKING:
    from pbem.engine.advice import ReadyAttack
    from pbem.engine.policies.help import example_of
    from pbem.orders.parse import OrdersFile
    from pbem.play.odds import at_a_glance
else:
    example_of = Late("pbem.engine.policies.help").example_of
    at_a_glance = Late("pbem.play.odds").at_a_glance


def present_form(
    game: Game, key: KeyPair | None, *, beside: Source | None = None, full: bool = False,
    language: Language = ENGLISH,
) -> str:  # fmt: skip
    """The YAML form. With a key, it is for the position after its owner has sent what they owe.

    `full`: with ready attacks, and with the last standing orders of that player, or all words for
    some. If the file `beside` the game has standing orders for it, the form has none.
    """
    table = asked_table(game, key)
    no_orders_after_the_end(game)
    if table is None:
        raise FileRefused("E-TURN", say("no orders can be given now"), hint=_instead(game, key))
    blind = key is None and not game.fold.is_solo
    before = behind_what_is_owed(game, key, table) if key is not None else ""
    has_file = has_standing(game, beside)
    has_last = full and not has_file and key is not None and not game.fold.is_solo
    standing = last(game, key, table, language) if has_last and key else ()
    given, table = _without_a_choice(table) if full else ((), table)
    return _form(game, table, given, blind=blind, before=before, standing=standing, full=full,
                 has_file=has_file, language=language)  # fmt: skip


def asks_nothing(form: str) -> bool:
    """Whether a form leaves nothing to choose: its orders are complete as they are."""
    return not any(OPEN in line.partition("#")[0] for line in form.splitlines())


def _without_a_choice(table: Table) -> tuple[tuple[Order, ...], Table]:
    """The answers that a player must give, and the table at the first question with a choice.

    None for a question that is the last one before dice or another player's answer.
    """
    given: list[Order] = []
    while (only := _only_answer(table)) is not None and (decision := table.decision) is not None:
        after = table.take(only)
        if after.decision is None or after.decision.side != decision.side:
            break
        given.append(only)
        table = after
    return tuple(given), table


def _only_answer(table: Table) -> Order | None:
    if table.decision is None or table.must_show():
        return None
    return only_answer(table.decision, lambda order: not kernel.violations(table.state, order))


def has_standing(game: Game, beside: Source | None) -> bool:
    """Whether a file next to the game has standing orders for it; one with mistakes counts, too."""
    if beside is None:
        return False
    from pbem.play.judged import kept_standing

    try:
        return kept_standing(game, beside) is not None
    except Refused:
        return True


def _instead(game: Game, key: KeyPair | None) -> Said:
    """What the player has to do if no orders are asked for."""
    fold = game.fold
    mine = key is not None and not fold.is_solo and fold.pen == fold.player_of(key.public)
    if fold.phase not in DOES:
        if mine:
            return say("pbem turn GAME, without orders, sends what you owe")
    elif fold.pen and (mine or key is None):
        does = say(DOES[fold.phase])
        if mine:
            return does
        return say("{command} ({player} must do it)", command=does, player=game.called(fold.pen))
    return say("pbem status shows whose turn it is to write")


DOES = {
    "proposed": marked("pbem turn GAME accepts the game"),
    "accepted": marked("pbem turn GAME begins the game"),
}


def form_after(
    game: Game, key: KeyPair | None, file: OrdersFile, *, beside: Source | None = None,
    language: Language = ENGLISH,
) -> str:  # fmt: skip
    """The form of what is asked after the orders of a file, with these above it.

    Raises Refused as a dry run does, and FileRefused (E-TURN) if the same player is asked nothing
    more before a roll or the other player's answer.
    """
    before = asked_table(game, key)
    from pbem.play.dry_run import dry_run

    found = dry_run(game, key, file)
    after = found.prepared.table
    ends = found.prepared.ahead or before is None or after.decision is None
    if ends or after.decision.side != before.decision.side:  # type: ignore[union-attr]
        raise FileRefused(
            "E-TURN",
            say("no more is asked of you after these orders; {stopped}", stopped=found.stopped),
            hint=say("pbem turn or pbem apply sends them"),
        )
    given = tuple(each.meant for each in found.prepared.read)
    return _form(game, after, given, blind=found.supposed is not None, full=True,
                 has_file=has_standing(game, beside), language=language)  # fmt: skip


def asked_table(game: Game, key: KeyPair | None) -> Table | None:
    """The table at the question that the next orders answer; None if none are asked for.

    With a key only a question to its owner counts, after they have done what they owe.
    """
    table = game.table
    if game.fold.phase == "over":
        return None
    if key is not None and not game.fold.is_solo and game.fold.phase == "running":
        ahead = outlook_of(game, key)
        assert isinstance(ahead.in_play, Table)
        table = ahead.in_play if ahead.orders_wanted else None
    if table is None or table.decision is None:
        return None
    waits = table.waits()
    is_fixed = isinstance(waits, Asked) and waits.is_fixed
    # Its player's program answers, where there is one for each.
    return None if is_fixed and not game.fold.is_solo else table


def behind_what_is_owed(game: Game, key: KeyPair | None, table: Table) -> Said:
    """What comes before the question of `table` to the owner of the key, if the file does not ask
    it yet; else empty.
    """
    if game.table is None or table.decision is None or table.state.seq == game.table.state.seq:
        return ""
    return answered_first(game, table) or next(iter(told_ahead(now(game, key))), "")


def answered_first(game: Game, table: Table) -> Said:
    """The question of the file, if sealed standing orders of the player whom `table` asks answer
    it; else empty.
    """
    first = game.table.decision if game.table is not None else None
    halt = game.fold.machine.pending.halt
    if first is None or halt is None or table.decision is None:
        return ""
    if halt.by != table.player_of(table.decision.side):
        return ""
    return say("your standing orders answer first ({prompt})", prompt=first.prompt)


def ways(table: Table, language: Language = ENGLISH) -> list[str]:
    """The orders that are possible now, in lines: the comments of a form."""
    lines = _form_of(table, Head(), language=language).splitlines()
    return [
        line.replace("#", " ", 1)
        for line in lines[lines.index("orders:") + 1 :]
        if line.startswith("  #")
    ]


WITHOUT_A_KEY = marked("without --key your {hand} is not known, so its {pieces} are not shown here")


def _form(
    game: Game, table: Table, given: tuple[Order, ...] = (), *, blind: bool = False,
    before: Said = "", standing: tuple[str, ...] = (), full: bool = False, has_file: bool = False,
    language: Language = ENGLISH,
) -> str:  # fmt: skip
    told: tuple[Said, ...] = (title(game), table.clock.words)
    if before:
        told = (*told, before, say("with these orders, it all goes into one mail"))
    decision = table.decision
    assert decision is not None
    if blind and table.hides_hand(table.player_of(decision.side)):
        words = table.system.words
        told = (*told, say(WITHOUT_A_KEY, hand=say(words.hand), pieces=say(words.pieces)))
    begins = bool(given) or any(option.order.role == "lead" for option in decision.options)
    faults: list[Said] = []
    below: tuple[Said, ...] | None = ()
    if begins:
        below = reported(_below, table, decision.side, has_file, language, failing=faults.append)
    standing = standing if begins else ()
    if standing:  # one heading is enough
        below = tuple(line for line in below or () if line != f"{HEADING}:")
    only = _only_answer(table) if full else None
    ready: Ready | None = ()
    if full and only is None:
        ready = reported(_ready, table, decision, failing=faults.append)
    by_mail = full and begins and not given and not game.fold.is_solo
    advice, closing = table.system.advice, None
    if by_mail:
        closing = reported(advice.closing, table.state, decision, failing=faults.append)
    told = (*told, *faults)
    head = Head(game.fold.fingerprint or "", len(game.fold.entries), told, ready or (), closing,
                standing, below or ())  # fmt: skip
    return _form_of(table, head, given, language, only)


Ready = tuple[tuple[tuple[Order, ...], Said], ...]


def _ready(table: Table, decision: Decision) -> Ready:
    """The attacks that are ready to be ordered, each with its odds."""
    found = table.system.advice.ready(table.state, decision)
    if not found:
        return ()
    names = table.system.names(table.state, decision.side, None, answering=False)
    return tuple(
        (tuple(spelt(order, names) for order in each.orders), _glance(each)) for each in found
    )


def _glance(ready: ReadyAttack) -> Said:
    odds = at_a_glance(ready.chances)
    if not ready.uncounted:
        return odds
    return say("{told}; {more}", told=odds, more=ready.uncounted)


def _below(table: Table, side: Side, has_file: bool, language: Language) -> tuple[Said, ...]:
    """The end of a form, below the orders of a span: how orders can wait, and standing orders.

    Whoever has a file of standing orders knows their words.
    """
    lines = table.system.waiting.example(table.state.position)[1:]
    if has_file:
        return (*lines, "", say("{file} answers for you when the enemy acts", file=STANDING_FILE))
    standing = example_of(table.system.policies, table.state.position, side, language)
    return (*lines, "", *standing) if lines and standing else (*lines, *standing)


def _form_of(
    table: Table, head: Head, given: tuple[Order, ...] = (), language: Language = ENGLISH,
    only: Order | None = None,
) -> str:  # fmt: skip
    decision, state = table.decision, table.state
    assert decision is not None
    names = table.system.names(state, decision.side, None, answering=False)
    letters: dict[str, str] = {}
    return form(
        spelt_decision(decision, names, noting(names, letters)), head,
        given=tuple(spelt(each, names) for each in given),
        only=None if only is None else spelt(only, names),
        legal=lambda order: not kernel.violations(state, unspelt(order, names)), letters=letters,
        language=language,
    )  # fmt: skip
