"""Standing orders kept in a file next to the game, and sealed again whenever needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pbem.engine.policies import HELD
from pbem.gamefile.compose import Wish, binds_the_other
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.kept import StandingPolicy
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.gamefile.secrets import Secrets
from pbem.games import GAMES
from pbem.late import Late
from pbem.messages import ENGLISH, Language, Said, marked, say, words
from pbem.orders.written import block, in_order
from pbem.play import player_view
from pbem.play.game import STANDING_FILE, Game
from pbem.play.player_view import document_of
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.play.titles import title
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from pbem.text.wording import has_meant, quoted
from pbem.text.yamlsource import examine
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.engine.policies import answering, reading, scopes, sealing
    from pbem.engine.policies.help import vocabulary
    from pbem.orders.fields import Names
    from pbem.orders.parse import OrdersFile
    from pbem.play.prepare import Prepared
else:
    vocabulary = Late("pbem.engine.policies.help").vocabulary
    answering = Late("pbem.engine.policies.answering")
    reading = Late("pbem.engine.policies.reading")
    scopes = Late("pbem.engine.policies.scopes")
    sealing = Late("pbem.engine.policies.sealing")


@value
class Beside(Source):
    """The standing orders next to a game; `serves_others` looks whether another game lies there."""

    serves_others: Callable[[], bool]


HEADING = "standing"
Part = Mapping[str, Any]


def check_heading(source: Source) -> None:
    """Raises Refused where the text of the file lacks its one heading, or has parts beside it."""
    document, _ = examine(source)
    top = document.value if document is not None else {}
    if document is None or (isinstance(top, dict) and "orders" in top):
        return  # other words are said of that
    if not isinstance(top, dict) or HEADING not in top:
        where = document.key_span((next(iter(top)),)) if top and isinstance(top, dict) else None
        raise Refused(
            Problem(
                "missing-field",
                say("{name} has no line '{heading}:'", name=STANDING_FILE, heading=HEADING),
                where or source.whole(),
                hint=say(
                    "begin with a line '{heading}:', and indent the parts below it by two spaces",
                    heading=HEADING,
                ),
            )
        )
    from pbem.orders.shape import FIELDS  # status and form read no orders

    beside = [key for key in top if key not in FIELDS]
    if top[HEADING] is None and beside:
        raise Refused(
            *(
                Problem(
                    "unknown-field",
                    say(
                        "{key} is not below the line '{heading}:'", key=quoted(key), heading=HEADING
                    ),
                    document.key_span((key,)),
                    hint=say("indent it by two spaces"),
                )
                for key in beside
            )
        )


def other_game(source: Source, game: Game) -> str:
    """The other game that standing orders name, as it is written there; empty where they count for
    this one, or no game is going on.
    """
    if game.fold.phase != "running" or game.fold.is_solo:
        return ""
    document, _ = examine(source)
    top = document.value if document is not None else None
    named = top.get("game") if isinstance(top, dict) else None
    return named if isinstance(named, str) and _is_other(named, game) else ""


def _is_other(named: str | None, game: Game) -> bool:
    return bool(named) and named != game.fold.fingerprint


def for_game(file: OrdersFile, game: Game) -> OrdersFile | None:
    """The file, if it is for this game. Raises Refused for what is no standing order in it."""
    if _is_other(file.game, game):
        return None
    strange = [key for key in ("orders", "say", "entry", "ahead") if key in file.document.value]
    if strange:
        hint = say("orders for one mail go into a file of their own")
        raise Refused(
            *(
                Problem(
                    "unknown-field",
                    say(
                        "{name} has standing orders only, and no {key}", name=STANDING_FILE, key=key
                    ),
                    file.document.key_span((key,)),
                    hint=hint,
                )
                for key in strange
            )
        )
    return file


def sent_from(
    file: OrdersFile, whole: Sequence[Part], parts: Sequence[Part], game: Game
) -> tuple[Said, ...]:
    """Notes on those parts of the standing orders of a file, of its `whole`, that a mail takes with
    it: which words of the file are sealed, which are said openly, and for which games they count.
    """
    slots = {part["slot"] for part in whole}
    clear = {part["slot"] for part in parts if part.get("clear")}
    sealed = {part["slot"] for part in parts} - clear
    said = [
        say(told, file=STANDING_FILE, parts=", ".join(words))
        for told, sent in ((SEALED_WITH, sealed), (OPENLY_WITH, clear))
        if (words := tuple(_words_for(file.standing or {}, slots, sent)))
    ]
    if file.game or not said:
        return tuple(said)
    return *said, say(
        '{file} names no game, so it counts for every game next to it; the line game: "{game}" '
        "keeps it to this one",
        file=STANDING_FILE, game=game.fold.fingerprint,
    )  # fmt: skip


SEALED_WITH = marked("the standing orders of {file} are sealed with it: {parts}")
OPENLY_WITH = marked("of the standing orders of {file} these are said openly with it: {parts}")


def _words_for(written: Part, slots: Collection[str], sent: Collection[str]) -> Iterator[str]:
    """The words of standing orders, as written, whose policies are in the slots that are `sent`, of
    all their `slots`.
    """
    apart = written.get("slots", {})
    others = [slot for slot in slots if slot not in written and slot not in apart]
    for word in written:
        if word == "slots":
            is_sent = any(slot in sent for slot in apart)
        else:
            is_sent = word in sent if word in slots else any(slot in sent for slot in others)
        if is_sent:
            yield word


@contextmanager
def naming_no_game(file: OrdersFile, game: Game) -> Iterator[None]:
    """Where words of a file that names no game are unknown here, and another game lies next to it,
    it may be for that one: that is said first, before each word is.
    """
    try:
        yield
    except Refused as refused:
        if file.game:
            raise
        if theirs := _words_of_another_system(file, game):
            raise Refused(theirs) from None
        if len(refused.problems) == 1 and has_meant(refused.problems[0].hint):
            raise
        source = file.document.source
        if not (isinstance(source, Beside) and source.serves_others()):
            raise
        told = Problem(
            "other-game",
            say(
                "{file} has no line 'game:', so it was read for this game, {title}, as for every "
                "other next to it",
                file=STANDING_FILE, title=title(game),
            ),
            file.document.key_span((HEADING,)),
            hint=say(
                'if it is meant for another game, say so in it: game: "..." with the twenty digits '
                "that pbem status shows; those of this one are {game}",
                game=game.fold.fingerprint,
            ),
        )  # fmt: skip
        raise Refused(told, *refused.problems) from None


def _words_of_another_system(file: OrdersFile, game: Game) -> Problem | None:
    """The problem of a file whose parts are those of another game system, if they are."""
    ours, written = game.opened.system, file.standing
    known = {*vocabulary(ours.policies)}
    strange = [key for key in written or () if key not in known]
    for slug in GAMES if strange else ():
        theirs = opened(slug).system
        words = {*vocabulary(theirs.policies)}
        if words.issuperset(strange) and len(words.intersection(written or ())) > len(
            known.intersection(written or ())
        ):  # where most words are of this game, the others are mistakes in it
            return Problem(
                "other-game",
                say("{file} was read for this game of {ours}, and its words are those of {theirs}",
                    file=STANDING_FILE, ours=ours.title, theirs=theirs.title),
                file.standing_span((strange[0],), is_key=True),
                hint=say('say in it which game it is for: game: "..." with the twenty digits that '
                         "pbem status shows"),
            )  # fmt: skip
    return None


def not_in_force(
    parts: Sequence[Part], machine: Machine, key: KeyPair, player: str
) -> tuple[Part, ...]:
    """The parts to be sealed: those that no unopened policy of the player already says, and of
    withdrawals those of which a slot has something to withdraw.

    What is sealed already is never said again in clear here: only `shown_in_time` does that, where
    the other player is bound.
    """
    secrets = Secrets.in_game(machine, key, player)
    said = [
        _said(each, document)
        for each in machine.in_force(player)
        if not each.is_unsealed and (document := document_of(secrets, each)) is not None
    ]
    return tuple(part for part in without_empty(parts, machine, player) if _slot(part) not in said)


def without_empty(parts: Sequence[Part], machine: Machine, player: str) -> tuple[Part, ...]:
    """The parts without those withdrawals that have nothing to withdraw in their slots."""
    # Not only of those that may answer the open beacon: what was said since is withdrawn, too.
    latest = {each.slot: each for each in machine.pending.policies if each.by == player}
    filled = {slot for slot, each in latest.items() if not each.withdraws}
    return tuple(part for part in parts if part["doc"] is not None or part["slot"] in filled)


def without_ahead(
    prepared: Prepared, parts: tuple[Part, ...], table: Table
) -> tuple[Prepared, tuple[Part, ...]]:
    """Orders with what is sealed ahead, and a kept file's standing orders without what it says
    ahead: the orders take the place of that, and say so.
    """
    slots = table.system.policies.slots_ahead
    left = tuple(part for part in parts if part["slot"] not in slots)
    gone = [part["slot"] for part in parts if part["slot"] in slots and part["doc"] is not None]
    if not gone:
        return prepared, left
    note = say(
        "of {file} these are left out of this mail, since you order other things ahead: {parts}",
        file=STANDING_FILE, parts=tuple(sorted(gone)),
    )  # fmt: skip
    return replace(prepared, notes=(*prepared.notes, note)), left


def stated_with(prepared: Prepared) -> Prepared:
    """Orders with what is said openly of the standing orders beside them, and a note of it."""
    parts = prepared.stated
    if not parts:
        return prepared
    said = tuple(dict.fromkeys(word for part in parts for word in part["doc"] if word != HELD))
    note = (
        say(
            "said openly with these orders, for what they begin: {parts}; your opponent can read "
            "it",
            parts=said,
        )
        if said
        else say("said openly with these orders: what they begin goes on by default")
    )
    slots = {part["slot"] for part in parts}
    others = (part for part in prepared.policies if part["slot"] not in slots)
    return replace(prepared, policies=(*others, *parts), notes=(*prepared.notes, note))


def without_used_up(prepared: Prepared, machine: Machine, key: KeyPair, player: str) -> Prepared:
    """Orders without those policies that could answer nothing more behind them, each of which would
    be opened for nothing, and a note of it. One that is sealed already is withdrawn.
    """
    table = prepared.table
    policies, position, side = table.system.policies, table.state.position, table.seats[player]
    orders = [each.order for each in prepared.tried if not each.waits and not each.is_passed_over]
    in_force = {
        each.slot for each in machine.in_force(player) if answering.may_end(policies, each.slot)
    }
    given = {part["slot"]: part for part in prepared.policies}
    left_out, withdrawn = list[Said](), list[Said]()
    for part in (*given.values(), *_still_sealed(machine, key, player, in_force - given.keys())):
        slot, over = part["slot"], answering.used_up(policies, position, side, part, orders)
        if not over:
            continue
        (left_out if slot in given else withdrawn).append(over)
        given.pop(slot, None)
        if slot in in_force:
            given[slot] = sealing.withdrawn(slot)
    told = ((NOT_SEALED, left_out), (WITHDRAWN, withdrawn))
    notes = (say(text, parts=tuple(parts)) for text, parts in told if parts)
    return replace(prepared, policies=tuple(given.values()), notes=(*prepared.notes, *notes))


NOT_SEALED = marked("not sealed with these orders, because it is over: {parts}")
WITHDRAWN = marked(
    "what you had sealed for {parts} is withdrawn with these orders: that is over, and it would be "
    "opened for nothing"
)


def shown_in_time(
    prepared: Prepared, table: Table, machine: Machine, key: KeyPair, player: str
) -> Prepared:
    """Orders with those policies in clear that have nothing to hide from now on, sealed ones and
    new ones, and the cards these will show: so no mail is needed only to open them.

    Only where the other player has bound themselves for all of the same slot, and the orders lead
    straight to what they bound.
    """
    policies, position, side = table.system.policies, table.state.position, table.seats[player]
    bound = {each.slot for each in machine.in_force(other(player))
             if scopes.binds(policies, position, each.slot, each.scope, each.until)}  # fmt: skip
    given = {part["slot"]: part for part in prepared.policies}
    opened = list[str]()
    for part in (*_still_sealed(machine, key, player, bound - given.keys()), *given.values()):
        if part["slot"] not in bound or part["doc"] is None:
            continue
        if (now := answering.clear_now(policies, position, side, part)) is not None:
            given[part["slot"]] = now[0]
            opened += now[1]
    shown = replace(prepared, policies=tuple(given.values()))
    draft = prepared.draft
    if shown.policies == prepared.policies or draft is None:
        return prepared
    if not binds_the_other(draft, Wish(shown.orders, shown.policies)):
        return prepared
    if not opened:
        return shown
    cards = draft.secrets.hidden_hand(draft.machine)
    here = {slot: cards[slot] for slot in opened if slot in cards}
    return replace(shown, opened=tuple(here), table=shown.table.learn(here))


def _still_sealed(
    machine: Machine, key: KeyPair, player: str, slots: Collection[str]
) -> Iterator[Part]:
    """The sealed policies of a player in these slots, as their author reads them."""
    mine = [each for each in machine.in_force(player)
            if each.c is not None and not each.is_unsealed and each.slot in slots]  # fmt: skip
    for each in mine:
        document = document_of(Secrets.in_game(machine, key, player), each)
        yield {"slot": each.slot, "scope": each.scope, "until": each.until, "doc": document}


def _said(policy: StandingPolicy, document: Any) -> tuple[Any, ...]:
    return policy.slot, policy.scope, policy.until, document


def _slot(part: Part) -> tuple[Any, ...]:
    return part["slot"], part["scope"], part["until"], part["doc"]


def in_force(game: Game, key: KeyPair, player: str) -> tuple[Part, ...]:
    """The policies of a player that may answer now, as their author reads them; without those
    that cannot be read.
    """
    secrets = Secrets.in_game(game.fold.machine, key, player)
    going = player_view.in_force(game, player)
    return tuple(
        {
            "slot": each.slot,
            "scope": each.scope,
            "until": each.until,
            "doc": document,
            "clear": each.c is None,
        }
        for each in game.fold.machine.in_force(player)
        if each in going and (document := document_of(secrets, each)) is not None
    )


# --- in a form ----------------------------------------------------------------------------------

SEALED_AGAIN = marked(
    "your last standing orders; what is not in a comment is sealed with these orders"
)
ALONE = marked("your last standing orders")
STILL_IN_FORCE = marked("still in force, and sealed")
NO_LONGER = say("cannot be sealed again as it was")


def last(game: Game, key: KeyPair, table: Table, language: Language = ENGLISH) -> tuple[str, ...]:
    """The last standing orders of a player in lines of a form, as the table allows them now.

    Those to be sealed again are written as they are, the others in comments: what is still in
    force, and what is no longer possible, with the reason. Empty without any.
    """
    player = game.fold.player_of(key.public)
    assert player is not None
    try:
        parts = in_force(game, key, player)
    except FileRefused:
        return ()  # they were sealed with another key
    policies, position, side = table.system.policies, table.state.position, table.seats[player]
    again: dict[str, Any] = {}
    kept: dict[str, Any] = {}
    told: list[str] = []
    for part in reversed(parts):
        written, gone = _as_now(table, player, part)
        given = sealing.parts(policies, position, side, written) if written else ()
        if not_in_force(given, game.fold.machine, key, player):
            _join(again, written)
        else:
            _join(kept, written)
        for lost, reason in gone:
            told += [f"# {words(reason, language)}:", *block(printed(table, player, lost))]
    again, kept = (printed(table, player, each) for each in (again, kept))
    still, of_old, alone = (
        f"# {words(say(text), language)}" for text in (STILL_IN_FORCE, SEALED_AGAIN, ALONE)
    )
    if kept:
        told = [f"{still}:", *block(kept), *told]
    if again:
        beside = (line if line.startswith("# ") else f"# {line}" for line in told)
        return (of_old, f"{HEADING}:", *(f"  {line}" for line in block(again)),
                *(f"  {line}" for line in beside))  # fmt: skip
    return (alone, f"# {HEADING}:", *(f"#   {line}" for line in told)) if told else ()


def _join(whole: dict[str, Any], written: Part) -> None:
    """Puts a policy to the others, under one heading for their slots."""
    slots = {**whole.get("slots", {}), **written.get("slots", {})}
    whole |= {**written, **({"slots": slots} if slots else {})}


def _as_now(
    table: Table, player: str, part: Part
) -> tuple[dict[str, Any], list[tuple[dict[str, Any], Said]]]:
    """A policy as its author would write it now, and its parts that are not possible, with the
    reason.
    """
    policies, position = table.system.policies, table.state.position
    side = table.seats[player]
    misfits = sealing.misfits(
        policies, position, side, part["slot"], part["scope"], part["until"], part["doc"]
    )
    if misfits:  # a program with other rules has sealed it
        return {}, [({part["slot"]: part["doc"]}, misfits[0].message)]
    written, gone = dict(sealing.written(policies, position, side, (part,))), []
    while written and (faults := reading.faults(policies, position, side, written)):
        path = tuple(map(str, faults[0].at[: _depth(written, part["slot"])]))
        written, lost = _without(written, path)
        gone.append((lost, faults[0].message))
    if written and not gone:
        again = {each["slot"]: each for each in sealing.parts(policies, position, side, written)}
        if _content(again[part["slot"]]) != _content(part):
            return {}, [(written, NO_LONGER)]
    return written, gone


@value
class _Printed:
    """Finds the printed name of an id."""

    names: Names

    def find(self, kind: str, written: str) -> str:
        return self.names.spelt(kind, written)


def printed(table: Table, player: str, bound: dict[str, Any]) -> dict[str, Any]:
    """Standing orders as players write them: with printed names, and mappings in place of pairs.

    They are unchanged if that would not read back the same; some mappings are sealed as pairs that
    are not bound so.
    """
    if not bound:  # as in most games, which need not load what reads them
        return bound
    policies = table.system.policies
    names = table.system.names(table.state, table.seats[player], None, answering=False)
    plain: dict[str, Any] = _in_mappings(bound)
    spelt = (
        _in_mappings(reading.bound(policies, _Printed(names), plain)) if names.by_name else plain
    )
    tries = (
        each
        for each in (spelt, plain)
        if _in_mappings(reading.bound(policies, names, each)) == plain
    )
    return next(tries, bound)


def in_a_line(table: Table, player: str, document: Mapping[str, Any]) -> str:
    """A sealed document in one line, as its author writes it."""
    said = {word: each for word, each in document.items() if word != HELD}
    return in_order(printed(table, player, said))


def _in_mappings(bound: Any) -> Any:
    """Pairs as they are bound, as mappings again."""
    if isinstance(bound, Mapping):
        return {key: _in_mappings(said) for key, said in bound.items()}
    if not isinstance(bound, list | tuple):
        return bound
    is_pairs = bound and all(
        isinstance(each, list | tuple) and len(each) == 2 and isinstance(each[0], str)
        for each in bound
    )
    said = [_in_mappings(each) for each in bound]
    return dict(said) if is_pairs else said


def _content(part: Part) -> tuple[Any, ...]:
    """What a policy answers, and when, without the places of its author's cards."""
    return part["scope"], {key: said for key, said in part["doc"].items() if key != HELD}


def _depth(written: Part, slot: str) -> int:
    """How deep in standing orders the parts of one policy are."""
    if "slots" in written:
        return 3
    return 2 if isinstance(written.get(slot), Mapping) else 1


def _without(written: Part, path: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is written without the part at a path, and that part alone."""
    key, *rest = path
    left, inside = dict(written), written[key]
    if not rest:
        return left, {key: left.pop(key)}
    inner, lost = _without(inside, rest)
    return {**left, key: inner} if inner else {each: left[each] for each in left if each != key}, {
        key: lost
    }
