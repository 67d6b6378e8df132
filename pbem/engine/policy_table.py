"""The parts of standing orders, declared once: a game writes a table with one row for each.

From the table come the checks of what a player writes and of what is in a game file, the published
schema, the example in a form, the questions a policy answers, and the answers. Nothing of it is
loaded before a player has standing orders.

A policy is in a slot. Most parts may be in any slot that a player names; some games have slots with
parts of their own (what is done at the end of a turn). `scope`, `until`, `slot` and `slots` are the
same in every game. In place of a part that answers, a player may write `ask`: then that question is
left to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeGuard

from pbem.engine.conditions import Condition, Facts
from pbem.engine.model import Decision, Order, PlayerStage, Side, State, Violation
from pbem.engine.policies import HELD, NameFinder, PolicyOutlook, Scope
from pbem.engine.policy_rows import (
    ANY_SLOT,
    Answer,
    Document,
    Example,
    OwnActs,
    PolicyPart,
    Slot,
    Times,
    Written,
    is_legal,
)
from pbem.engine.shapes import (
    ANYTHING,
    NAME,
    Each,
    Fields,
    Judge,
    Judged,
    Many,
    OrWord,
    Schema,
    Shape,
    any_of,
    at,
    bound_fields,
    closed,
    fitting,
    listed,
    meant,
    moved,
    one_of,
    words_in,
)
from pbem.engine.shapes import (
    SLOT as SLOT_OF_A_HAND,
)
from pbem.messages import ENGLISH, Language, Said, marked, say, words
from pbem.value import field, replace, value
from pbem.words import to_lines

NULL: Document = {}
"""The policy that says nothing."""
STANDING = "standing"
"""The slot of a policy whose author names none."""
OWN = "own"
"""The slot of what a side says openly about what it begins itself."""
ASK = "ask"
"""Written in place of an answer: the question is left to the player."""
WITHDRAWN = "none"
"""Written to withdraw a policy."""
CLAIMS = Each(
    SLOT_OF_A_HAND,
    fitting(lambda card: isinstance(card, str), say("expected a card"), NAME),
    say("held lists slots and what is in each"),
)
NOBODY = Side("")
"""The side for judging public scopes: their words mean the same for both."""
SLOT = re.compile(r"[A-Za-z0-9_.-]{1,32}")


@value
class PolicyTable:
    """Everything a game declares about its standing orders."""

    rows: tuple[PolicyPart, ...]
    facts: Facts
    """What conditions can ask."""
    subject: Callable[[State[Any]], Any]
    """The current event, to which conditions refer; None: nothing."""
    times: Times
    """Until when a policy may be in force."""
    told: Said
    """The purpose of standing orders: the first line of a form."""
    notes: tuple[Said, ...]
    """What a form says of the game's own words, below its lines."""
    goes_on: str
    """What goes on while conditions refer to something, in the plural."""
    for_example: Said
    """A policy of one part."""
    for_slots: Said
    """Some slots, with as little in them."""
    for_condition: str
    """A condition of one fact."""
    slots: Mapping[str, Slot] = field(default_factory=dict)
    """The game's own slots."""
    public: Callable[[Any], Any] = lambda position: position
    """A position without what only one view knows: every policy answers by it."""
    hidden: Callable[[Any, Side], Any] = lambda position, side: ()
    """The slots of a side's hand that its enemy has not seen."""
    claims: Callable[[Any, Side, Document], Iterable[tuple[str, str]]] | None = None
    """By its author's view, the slots of the hand that hold the cards a document names."""
    begun: OwnActs | None = None
    """What a side begins itself, where it may say openly how that goes on: then there is a slot
    `own`."""

    # --- questions

    def own(self, slot: str) -> str:
        """The slot under which the parts of a policy are listed."""
        return slot if slot in self.slots else ANY_SLOT

    def within(self, slot: str) -> dict[str, PolicyPart]:
        """The parts that may be in a slot, by name, besides those of every game."""
        listed_at = self.own(slot)
        found = {part.name: part for part in self.rows if part.slot == listed_at}
        if listed_at == OWN:
            theirs = [part for part in self.rows if part.own]
            asked = {question for part in theirs for question in part.answers}
            also = [part for part in self.rows if asked & {*part.beside}]
            found = {part.name: part.in_own for part in (*theirs, *also)} | found
        return found

    def questions(self, slot: str, *, unsaid: bool = False) -> tuple[str, ...]:
        """The questions that policies of a slot can answer; `unsaid` are those answered by an empty
        one.
        """
        rows = self.within(slot).values()
        said = (part for part in rows if not (unsaid and part.only_if_said))
        return tuple(dict.fromkeys(name for part in said for name in part.answers))

    def asked_in(self, slot: str, written: Written) -> set[str]:
        """The questions for which a policy says `ask`."""
        said = (part for name, part in self.within(slot).items() if written.get(name) == ASK)
        return {name for part in said for name in part.answers}

    def _answer(self, question: str) -> Answer | None:
        found = (part for part in self.rows if question in (*part.answers, *part.own))
        return next((part.answer(question) for part in found), None)

    def covers(
        self, state: State[Any], decision: Decision, slot: str, scope: Scope, until: str | None
    ) -> bool:
        """Whether a policy of that slot answers this decision and need not wait.

        An invalid scope, or an `until` that names no time, covers nothing.
        """
        position = state.position
        if decision.policy not in self.questions(slot):
            return False
        if slot == OWN and self.begun and not self.begun.is_theirs(state, decision):
            return False
        if until is not None and not self.times.is_in_force(position, until):
            return False
        if not scope:
            return True
        if any(True for _ in self.scope_faults(position, slot, scope)):
            return False
        if "only" in scope and decision.policy not in listed(scope["only"]):
            return False
        return self._speaks_here(position, self.subject(state), scope)

    def _speaks_here(self, position: Any, subject: Any, scope: Written) -> bool:
        """Whether the conditions of a scope let the policy answer about this part of what goes
        on.
        """
        if subject is None:
            return "when" not in scope
        holds = self.facts.holds
        if "when" in scope and not any(holds(position, subject, w) for w in listed(scope["when"])):
            return False
        return not any(holds(position, subject, when) for when in listed(scope.get("ask", ())))

    # --- answers

    def answer(self, state: State[Any], decision: Decision, document: Any) -> Order | None:
        """The policy's answer; where that is not legal here, the answer of an empty policy.

        None leaves the question to its author.
        """
        position, stage = self.public(state.position), state.agenda[-1]
        assert isinstance(stage, PlayerStage)
        asked, row = stage.ask(position), self._answer(decision.policy)
        assert asked is not None
        for policy in (self._sound(position, decision, document), NULL):
            order = row.order(position, stage, policy) if row else None
            if order is None and row and row.or_asks:
                return None
            if is_legal(stage, position, asked, order or asked.default):
                return order or asked.default
        return asked.default

    def shows(self, state: State[Any], decision: Decision, document: Any) -> tuple[str, ...]:
        """The hidden slots of the hand that the answer opens."""
        position, row = self.public(state.position), self._answer(decision.policy)
        if row is None or row.shows is None:
            return ()
        policy = self._sound(position, decision, document)
        named = dict.fromkeys(row.shows(position, state.agenda[-1], policy))
        hidden = self.hidden(position, decision.side)
        return tuple(slot for slot in named if slot in hidden)

    def left_out(self, state: State[Any], decision: Decision, document: Any) -> tuple[Said, ...]:
        """What the document says and the answer cannot do, and why."""
        position, row = self.public(state.position), self._answer(decision.policy)
        if row is None or row.left_out is None:
            return ()
        policy = self._sound(position, decision, document)
        return tuple(row.left_out(position, state.agenda[-1], policy))

    def _sound(self, position: Any, decision: Decision, document: Any) -> Document:
        """The document, or an empty policy where it is invalid."""
        faults = self.document_faults(position, decision.side, document)
        return NULL if any(True for _ in faults) else document

    def outlook(self, position: Any, side: Side, parts: Iterable[Written]) -> PolicyOutlook:
        """How the questions of this side are answered; some policies answer only in some cases."""
        sealed = [part for part in parts if part["doc"] is not None]
        found: dict[str, dict[Said, None]] = {"said": {}, "usual": {}, "asked": {}}
        for row in self.rows:
            if row.beside or row.slot == OWN or row.clause.unasked(position, side) is not None:
                continue
            if row.more_of and not any(part["slot"] == row.slot for part in sealed):
                continue
            name = row.joins or row.name
            inside = [part for part in sealed if self.own(part["slot"]) == row.slot]
            speaking = [part for part in inside if self._is_answered(row, part)]
            if not speaking:
                found["asked"][name if inside or row.slot == ANY_SLOT else row.slot] = None
                continue
            said = [part for part in speaking if row.only_if_said or name in part["doc"]]
            always = any(not {"when", "ask"} & set(part["scope"] or ()) for part in speaking)
            sort, told = ("said", "") if said else ("usual", row.otherwise)
            found[sort][_with_more(name, told, always)] = None
        own = [part for part in sealed if part["slot"] == OWN]
        if own:
            rows = [row for row in self.within(OWN).values() if self._is_answered(row, own[-1])]
            named = tuple(row.name for row in rows if (row.joins or row.name) in own[-1]["doc"])
            answers = named or say("all by default")
            whole = say("what you begin yourself ({answers})", answers=answers)
            found["said" if named else "usual"][whole] = None
        return PolicyOutlook(**{sort: tuple(names) for sort, names in found.items()})

    def _is_answered(self, row: PolicyPart, part: Written) -> bool:
        """Whether a policy answers the question of a row."""
        only = (part["scope"] or {}).get("only", self.questions(part["slot"]))
        return any(question in only for question in row.answers)

    # --- what is sealed

    def parts(self, position: Any, side: Side, written: Written) -> tuple[Written, ...]:
        """The policies of a side, each in its own slot, so one can be opened while others stay
        closed.

        More specific ones come later: if two answer, the later one counts.
        """
        policies: list[tuple[str, Any]] = []
        if set(written) - {"slots", *self.slots} or not written:
            policies.append((written.get("slot", STANDING), written))
        policies += written.get("slots", {}).items()
        written = self._with_what_is_open(written)
        policies += ((name, self._whole(name, written)) for name in self.slots if name in written)
        return tuple(self._part(position, side, slot, policy) for slot, policy in policies)

    def _with_what_is_open(self, written: Written) -> Written:
        """What is written, with the parts that are said openly in the slot for that, too."""
        said = {row.name: written[row.name] for row in self.rows
                if row.is_said_openly and written.get(row.name, ASK) != ASK}  # fmt: skip
        if not said or written.get(OWN) == WITHDRAWN:
            return written
        # What its author says nothing of there is answered by the rest, and not by default.
        left = {name: ASK for name, row in self.within(OWN).items() if row.answers}
        return {**written, OWN: {**said, **written[OWN]} if OWN in written else {**left, **said}}

    def stated(
        self, position: Any, side: Side, written: Written, orders: Sequence[Order]
    ) -> tuple[Written, ...]:
        """What of the policies that a side has written beside its orders is said openly.

        It answers as they would, but only about what these orders begin. What tells of hidden cards
        stays sealed.
        """
        is_open = set(written) - {"slots", *self.slots} or not written
        begun, rows = self.begun, self.within(OWN)
        if begun is None or OWN in written or not is_open or not any(map(begun.begins, orders)):
            return ()
        said = {key: written[key] for key in ("scope", *rows) if key in written}
        for name, row in rows.items():
            if name in said and row.tells is not None and row.tells(said[name]):
                said[name] = ASK
        part = self._part(position, side, OWN, {**said, "until": begun.until(position)})
        return (part,) if part["scope"]["only"] else ()

    def binds(self, position: Any, slot: str, scope: Scope, until: str | None) -> bool:
        """Whether a policy is in force, and answers all that an empty one of its slot answers,
        whatever happens.
        """
        if until is not None and not self.times.is_in_force(position, until):
            return False
        if not scope:
            return True
        only = listed(scope.get("only", self.questions(slot)))
        return scope.keys() <= {"only"} and {*self.questions(slot, unsaid=True)} <= {*only}

    def may_end(self, slot: str) -> bool:
        """Whether policies of a slot may be used up while they are in force."""
        return slot in self.slots and self.slots[slot].used_up is not None

    def used_up(self, position: Any, side: Side, part: Written, orders: Sequence[Order]) -> Said:
        """What of a policy is over, if it can answer nothing more while it is in force."""
        own = self.slots.get(part["slot"])
        if own is None or own.used_up is None or part["doc"] is None:
            return ""
        return own.used_up(position, side, part["doc"], orders)

    def clear_now(
        self, position: Any, side: Side, part: Written
    ) -> tuple[Written, tuple[str, ...]] | None:
        """A sealed policy of a slot that has nothing to hide any more, in clear, and the slots of
        the hand it will open; None for one that stays sealed.
        """
        slot = self.slots.get(part["slot"])
        if slot is None or slot.stays or not slot.in_clear(position, side):
            return None
        if part["until"] is not None and not self.times.is_in_force(position, part["until"]):
            return None
        hidden = self.hidden(position, side)
        shown = slot.shows(position, side, part["doc"]) if slot.shows else ()
        return {**part, "clear": True}, tuple(each for each in shown if each in hidden)

    def _whole(self, slot: str, written: Written) -> Any:
        """What is written in a slot of the game, as a policy."""
        said = written[slot]
        return {slot: said} if self.slots[slot].is_bare and said != WITHDRAWN else said

    def _part(self, position: Any, side: Side, slot: str, written: Any) -> Written:
        if written == WITHDRAWN:
            return {"slot": slot, "scope": None, "until": None, "doc": None, "clear": True}
        own = self.slots.get(slot)
        passes = own is not None and not own.stays
        scope = self._public_scope(slot, written, is_own=own is not None)
        return {
            "slot": slot,
            "scope": scope or None,
            "until": written.get("until", self.times.this_turn(position) if passes else None),
            "doc": plain(self._document(position, side, slot, written)),
            "clear": own is not None and own.stays and own.in_clear(position, side),
        }

    def _public_scope(self, slot: str, written: Written, *, is_own: bool) -> dict[str, Any]:
        """The part of the scope that everybody can read, without what would be asked of its
        author.
        """
        scope = {key: list(listed(said)) for key, said in written.get("scope", {}).items()}
        asked, rows = self.asked_in(slot, written), self.within(slot)
        more = (row for name, row in rows.items() if row.only_if_said and name in written)
        said = (question for row in more for question in row.answers)
        answered = (*self.questions(slot, unsaid=True), *said)
        if not asked and not is_own and len(answered) == len(self.questions(slot)):
            return scope
        only = scope.get("only", answered)
        return {**scope, "only": [kind for kind in only if kind not in asked]}

    def _document(self, position: Any, side: Side, slot: str, written: Written) -> dict[str, Any]:
        """The parts of a policy that go into a document, as written."""
        policy = {key: said for key, said in written.items() if said != ASK}
        found: dict[str, Any] = {}
        for name, row in self.within(slot).items():
            if not row.is_sealed or name not in policy:
                continue
            seal, key = row.clause.seal, row.joins or name
            said = seal(position, side, policy[name]) if seal else policy[name]
            if said is not None:
                found[key] = [*found[key], *said] if key in found else said
        claims = sorted(self.claims(position, side, found)) if self.claims else []
        return {**found, HELD: claims} if claims else found

    def written(self, position: Any, side: Side, parts: Iterable[Written]) -> dict[str, Any]:
        """Standing orders as their author would write them now, from policies as `parts` gives
        them.
        """
        found: dict[str, Any] = {}
        for part in parts:
            slot, said = part["slot"], self._written_again(position, side, part)
            if slot in self.slots:
                found[slot] = said.get(slot) if self.slots[slot].is_bare else said
            elif slot == STANDING:
                found |= said
            else:
                found.setdefault("slots", {})[slot] = said
        return found

    def _written_again(self, position: Any, side: Side, part: Written) -> dict[str, Any]:
        slot, document = part["slot"], part["doc"]
        scope = dict(part["scope"] or {})
        only = scope.pop("only", self.questions(slot))
        said: dict[str, Any] = {}
        for name, row in self.within(slot).items():
            unseal = row.clause.unseal
            if row.is_sealed and not row.joins and name in document:
                sealed = document[name]
                said[name] = unseal(position, side, sealed) if unseal else sealed
            elif not row.is_sealed and unseal and set(row.answers) <= set(only):
                said[name] = unseal(position, side, None)
        asked = [question for question in self.questions(slot, unsaid=True) if question not in only]
        silent = {
            name: row.clause.unasked(position, side) is not None
            for name, row in self.within(slot).items()
            if row.answers and set(row.answers) <= set(asked) and not row.joins
        }
        if any(silent.values()):  # of what is never asked of this side nothing may be said
            scope["only"] = only
        else:
            said |= dict.fromkeys(silent, ASK)
        until = part["until"]
        if until is not None and self.times.is_in_force(position, until):
            is_usual = slot in self.slots and until == self.times.this_turn(position)
            said |= {} if is_usual else {"until": until}
        return {**said, **({"scope": scope} if scope else {})}

    # --- judgement

    def bound(self, names: NameFinder, written: Any) -> Any:
        """Standing orders as written, with the ids of the game for what they name; what is a list
        for several slots is laid into them.
        """
        return self._bound(names, self._laid_out(written), ANY_SLOT, top=True)

    def _laid_out(self, written: Any) -> Any:
        """Standing orders with an item of a list in each of the slots that it is for; those for
        which it has none are withdrawn.
        """
        if not isinstance(written, Mapping):
            return written
        found = dict(written)
        for name, slot in self.slots.items():
            items, into = written.get(name), (name, *slot.further)
            if slot.further and is_list_of_lists(items) and len(items) <= len(into):
                found |= dict(zip_longest(into, items, fillvalue=WITHDRAWN))
        return found

    def _bound(self, names: NameFinder, written: Any, slot: str, *, top: bool = False) -> Any:
        if not isinstance(written, Mapping):
            return written
        found = dict(bound_fields(self.written_shapes(slot, top=top), names, written))
        if top:
            for name in self.slots:
                if name in written and not self.slots[name].is_bare:
                    found[name] = self._bound(names, written[name], name)
            if isinstance(slots := written.get("slots"), Mapping):
                inside = {key: self._bound(names, said, ANY_SLOT) for key, said in slots.items()}
                found["slots"] = inside
        return found

    def faults(self, position: Any, side: Side, written: Any) -> tuple[Violation, ...]:
        """Every fault of standing orders as written, by what their author knows."""
        found = self._written(position, side, written, ANY_SLOT, say("a standing policy"), True)
        return tuple(map(self._where_it_was_written, found))

    def _where_it_was_written(self, fault: Violation) -> Violation:
        """A fault of an item that was laid into a slot of its own, at its place in the list."""
        for name, slot in self.slots.items():
            if fault.at and fault.at[0] in slot.further:
                place = 1 + slot.further.index(str(fault.at[0]))
                return replace(fault, at=(name, place, *fault.at[1:]))
        return fault

    def _written(
        self, position: Any, side: Side, written: Any, slot: str, called: Said, top: bool = False
    ) -> Iterator[Violation]:
        """The faults of one policy; `called` is its name, where there is another thing instead."""
        shapes = self.written_shapes(slot, top=top)
        example = self.for_example
        if not isinstance(written, Mapping) and slot in self.slots:
            lines = [line for line, _ in self._examples(slot, position, side)]
            example = say("{slot}: {{line}}", slot=slot, line=lines[-1]) if lines else ""
        judged: list[tuple[Any, list[Violation]]] = []
        for key, said in _known(written, tuple(shapes), called, example):
            if isinstance(key, Violation):
                judged.append((key, [key]))
            else:
                judged.append((key, [*shapes[key].faults(position, side, said, (key,))]))
        sound = {key: written[key] for key, found in judged if not found}
        for key, found in judged:
            yield from found or self._vain(position, side, sound, slot, key, shapes[key])

    def _vain(
        self, position: Any, side: Side, policy: Written, slot: str, key: str, shape: Shape
    ) -> Iterator[Violation]:
        """The things that can have no effect in a part of the right form; `policy` are all such
        parts.
        """
        part = self.within(slot).get(key)
        if part is None:
            bare = self.within(key).get(key) if key in self.slots else None
            never = bare.clause.unasked(position, side) if bare else None
            if never is not None:
                yield moved(never, (key,))
                return
            yield from shape.vain(position, side, policy[key], (key,))
            if key == "scope":
                yield from at((key,), self._never_speaks(policy, slot))
            elif key == "slots":
                yield from at((key,), self._slots_twice(policy))
            return
        clause = part.clause
        unasked = clause.unasked(position, side)
        if unasked is not None:
            yield moved(unasked, (key,))
        if policy[key] == ASK and part.answers:
            yield from self._asked_and_answered(policy, slot, part)
        elif unasked is None:
            yield from shape.vain(position, side, policy[key], (key,))
            if clause.vain is not None:
                yield from at((key,), clause.vain(position, side, policy))
        only = scope_only(policy)
        if slot == ANY_SLOT and only and not only & set(part.questions):
            told = say(
                "{key} never applies: the scope is only for {only}",
                key=key,
                only=", ".join(sorted(only)),
            )
            yield Violation(told, (key,), is_key=True)

    def _asked_and_answered(
        self, policy: Written, slot: str, part: PolicyPart
    ) -> Iterator[Violation]:
        for name, other in self.within(slot).items():
            if name in policy and policy[name] != ASK and set(other.answers) & set(part.answers):
                told = say("ask and {name} answer the same question", name=name)
                yield Violation(told, (part.name,), hint=say("leave one of them out"))

    def _never_speaks(self, policy: Written, slot: str) -> Iterator[Violation]:
        """Faults of scopes that leave nothing to answer."""
        scope, only = policy["scope"], scope_only(policy)
        of_nothing = [part for part in self.within(slot).values() if part.of_nothing]
        if only and only <= self.asked_in(slot, policy):
            yield Violation(say("you are always asked, so this policy never answers"), ("only",))
        for key in ("only", "when"):
            if key in scope and not listed(scope[key]):
                yield Violation(
                    say("the scope has no {key}, so this policy never answers", key=key),
                    (key,),
                    hint=say("leave it out"),
                )
        asks, wanted = listed(scope.get("ask", ())), listed(scope.get("when", ()))
        for place, when in enumerate(asks):
            if self.facts.always(when) and not any(part.name in policy for part in of_nothing):
                yield Violation(
                    say("you are always asked, so this policy never answers"), ("ask", place)
                )
        if wanted and all(when in asks for when in wanted):
            yield Violation(
                say("ask excludes everything in when, so this policy never answers"), ("ask",)
            )
        if wanted and only and only <= {name for part in of_nothing for name in part.answers}:
            told = say(
                "when is about {goes_on}, which only excludes, so this policy never answers",
                goes_on=self.goes_on,
            )
            yield Violation(told, ("when",))

    def _slots_twice(self, policy: Written) -> Iterator[Violation]:
        """Faults of a slot that is written twice; parts outside the slots fill one too."""
        slots = policy["slots"]
        if not slots:
            yield Violation(say("no slot is named"), hint=say("leave it out"))
        outside = set(policy) - {"slots", *self.slots}
        taken: str = policy.get("slot", STANDING)
        if outside and taken in slots:
            told = say(
                "the slot {taken} is given twice: the parts next to slots: belong to it",
                taken=taken,
            )
            yield Violation(told, (taken,), is_key=True)
        for name in self.slots:
            if name in slots and name in policy:
                yield Violation(say("{name} is given twice", name=name), (name,), is_key=True)

    def document_faults(self, position: Any, side: Side, document: Any) -> Iterator[Violation]:
        """The faults of a document, whatever it is."""
        shapes = {part.name: _sealed(part) for part in self.rows if part.is_sealed}
        if self.claims is not None:
            shapes[HELD] = CLAIMS
        for key, said in _known(
            document, tuple(shapes), say("a standing policy"), self.for_example
        ):
            if isinstance(key, Violation):
                yield key
            else:
                yield from shapes[key].faults(position, side, said, (key,))

    def scope_faults(self, position: Any, slot: str, scope: Any) -> Iterator[Violation]:
        """The faults of a public scope, whatever it is."""
        return self._scope(slot).faults(position, NOBODY, scope, ())

    def misfits(
        self, position: Any, side: Side, slot: str, scope: Any, until: str | None, document: Any
    ) -> tuple[Violation, ...]:
        """The parts of scope, time and document in a game file that can be in no policy."""
        found: list[Violation] = []
        if scope is not None:
            found += at(("scope",), self.scope_faults(position, slot, scope))
        if until is not None and not self.times.read(until):
            found.append(moved(self.times.misread(), ("until",)))
        if document is not None:
            found += at(("doc",), self.document_faults(position, side, document))
        return tuple(found)

    # --- shapes

    def written_shapes(self, slot: str, *, top: bool = False) -> dict[str, Shape]:
        """The shapes of what may be written in a slot; `top`: in the standing orders themselves."""
        own = {
            part.name: OrWord((ASK,), part.clause.shape) if part.answers else part.clause.shape
            for part in self.within(slot).values()
        }
        until = Judged(self._until, NAME)
        if slot in self.slots:
            return {**own, "until": until}
        inside: dict[str, Shape] = {"scope": self._scope(ANY_SLOT), "until": until, **own}
        if not top:
            return inside
        more: dict[str, Shape] = {
            "slot": Judged(self._slot, NAME), "slots": Judged(self._slots, ANYTHING),
        }  # fmt: skip
        for name, one in self.slots.items():
            judged = Judged(self._in(name), ANYTHING)
            alone = self.within(name)[name].clause.shape if one.is_bare else judged
            more[name] = OrWord((WITHDRAWN,), alone)
        return {**inside, **more}

    def _scope(self, slot: str) -> Shape:
        kinds = self.questions(slot)

        kind = one_of(lambda position, side: kinds, marked("no policy answers {name}"),
                      json={"enum": list(kinds)})  # fmt: skip
        return Fields(
            {
                "only": Many(kind, once=True),
                "when": Many(Condition(self.facts, False)),
                "ask": Many(Condition(self.facts, True)),
            },
            say("a scope has the fields only, when and ask"),
            say("{ask: [{for_condition}]}", for_condition=self.for_condition),
        )

    def _until(self, position: Any, side: Side, written: Any) -> Iterator[Violation]:
        if not isinstance(written, str) or not self.times.read(written):
            yield self.times.misread()
        elif not self.times.is_in_force(position, written):
            yield Violation(say("{written} is over", written=written))

    def _slot(self, position: Any, side: Side, written: Any) -> Iterator[Violation]:
        if not isinstance(written, str) or not SLOT.fullmatch(written):
            yield Violation(
                say("a slot must be a short name of letters and digits"), hint=say("north")
            )
        elif written in self.slots:
            hint = self.slots[written].hint
            yield Violation(
                say("{written} is already the name of a part", written=written), hint=hint
            )

    def _slots(self, position: Any, side: Side, written: Any) -> Iterator[Violation]:
        if not isinstance(written, Mapping):
            yield Violation(
                say("slots must be a mapping from names to policies"), hint=self.for_slots
            )
            return
        for name, policy in written.items():
            if name in self.slots and policy == WITHDRAWN:
                continue
            for fault in self._slot(position, side, name):
                yield Violation(fault.message, (name,), hint=fault.hint, is_key=True)
            if policy != WITHDRAWN:
                yield from at((name,), self._written(position, side, policy, ANY_SLOT, name))

    def _in(self, slot: str) -> Judge:
        return lambda position, side, written: self._written(position, side, written, slot, slot)

    # --- what is published

    def schema(self) -> tuple[Schema, dict[str, Schema]]:
        """The JSON Schema of standing orders as written, and the definitions it refers to."""
        shared: dict[str, Schema] = {}
        inside = self._mapping(ANY_SLOT, shared)
        withdrawn = {"const": WITHDRAWN}
        shared["policy.slot"] = inside
        more: dict[str, Schema] = {
            "slot": {"type": "string", "pattern": f"^{SLOT.pattern}$"},
            "slots": {
                "type": "object",
                "propertyNames": {"pattern": f"^{SLOT.pattern}$"},
                "additionalProperties": any_of(withdrawn, {"$ref": "#/$defs/policy.slot"}),
            },
            **{name: any_of(withdrawn, self._of_slot(name, shared)) for name in self.slots},
        }
        return closed({**inside["properties"], **more}), shared

    def _of_slot(self, slot: str, shared: dict[str, Schema]) -> Schema:
        if not self.slots[slot].is_bare:
            return self._mapping(slot, shared)
        part = self.within(slot)[slot]
        schema = part.clause.shape.schema(shared)
        if self.slots[slot].further:
            schema = any_of(schema, {"type": "array", "items": schema})
        return {"description": part.told, **schema}

    def _mapping(self, slot: str, shared: dict[str, Schema]) -> Schema:
        parts = self.within(slot)
        properties: dict[str, Schema] = {}
        for name, shape in self.written_shapes(slot).items():
            told = {"description": parts[name].told} if name in parts else {}
            properties[name] = {**told, **shape.schema(shared)}
        return closed(properties)

    def words(self) -> tuple[str, ...]:
        """Every word that standing orders and their documents have of their own."""
        shared: dict[str, Schema] = {}
        sealed = [_sealed(part).schema(shared) for part in self.rows if part.is_sealed]
        names = (part.name for part in self.rows)
        return tuple(dict.fromkeys((*names, *words_in([*self.schema(), shared, sealed]))))

    def example(self, position: Any, side: Side, language: Language = ENGLISH) -> tuple[str, ...]:
        """An example policy to adapt; its first line names its purpose."""
        facts = self.facts
        notes: tuple[Said, ...] = (
            say(
                "write ask instead of an answer to answer that question yourself, at the cost of a "
                "mail"
            ),
            *self.notes,
            say("a when may name {facts}", facts=", ".join(facts.early)),
        )
        if facts.late:
            late = ", ".join(facts.late)
            notes += (
                say("{then} also {facts}, or after: {...}", then=say(facts.then), facts=late),
            )
        lines = (
            each for line, why in self.example_lines(position, side)
            for each in _lines(line, words(why, language))
        )  # fmt: skip
        told = (to_lines(words(note, language), LONGEST, "  # ", "  #   ") for note in notes)
        below = (line for lines_of_note in told for line in lines_of_note)
        return (words(self.told, language), "standing:", *lines, *below)

    def example_lines(self, position: Any, side: Side) -> Iterator[Example]:
        """The lines of a policy with every useful part, each with its purpose."""
        yield from self._examples(ANY_SLOT, position, side)
        yield (
            "scope: {ask: []}",
            say("questions to answer yourself: [{condition}]", condition=self.for_condition),
        )
        for name, slot in self.slots.items():
            if slot.line:
                yield slot.line, say(slot.told)
            elif slot.is_offered(position) and slot.is_bare:
                yield from self._examples(name, position, side)
            elif slot.is_offered(position):
                yield f"{name}:", say(slot.told)
                for line, why in self._examples(name, position, side):
                    yield f"  {line}", why

    def _examples(self, slot: str, position: Any, side: Side) -> Iterator[Example]:
        for part in self.within(slot).values():
            if (line := part.clause.line(position, side)) is not None:
                said, told = line
                yield f"{part.name}: {said}", told


