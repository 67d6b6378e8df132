"""An orders file: read as a whole, and checked as a whole, before any order is resolved."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, get_origin

from pbem.engine.codec import WrittenField, bare, fields_of, is_mapping
from pbem.engine.kernel import not_asked
from pbem.engine.mentions import named_in
from pbem.engine.model import Decision, Option, Order
from pbem.engine.tags import is_tag
from pbem.engine.waiting import WHEN
from pbem.messages import Either, Said, either, marked, say
from pbem.orders.fields import (
    NONE,
    Names,
    bare_field,
    fields_naming,
    for_players,
    may_be_empty,
)
from pbem.orders.shape import (
    CURLY,
    FIELDS,
    NEXT_TO_ORDERS,
    VERSION,
    Shaper,
    alone_of_its_kind,
    given_in,
    inside_of,
    names_one,
    one_for_another,
    usage,
    usage_of,
)
from pbem.orders.written import OPEN, order_line
from pbem.problems import Problem, Refused, Span
from pbem.text.source import Source
from pbem.text.wording import NEAR, did_you_mean, kind_of, quoted, shown
from pbem.text.yamlsource import Document, Mark, Path, examine
from pbem.value import value
from pbem.words import closest, folded

Verbs = Mapping[str, type[Order]]

MOST_ORDERS = 200
LONGEST_SAY = 4096
LONGEST_LINE = 120
"""An order that is shown as an example is no longer."""
MOST_VERBS = 20
"""The most verbs that a hint lists which knows nothing of what is asked."""
OF_NO_ORDER = frozenset({"unknown-verb", "unknown-field", "two-orders"})
"""Codes of the problems of orders that the game does not have."""
ENDINGS = frozenset({"end", "finish", "finished", "stop", "nothing", "pass", "done"})
"""Words that players write to end their orders."""
IN_CLEAR, SEALED = "open", "sealed"
AHEAD = (IN_CLEAR, SEALED)
"""How what is ordered behind dice is sent."""
BESIDE = {
    "resign": "pbem resign", "offer": "pbem offer", "answer": "pbem answer", "claim": "pbem claim",
    "draw": "pbem offer draw", "takeback": "pbem offer takeback", "undo": "pbem offer takeback",
    "accept": "pbem answer", "decline": "pbem answer", "surrender": "pbem resign",
}  # fmt: skip
"""Words that players write among their orders although a command does it. A game may have one of
them as a verb.
"""
BEGIN, BEGIN_NOW, BEGIN_HERE = (
    marked("orders begin with {verbs}"),
    marked("an order can now begin with {verbs}"),
    marked("here an order can begin with {verbs}"),
)
DASHES = "–—−•·*"


@value
class WrittenOrder:
    """One order of a file: of valid shape, with names as the player wrote them.

    `beside` are the fields next to the verb (`losses:` beside `attack:`), not inside it. `bare` is
    the field whose names stand directly behind the verb, without it (`assign: {UNIT: FORMATION}`).
    `blanks` are the paths inside the order to each `...`, a choice not made yet; an order that is
    all open has no verb. `when` is the condition of the order, which is next to the verb too.
    """

    index: int
    verb: str
    kind: type[Order]
    plain: Mapping[str, Any]
    beside: frozenset[str] = frozenset()
    blanks: tuple[Path, ...] = ()
    when: Mapping[str, Any] | None = None
    bare: str = ""

    def path(self, inside: Path = ()) -> Path:
        """The path in the file of a path inside the order."""
        if not self.verb or (inside and inside[0] in self.beside):
            return ("orders", self.index, *inside)
        if self.bare and inside and inside[0] == self.bare:
            return ("orders", self.index, self.verb, *inside[1:])
        return ("orders", self.index, self.verb, *inside)


@value
class OrdersFile:
    """The content of a file, and its places."""

    document: Document
    orders: tuple[WrittenOrder, ...] = ()
    standing: Mapping[str, Any] | None = None
    say: str = ""
    game: str = ""
    entry: int | None = None
    ahead: str = ""
    """How what is ordered behind dice is sent, if the file says so: one of `AHEAD`."""

    def span_of(self, index: int, path: Path = (), *, is_key: bool = False) -> Span:
        """The place of a path inside an order, or of its key, or of the nearest thing around it."""
        order = self.orders[index]
        if not path:
            return self.document.key_span(order.path())
        span = self.document.key_span if is_key else self.document.span
        return span(_as_written(self.document, order.path(path)))

    def when_span(self, index: int, path: Path, *, is_key: bool = False) -> Span:
        """The place of a path inside the condition of an order, or of its key."""
        span = self.document.key_span if is_key else self.document.span
        return span(_as_written(self.document, ("orders", index, WHEN, *path)))

    def standing_span(self, path: Path = (), *, is_key: bool = False) -> Span:
        """The place of a path inside the standing orders, or of its key."""
        span = self.document.key_span if is_key else self.document.span
        return span(_as_written(self.document, ("standing", *path)))

    def problem(self, index: int, violation: Any) -> Problem:
        """The problem for a violation of the rules (an engine Violation), at its place."""
        return Problem(
            "illegal-order",
            violation.message,
            self.span_of(index, violation.at, is_key=violation.is_key),
            violation.rule,
            violation.hint,
        )

    def meant_for(self, game: str, entry: int, *, also: str = "") -> tuple[Problem, ...]:
        """Whether the file names another game or another entry than the one it is used for.

        `also` is another name of the game. How a name is grouped does not matter.
        """
        found = []
        if self.game and _grouped(self.game) not in map(_grouped, (game, also)):
            found.append(
                Problem(
                    "wrong-game",
                    say(
                        "these orders are for game {given}, not {game}",
                        given=quoted(self.game),
                        game=quoted(game),
                    ),
                    self.document.span(("game",)),
                    hint=say("is this the right file?"),
                )
            )
        if self.entry is not None and self.entry != entry:
            found.append(
                Problem(
                    "wrong-entry",
                    say(
                        "these orders are for entry {given}, but {entry} is next",
                        given=self.entry,
                        entry=entry,
                    ),
                    self.document.span(("entry",)),
                    hint=say("check the game with 'pbem status', then change or delete 'entry'"),
                )
            )
        return tuple(found)


def _grouped(game: str) -> str:
    """The name of a game without what only groups it."""
    return "".join(game.split()).casefold()


def _as_written(document: Document, path: Path) -> Path:
    """The path with keys as the file has them: an id `caceres` may be written `Cáceres`."""
    value, found = document.value, []
    for step in path:
        if step == 0 and value is not None and not isinstance(value, list):
            continue  # one thing may be written without the brackets of a list of one
        if isinstance(value, dict) and isinstance(step, str) and step not in value:
            step = next((key for key in value if folded(key) == folded(step)), step)
        inside = isinstance(value, dict) and step in value
        inside = inside or (isinstance(value, list) and isinstance(step, int))
        found.append(step)
        value = value[step] if inside and not _is_past(value, step) else None
    return tuple(found)


def _inside(path: Path, verb: str, beside: frozenset[str], bare: str) -> Path:
    """The path inside an order for a path in the file: the reverse of `WrittenOrder.path`."""
    if path[2] in beside:
        return path[2:]
    return (bare, *path[3:]) if bare else path[3:]


def _stands_bare(kind: type[Order], inside: Any) -> str:
    """The one field of an order, if its names are written without it."""
    known, name = fields_of(kind), bare_field(kind)
    if not name or not inside or not isinstance(inside, dict):
        return ""
    is_misspelt = any(isinstance(said, dict | list) and closest(key, known)
                      for key, said in inside.items())  # fmt: skip
    return "" if name in inside or is_misspelt else name


def _beside(word: str) -> Said:
    return say("that is no order but a command: {command}", command=BESIDE[word])


def _is_past(value: Any, step: str | int) -> bool:
    return isinstance(value, list) and isinstance(step, int) and not 0 <= step < len(value)


AskedBehind = Callable[[OrdersFile], Decision | None]
"""What is asked behind the orders of a file that are read so far; None if unknown."""
NamesFor = Callable[[type[Order]], Names | None]
"""The names that an order of a kind may use now; None if unknown."""


def _unknown(given: object) -> None:
    return None


def parse(
    source: Source,
    verbs: Verbs,
    a_when: Callable[[], str] = str,
    asked: AskedBehind = _unknown,
    names: NamesFor = _unknown,
) -> OrdersFile:
    """The orders file of a text; Refused with everything that is wrong with its form.

    `a_when` is an example of a condition, as a line of YAML; empty where orders have none.
    """
    file, found = parsed_in_part(source, verbs, a_when, asked, names)
    if found and (at := _quoted_from(source)):
        hint = say("delete the '>' and the space after it in each line")
        told = say("every line begins with '>', as in the answer to a mail")
        if at > 1:
            hint = say("delete it and the space after it in each line, and the lines above")
            told = say("the lines begin with '>', as in the answer to a mail")
        raise Refused(Problem("quoted", told, source.span(at, 1, 2), hint=hint))
    if found:
        from pbem.orders.slips import with_what_was_meant

        raise Refused(*with_what_was_meant(found, source, verbs, lambda text: parsed_in_part(
            Source(source.name, text), verbs, a_when, names=names)[1]))  # fmt: skip
    return file


def _quoted_from(source: Source) -> int:
    """The line from which on all begin with the quotation mark of a mail program, with the orders
    among them; 0 if there is none.
    """
    written = [at for at, line in enumerate(source.lines, start=1) if line.strip()]
    plain = [at for at in written if not source.lines[at - 1].startswith(">")]
    last_plain = max(plain, default=0)
    quoted = [at for at in written if at > last_plain]
    has_orders = any(source.lines[at - 1].lstrip("> ").startswith(FIELDS[0]) for at in quoted)
    return quoted[0] if quoted and (has_orders or not plain) else 0


def parsed_in_part(
    source: Source,
    verbs: Verbs,
    a_when: Callable[[], str] = str,
    asked: AskedBehind = _unknown,
    names: NamesFor = _unknown,
) -> tuple[OrdersFile, tuple[Problem, ...]]:
    """The file as far as it can be read, and what is wrong with its form."""
    document, problems = examine(source)
    if document is None:
        return OrdersFile(Document(source, None, Mark(0, 0, 0, 0))), problems
    reader = _OrdersReader(document, verbs, a_when, asked, names)
    file = reader.file()
    found = [*problems, *_without_echoes(problems, reader.shaper.problems)]
    return file, tuple(sorted(found, key=_place))


def _without_echoes(problems: tuple[Problem, ...], found: list[Problem]) -> list[Problem]:
    """Drops problems about missing fields where refused YAML may have held them."""
    if any(problem.code in ("yaml-merge", "yaml-alias", "yaml-key") for problem in problems):
        return [problem for problem in found if problem.code not in ("missing-field", "no-order")]
    return found


def _place(problem: Problem) -> tuple[int, int]:
    return (problem.span.line, problem.span.column) if problem.span else (0, 0)


def _begins_with_a_dash(value: Mapping[str, Any] | str) -> bool:
    """Whether what should be a list has a dash of a word processor where its hyphens should be."""
    return any(key[:1] in DASHES for key in ([value] if isinstance(value, str) else value) if key)


def _values_of(option: Option, name: str) -> Iterator[Any]:
    """The values of a field in the orders that an option offers."""
    if name in option.fields:
        yield from getattr(option.fields[name], "values", ())
    for example in option.examples(tuple) if option.examples is not None else ():
        yield getattr(example.order, name)
        yield from example.others.get(name, ())


def _filled(verb: str, field: WrittenField, values: list[str]) -> str:
    """An order with names in one field of it, a list of them or a single one; else empty."""
    text = shown(", ".join(values), 60)
    if any(map(is_mapping, inside_of(bare(field.hint)))):
        return ""
    is_word = len(values) == 1 and values[0] in field.words
    if get_origin(bare(field.hint)) is tuple and not is_word:
        return f"{verb}: {{{field.name}: [{text}]}}"
    return f"{verb}: {{{field.name}: {text}}}" if len(values) == 1 else ""


class _OrdersReader:
    """Reads a document once, collecting orders and problems."""

    def __init__(
        self, document: Document, verbs: Verbs, a_when: Callable[[], str], asked: AskedBehind,
        names: NamesFor,
    ) -> None:  # fmt: skip
        self.document = document
        self.verbs = verbs
        self.a_when = a_when
        self._asked = asked
        self.names = names
        self.before: list[WrittenOrder] = []
        """The orders that have been read, without those of a wrong form."""
        self.shaper = Shaper(document.span, document.key_span)
        self.refuse = self.shaper.refuse

    def file(self) -> OrdersFile:
        top = self.document.value
        if not isinstance(top, dict):
            self.refuse_top(top)
            return OrdersFile(self.document)
        if not self.is_known(top.get("version", VERSION)):
            return OrdersFile(self.document)
        for key in top:
            if key not in FIELDS:
                self.refuse_field(key)
        if not any(key in top for key in FIELDS[:3]) and not self.shaper.problems:
            self.refuse(
                "missing-field",
                say("the file has no orders"),
                self.document.span(),
                say("begin with a line 'orders:', and the orders below it, each after '- '"),
            )
        return OrdersFile(
            self.document,
            self.orders(top.get("orders")),
            self.standing(top.get("standing")),
            self.say(top.get("say")),
            self.game(top.get("game")),
            self.entry(top.get("entry")),
            self.ahead(top.get("ahead")),
        )

    def is_known(self, version: Any) -> bool:
        """Whether the file is of our version: in another one its words may mean something else."""
        if type(version) is int and version == VERSION:
            return True
        is_newer = type(version) is int and version > VERSION
        self.refuse(
            "version",
            say("the file is of version {version}, and this pbem reads version {ours}",
                version=version, ours=VERSION)
            if is_newer
            else say("version must be {ours}, not {version}", ours=VERSION,
                     version=version if type(version) is int else kind_of(version)),
            self.document.span(("version",)),
            say("a newer pbem can read it") if is_newer else say("you can leave this line out"),
        )  # fmt: skip
        return False

    def refuse_top(self, top: Any) -> None:
        if top is None:
            self.refuse(
                "empty-file",
                say("the file is empty"),
                self.document.source.whole(),
                say("'pbem form' writes one to fill in"),
            )
        elif isinstance(top, list):
            self.refuse(
                "wrong-type",
                say("the file begins with a list"),
                self.document.span(),
                say("begin with a line 'orders:', and the list below it"),
            )
        else:
            self.refuse(
                "no-orders",
                say("the file contains only {top}", top=kind_of(top)),
                self.document.span(),
                say("begin with a line 'orders:', and the orders below it, each after '- '"),
            )

    def refuse_field(self, key: str) -> None:
        hint = did_you_mean(key, FIELDS)
        if key in self.verbs:
            hint = say("orders go below 'orders:', each after a dash: - {key}: ...", key=key)
        elif key.lstrip("- ") in self.verbs:
            hint = say(
                "orders go below 'orders:', each after a dash: - {key}: ...", key=key.lstrip("- ")
            )
        elif key.lstrip(DASHES + " ") != key:
            hint = say("write a list with '- ', a plain hyphen and a space")
        elif key[0] in CURLY:
            hint = say("curly quotes do not work here; use none at all")
        self.refuse(
            "unknown-field",
            say("the file has no field {key}", key=quoted(key)),
            self.document.key_span((key,)),
            hint,
        )

    # ------------------------------------------------------------ the fields next to the orders

    def standing(self, value: Any) -> Mapping[str, Any] | None:
        if value is None or isinstance(value, dict):
            return value
        self.refuse(
            "wrong-type",
            say(
                "standing must be written as fields with answers, not as {value}",
                value=kind_of(value),
            ),
            self.document.span(("standing",)),
            say("write slots: {standing: none} below it to take them back")
            if value == NONE
            else say("write 'losses: [...]' and so on below it"),
        )
        return None

    def say(self, value: Any) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            self.refuse(
                "wrong-type",
                say("say must be a text, not {value}", value=kind_of(value)),
                self.document.span(("say",)),
                say("put it into quotes"),
            )
            return ""
        if len(value.encode("utf-8", "replace")) > LONGEST_SAY:
            self.refuse(
                "too-long",
                say("say is longer than {longest_say} bytes", longest_say=LONGEST_SAY),
                self.document.span(("say",)),
                say("write the rest in the e-mail itself"),
            )
        return value

    def game(self, value: Any) -> str:
        if value is None:
            return ""
        if isinstance(value, str) or type(value) is int:
            return str(value)
        self.refuse(
            "wrong-type",
            say("game must be the id of a game, not {value}", value=kind_of(value)),
            self.document.span(("game",)),
        )
        return ""

    def entry(self, value: Any) -> int | None:
        if value is None or type(value) is int:
            return value
        self.refuse(
            "wrong-type",
            say("entry must be a whole number, not {value}", value=kind_of(value)),
            self.document.span(("entry",)),
            say("you can leave this line out"),
        )
        return None

    def ahead(self, value: Any) -> str:
        if value is None or value in AHEAD:
            return value or ""
        self.refuse(
            "wrong-type",
            say("ahead must be {words}, not {value}", words=either(AHEAD), value=kind_of(value)),
            self.document.span(("ahead",)),
            say("you can leave this line out"),
        )
        return ""

    # ------------------------------------------------------------ orders

    def orders(self, value: Any) -> tuple[WrittenOrder, ...]:
        if value is None:
            return ()
        if not isinstance(value, list):
            self.refuse_no_list(value)
            return ()
        if len(value) > MOST_ORDERS:
            message = say(
                "one file takes at most {most_orders} orders, not {number}",
                most_orders=MOST_ORDERS,
                number=len(value),
            )
            self.refuse(
                "too-long",
                message,
                self.document.span(("orders", MOST_ORDERS)),
                say("is this the right file?"),
            )
        for index, item in enumerate(value[:MOST_ORDERS]):
            if (order := self.order(index, item)) is not None:
                self.before.append(order)
        return tuple(self.before)

    def asked(self) -> Decision | None:
        """What is asked behind the orders that have been read, if that is known."""
        if self.shaper.problems:
            return None
        return self._asked(OrdersFile(self.document, tuple(self.before)))

    def offered(self) -> Sequence[Option]:
        """What can be ordered behind the orders that have been read, if that is known."""
        decision = self.asked()
        return decision.options if decision is not None else ()

    def offered_verbs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(option.order.verb for option in self.offered()))

    def refuse_no_list(self, value: Any) -> None:
        hint = say("begin each order with '- '")
        told = say("orders must be a list, not {value}", value=kind_of(value))
        if isinstance(value, dict | str) and _begins_with_a_dash(value):
            told = say("this dash is not the '-' that begins an entry")
            hint = say("write a list with '- ', a plain hyphen and a space")
        self.refuse(
            "wrong-type",
            told,
            self.document.span(("orders",)),
            hint,
        )

    def order(self, index: int, item: Any) -> WrittenOrder | None:
        path: Path = ("orders", index)
        if item == OPEN:
            return WrittenOrder(index, "", Order, {}, blanks=((),))
        if isinstance(item, str) and item in self.verbs:
            item = {item: None}
        if not isinstance(item, dict):
            self.refuse_item(item, path)
            return None
        before = len(self.shaper.problems)
        when = self.when(item, path)
        is_kept = WHEN in item
        item = {key: each for key, each in item.items() if key != WHEN}
        verb = self.verb(item, path)
        if verb is None:
            return None
        order = self.order_of(index, verb, item, when)
        if order is None and not is_kept:
            self.refuse_out_of_turn(verb, path, before)
        return order

    def refuse_out_of_turn(self, verb: str, path: Path, before: int) -> None:
        """That such an order is not asked for now, in place of all that is wrong with its form; of
        the problems those from the number `before` on are of this order.
        """
        found = self.shaper.problems[before:]
        del self.shaper.problems[before:]
        decision = self.asked()
        # It may be asked for where a part of the round ends that need not go on.
        may_come = bool(decision and decision.optional and for_players(self.verbs[verb]))
        if decision is None or may_come or any(
            option.order.verb == verb for option in decision.options
        ):  # fmt: skip
            self.shaper.problems += found
            return
        told = not_asked(verb, decision)
        span = self.document.key_span((*path, verb))
        self.shaper.problems.append(Problem("not-asked", told.message, span, told.rule, told.hint))

    def order_of(
        self, index: int, verb: str, item: dict[str, Any], when: Mapping[str, Any] | None
    ) -> WrittenOrder | None:
        """The order of a verb; None after what is wrong with its form was noted."""
        path: Path = ("orders", index)
        kind = self.verbs[verb]
        if item[verb] == OPEN and len(item) == 1:
            return WrittenOrder(index, verb, kind, {}, blanks=((),), when=when)
        written, beside = self.written_fields(verb, item, path)
        if written is None:
            return None
        if self.lacks_its_field(kind, verb, written, path):
            return None
        before, opened = len(self.shaper.problems), len(self.shaper.blanks)
        having = cache(lambda: self.having(written))  # once, however many fields are unknown
        plain = self.shaper.fields(kind, verb, written, having)
        values = {key: value for key, (value, _) in written.items()}
        given = [*given_in(kind, values), *one_for_another(kind, values).values()]
        self.shaper.missing(
            kind, verb, given, self.document.key_span((*path, verb)), usage(kind, verb)
        )
        if len(self.shaper.problems) > before or self.says_nothing(kind, verb, item, path):
            return None
        left = dict.fromkeys(self.shaper.blanks[opened:])
        bare = _stands_bare(kind, item[verb])
        inside = tuple(_inside(at, verb, beside, bare) for at in left)
        return WrittenOrder(index, verb, kind, plain, beside, inside, when, bare)

    def says_nothing(
        self, kind: type[Order], verb: str, item: Mapping[str, Any], path: Path
    ) -> bool:
        """Whether only the verb is there, or only names of fields, although the order could be
        `none`: half typed, perhaps.

        What is signed cannot be taken back, so `none` is a word that has to be written.
        """
        inside = item[verb] if isinstance(item[verb], dict) else {verb: item[verb]}
        said = [*inside.values(), *(each for key, each in item.items() if key != verb)]
        if not said or any(each is not None for each in said) or not may_be_empty(kind):
            return False
        self.refuse(
            "missing-field",
            say("{verb} does not say what", verb=verb),
            self.document.key_span((*path, verb)),
            say("write {order}, or {none} if that is what you mean",
                order=usage(kind, verb), none=f"{verb}: {NONE}"),
        )  # fmt: skip
        return True

    def having(self, written: Collection[str]) -> list[str]:
        """The verbs whose orders have all these fields, where two of them at least are written."""
        return [verb for verb, kind in self.verbs.items()
                if len(written) > 1 and set(written) <= set(fields_of(kind))]  # fmt: skip

    def lacks_its_field(
        self, kind: type[Order], verb: str, written: Mapping[str, Any], path: Path
    ) -> bool:
        """Whether names are where their field should be: told once, and not for each of them."""
        known = fields_of(kind)
        needed = [name for name, field in known.items() if field.is_needed]
        is_bare = len(written) > 1 and not any(closest(key, known) for key in written)
        if not is_bare or len(needed) != 1:
            return False
        if not is_mapping(known[needed[0]].hint):
            return False
        self.refuse(
            "missing-field",
            say(
                "{verb} needs the field {field} around these names",
                verb=verb,
                field=quoted(needed[0]),
            ),
            self.document.key_span((*path, verb)),
            say("write {order}", order=f"{verb}: {{{needed[0]}: {{...}}}}"),
        )
        return True

    def when(self, item: Mapping[str, Any], path: Path) -> Mapping[str, Any] | None:
        """The condition of an order, if it has one."""
        when = item.get(WHEN)
        if WHEN in item and not isinstance(when, dict):
            example = self.a_when()
            self.refuse(
                "wrong-type",
                say("when must be written {...: ...}, not as {when}", when=kind_of(when)),
                self.document.span((*path, WHEN)),
                say("write for example when: {example}", example=example)
                if example
                else say("leave it out"),
            )
            return None
        return when

    def refuse_item(self, item: Any, path: Path) -> None:
        if isinstance(item, str) and item in BESIDE:
            told = say("no order is named {key}", key=quoted(item))
            self.refuse("no-verb", told, self.document.span(path), _beside(item))
            return
        hint = say("write '- verb: {field: value, ...}'")
        if isinstance(item, str) and item:
            word = item.replace(":", " ").split()[0] if item.strip(": ") else item
            if end := self.end_meant(item):
                hint = say(NEAR, near=end)
            elif word in self.verbs:
                hint = say("write {order}", order=usage(self.verbs[word], word))
                if item.startswith(f"{word}:"):
                    hint = say("a ':' needs a space after it; {hint}", hint=hint)
            else:
                near = closest(word, self.verbs)
                hint = (
                    say("did you mean {near}? {hint}", near=Either(tuple(near)), hint=hint)
                    if near
                    else hint
                )
        told = say("an order cannot be {item}", item=kind_of(item))
        if isinstance(item, str) and item.isidentifier():
            told = say("no order is named {key}", key=quoted(item))
        self.refuse("no-order", told, self.document.span(path), hint)

    def verb(self, item: Mapping[str, Any], path: Path) -> str | None:
        """The key that is the verb: the one whose order can have all the others as its fields.

        Where a key is no field of any verb, it is the one that can have the other verbs as its
        fields; otherwise the first key, where it can have one of them.
        """
        found = [key for key in item if key in self.verbs]
        if found and self.is_misspelt(next(iter(item)), item):
            self.refuse_verb(item, path)
            return None
        for others in (item, found):
            fitting = [
                key
                for key in found
                if all(other == key or other in fields_of(self.verbs[key]) for other in others)
            ]
            if len(fitting) == 1:
                return fitting[0]
        first = next(iter(item), "")
        if first in found and any(other in fields_of(self.verbs[first]) for other in found):
            return first
        if found:
            span = self.document.key_span((*path, found[1]))
            self.refuse(
                "two-orders",
                say("{found} are in one order", found=tuple(found)),
                span,
                say("begin each order with '- '"),
            )
        else:
            self.refuse_verb(item, path)
        return None

    def is_misspelt(self, first: str, item: Mapping[str, Any]) -> bool:
        """Whether the first key is close to a verb of which all the others are fields, or to none
        and has fields as one has.
        """
        if first in self.verbs:
            return False
        near = closest(first, self.verbs) or (self.verbs if isinstance(item[first], dict) else ())
        others = {key for key in item if key != first}
        return any(others <= {*fields_of(self.verbs[verb])} for verb in near)

    def with_such_fields(self, first: str, item: Mapping[str, Any]) -> list[str]:
        """The verbs that have all the fields that are written as if the first key were one; those
        of which none is missing, if there are any.
        """
        inside = item[first] if isinstance(item[first], dict) else {}
        written = {*inside, *(key for key in item if key != first)}
        having = [verb for verb, kind in self.verbs.items()
                  if inside and written <= {*fields_of(kind)}]  # fmt: skip
        whole = [verb for verb in having if written >= {
            name for name, field in fields_of(self.verbs[verb]).items()
            if field.is_needed
        }]  # fmt: skip
        return whole or having

    def end_meant(self, word: str) -> str:
        """The one verb that ends, where the word is no verb but means the same; otherwise empty.

        Where no verb ends, it is the one that does nothing.
        """
        ends = [verb for verb, kind in self.verbs.items() if kind.ends]
        ends = ends or [verb for verb in self.verbs if verb in ENDINGS]
        return ends[0] if word in ENDINGS - set(self.verbs) and len(ends) == 1 else ""

    def refuse_verb(self, item: Mapping[str, Any], path: Path) -> None:
        if not item:
            self.refuse(
                "no-order",
                say("there is no order here"),
                self.document.span(path),
                say(
                    "write '- ' and an order, such as {verb}; a 'when' goes below it",
                    verb=(*self.offered_verbs(), *sorted(self.verbs))[0],
                ),
            )
            return
        key = next(iter(item))
        hint = did_you_mean(key, self.verbs)
        called = [verb for verb, kind in self.verbs.items() if key in kind.also]
        if called:
            hint = say(NEAR, near=Either(tuple(called)))
        elif not closest(key, self.verbs) and len(meant := self.with_such_fields(key, item)) == 1:
            hint = say(NEAR, near=meant[0])
        if end := self.end_meant(key):
            hint = say(NEAR, near=end)
        if key[0] in CURLY:
            hint = say("curly quotes do not work here; use none at all")
        elif key in BESIDE:
            hint = _beside(key)
        elif key in FIELDS:
            hint = say(NEXT_TO_ORDERS, key=key)
        elif not hint:
            hint = self.beginnings()
            if fields := [verb for verb, kind in self.verbs.items() if key in for_players(kind)]:
                hint = say("it is a field of {verbs}; {hint}", verbs=Either(tuple(fields)),
                           hint=hint)  # fmt: skip
        self.refuse(
            "no-verb" if key in BESIDE and not item[key] else "unknown-verb",
            say("no order is named {key}", key=quoted(key)),
            self.document.key_span((*path, key)),
            hint,
        )

    def beginnings(self) -> Said:
        """With which verbs an order can begin; none of them where there are too many."""
        if now := self.offered_verbs():
            return say(BEGIN_HERE if self.before else BEGIN_NOW, verbs=Either(now))
        if len(self.verbs) > MOST_VERBS:
            return say("'pbem form' lists the possible orders")
        return say(BEGIN, verbs=Either(tuple(sorted(self.verbs))))

    def written_fields(
        self, verb: str, item: Mapping[str, Any], path: Path
    ) -> tuple[dict[str, tuple[Any, Path]] | None, frozenset[str]]:
        """The fields inside the verb and next to it, each with its path in the file."""
        inside = item[verb]
        if inside == NONE and may_be_empty(self.verbs[verb]):
            inside = None
        if inside is not None and not isinstance(inside, dict):
            kind = self.verbs[verb]
            if (
                isinstance(inside, list)
                and inside
                and all(isinstance(each, dict) for each in inside)
            ):
                self.refuse(
                    "wrong-type",
                    say("{verb} is one order, not a list of them", verb=verb),
                    self.document.span((*path, verb)),
                    say("write each as - {order}", order=usage(kind, verb)),
                )
                return None, frozenset()
            is_no = inside in (False, "no") and may_be_empty(kind)
            meant = (
                say("{verb}: {none}", verb=verb, none=NONE)
                if is_no
                else self.example(kind, verb, inside)
            )
            self.refuse(
                "wrong-type",
                say(
                    "{verb} takes {fields}, not {value}",
                    verb=verb,
                    fields=usage(kind) or say("nothing"),
                    value=kind_of(inside),
                ),
                self.document.span((*path, verb)),
                say("write {meant}", meant=meant),
            )
            return None, frozenset()
        written = {key: (value, (*path, verb, key)) for key, value in (inside or {}).items()}
        if bare := _stands_bare(self.verbs[verb], inside):
            written = {bare: (inside, (*path, verb))}
        beside = [key for key in item if key != verb]
        if beside and item[verb] == NONE:
            self.refuse(
                "doubled-field",
                say("{verb} is none, and {key} says more beside it", verb=verb,
                    key=quoted(beside[0])),
                self.document.key_span((*path, beside[0])),
                say("leave one of the two out"),
            )  # fmt: skip
            return None, frozenset()
        for key in beside:
            if key in written:
                self.refuse(
                    "doubled-field",
                    say("{key} is both inside {verb} and next to it", key=quoted(key), verb=verb),
                    self.document.key_span((*path, key)),
                    say("delete one of the two"),
                )
            written[key] = (item[key], (*path, key))
        return written, frozenset(beside)

    def field_offering(self, kind: type[Order], value: Any) -> str:
        """The one of several fields that can now have this name; empty without any."""
        known = for_players(kind)
        if len(known) < 2 or not isinstance(value, str):
            return ""
        options = [option for option in self.offered() if option.order is kind]
        fitting = [
            name for name, field in known.items()
            if any(value in _values_of(option, field.name) for option in options)
        ]  # fmt: skip
        return fitting[0] if len(fitting) == 1 else ""

    def line_offered(self, kind: type[Order]) -> str:
        """The first order of a kind that names something and can be given now, in one short line;
        empty without any.
        """
        for option in (each for each in self.offered() if each.order is kind and each.examples):
            for example in option.examples(tuple) if option.examples else ():
                named = [each.name for each in named_in(example.order)]
                line = order_line(example.order)
                if named and not any(map(is_tag, named)) and len(line) <= LONGEST_LINE:
                    return line
        return ""

    def example_by_names(self, kind: type[Order], verb: str, value: Any) -> Said | None:
        """The order with names where they can stand; without them where they are no such names.
        None where that is not known, or where they may be something else than names.
        """
        known, names = for_players(kind), self.names(kind)
        values = value if isinstance(value, list) else [value]
        is_named = all(each.kinds[1] or each.words for each in known.values())
        needed = [name for name, field in known.items() if field.is_needed]
        are_texts = all(isinstance(each, str) for each in values) and values
        if names is None or not are_texts or len(needed) > 1 or not is_named:
            return None
        if NONE in values:
            return None
        if any(" " in each for each in values):
            return None
        fitting = [name for name in needed or known
                   if all(name in fields_naming(names, kind, each) for each in values)]  # fmt: skip
        ways = [filled for name in fitting if (filled := _filled(verb, known[name], values))]
        if len(ways) == 1:
            return ways[0]
        if ways and names_one(kind):
            return either(ways)
        if ways:
            return None
        line = self.line_offered(kind)
        told = usage_of(kind, verb)
        return say("{usage}, such as {line}", usage=told, line=line) if line else told

    def example(self, kind: type[Order], verb: str, value: Any) -> Said:
        """The order with a bare value moved to where it probably belongs: its one required field.

        If no field is required, it is the first one, where that takes such a value.
        """
        known = for_players(kind)
        if not known:
            return verb
        if isinstance(value, bool) or value in ("yes", "no"):
            if may_be_empty(kind):
                return either((usage(kind, verb), f"{verb}: {NONE}"))
            return usage(kind, verb)
        if bare_field(kind) and (line := self.line_offered(kind)):
            return say("{usage}, such as {line}", usage=usage(kind, verb), line=line)
        if names_one(kind) and self.names(kind) is None and isinstance(value, str):
            return either(f"{verb}: {{{name}: {shown(value, 60)}}}" for name in known)
        needed = [name for name, field in known.items() if field.is_needed]
        if not needed and (name := self.field_offering(kind, value)):
            return f"{verb}: {{{name}: {value}}}"
        if (told := self.example_by_names(kind, verb, value)) is not None:
            return told
        if isinstance(value, str) and value.partition(" ")[0] in known:
            field_name, _, said = value.partition(" ")
            is_whole = needed in ([], [field_name]) and said and " " not in said
            return f"{verb}: {{{field_name}: {shown(said, 60)}}}" if is_whole else usage(kind, verb)
        if value == NONE and needed:
            return usage(kind, verb)
        values = value if isinstance(value, list) else [value]
        first = next(iter(needed or known), "")
        if len(known) != 1:
            is_list = isinstance(value, list)
            is_many = bool(first) and get_origin(known[first].hint) is tuple
            takes_it = is_many if is_list else not is_many or alone_of_its_kind(kind, first)
            is_name = is_list or (isinstance(value, str) and " " not in value)
            if len(needed) > 1 or not (takes_it and is_name):
                return usage(kind, verb)
        wanted = known[first].hint
        if is_mapping(wanted) or (wanted is int and type(value) is not int):
            return usage(kind, verb)
        text = shown(", ".join(map(str, values)), 60)
        filled = say(
            "{verb}: {{first}: {what}}",
            verb=verb,
            first=first,
            what=f"[{text}]" if isinstance(value, list) or get_origin(wanted) is tuple else text,
        )
        rest = [name for name in known if name != first]
        return (
            say("{filled}, perhaps with {rest}", filled=filled, rest=Either(tuple(rest)))
            if rest
            else filled
        )