WIDE = 30
"""Where the comments of the lines of a form begin."""
LONGEST = 98
"""A comment that makes a line longer than that goes on below."""


def _with_more(name: Said, told: str, always: bool) -> Said:
    """A question with how it is answered, if that is not what the player wrote, always."""
    if not told:
        return name if always else say("{name} (not always)", name=name)
    return say(
        "{name} ({told})" if always else "{name} ({told}; not always)", name=name, told=say(told)
    )


def _lines(text: str, told: str) -> list[str]:
    """A line with its comment, which begins below where the line is too long for both."""
    first, others = f"  {text:<{WIDE}}  # ", f"  {'':<{WIDE}}  # "
    if len(text) > WIDE and len(first) + len(told) > LONGEST:
        return [f"  {text}", *_lines("", told)]
    return to_lines(told, LONGEST, first, others)


def is_list_of_lists(written: Any) -> TypeGuard[list[list[Any]]]:
    """Whether something is a list that has only lists in it, one at least."""
    return isinstance(written, list) and bool(written) and all(isinstance(each, list)
                                                               for each in written)  # fmt: skip


def plain(said: Any) -> Any:
    """Tuples as lists, as a game file has them."""
    if isinstance(said, Mapping):
        return {key: plain(inner) for key, inner in said.items()}
    return [plain(inner) for inner in said] if isinstance(said, list | tuple) else said


def _sealed(part: PolicyPart) -> Shape:
    return part.clause.sealed or part.clause.shape


def _known(
    written: Any, known: tuple[str, ...], called: Said, example: Said
) -> Iterator[tuple[Any, Any]]:
    """The parts of a policy by name; an unknown name gives a fault."""
    if not isinstance(written, Mapping):
        yield Violation(say("{called} must be a mapping", called=called), hint=example), None
        return
    for key, said in written.items():
        if key in known:
            yield key, said
        else:
            told = say("standing orders have no field {key}", key=repr(key))
            yield Violation(told, (key,), hint=_nearest(key, known), is_key=True), None


def _nearest(key: Any, known: tuple[str, ...]) -> Said:
    """The likely meaning of an unknown name, and the known names."""
    near, names = meant(key, known, ""), ", ".join(known)
    if not near:
        return say("it has {names}", names=names)
    return say("{hint} it has {names}", hint=near, names=names)


def scope_only(policy: Written) -> set[str] | None:
    """The questions that a scope names; None where it names none."""
    scope = policy.get("scope", {})
    return set(listed(scope["only"])) if "only" in scope else None
