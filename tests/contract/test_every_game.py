"""What every game system keeps, in every scenario. A new game is tested by being registered."""

from __future__ import annotations

import contextlib
import json
import random
import re
import signal
import traceback
import typing
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union

import pytest

from pbem.board.names import Vocabulary
from pbem.engine import kernel, tagged
from pbem.engine.codec import Misfit, fields_of, from_plain, from_written, to_plain, to_written
from pbem.engine.model import Chance, Decision, Order, Violation
from pbem.engine.policies import answering, help, reading, scopes, sealing
from pbem.engine.policies.table import NO_POLICIES, PolicyTable
from pbem.engine.public import plain
from pbem.engine.shapes import words_in
from pbem.gamefile.canonical import check_domain, text_of, text_with
from pbem.gamefile.texts import Texts
from pbem.games.system import GameSystem
from pbem.messages import Either, Message, Part, Row, sentence
from pbem.orders.bind import bind
from pbem.orders.fields import kinds_of
from pbem.orders.parse import parse
from pbem.orders.published import orders_schema
from pbem.orders.template import form
from pbem.orders.written import order_line, orders_text
from pbem.play.snapshot import ALLOWED
from pbem.play.table import spelled
from pbem.problems import Refused
from pbem.text.source import Source
from pbem.text.yamlsource import read
from pbem.value import fields, is_value
from tests.conftest import FUZZ
from tests.contract.kits import kit
from tests.contract.playing import (
    Moment,
    decisions,
    every_beginning,
    every_game,
    first_state,
    played,
    replayed,
    system,
)
from tests.contract.wild import Wild

TABLES = every_beginning()
SEEDS = range(1, 1 + FUZZ)
LOOKED_AT = 8 if FUZZ == 1 else 40
"""Decisions of a playout that the closer tests look at, each kind of question among them."""


@pytest.fixture(scope="module", params=TABLES, ids="-".join)
def table(request: pytest.FixtureRequest) -> tuple[str, str]:
    slug, scenario = request.param
    return str(slug), str(scenario)


@pytest.fixture(scope="module", params=SEEDS)
def asked(request: pytest.FixtureRequest, table: tuple[str, str]) -> tuple[Moment, ...]:
    """Decisions of one random game, each kind of question among them."""
    return decisions(*table, request.param, LOOKED_AT)


@pytest.mark.parametrize("each", every_game(), ids="-".join)
def test_the_set_up_settles_on_something_to_do(each: tuple[str, str]) -> None:
    begun = first_state(*each)
    assert isinstance(kernel.waits_for(begun.state), Decision | Chance)
    assert system(each[0]).faults(begun.state.position) == ()
    assert system(each[0]).result(begun.state.position) is None
    assert system(each[0]).edition(frozenset()), "the terms name it"


@pytest.mark.parametrize("each", every_game(), ids="-".join)
def test_the_same_set_up_is_made_twice(each: tuple[str, str]) -> None:
    one, other = first_state(*each), first_state(*each)
    assert one.state == other.state and one.events == other.events


def test_every_default_is_legal(asked: tuple[Moment, ...]) -> None:
    for moment in asked:
        assert moment.decision
        found = kernel.violations(moment.state, moment.decision.default)
        assert found == (), f"{moment.decision.stage}: {moment.decision.default}"


def test_every_question_can_be_read(table: tuple[str, str], asked: tuple[Moment, ...]) -> None:
    for moment in asked:
        decision = moment.decision
        assert decision and decision.side in system(table[0]).sides
        assert decision.prompt and not str(decision.prompt).endswith("."), decision.prompt
        assert decision.rule, f"{decision.stage} cites no rule"
        assert decision.options and decision.takes(decision.default), decision.stage
        assert decision.secret <= (decision.stage in system(table[0]).words.secrets), decision.stage
        clock = system(table[0]).clock(moment.state.position)
        assert clock.chapter and clock.heading, decision.stage


def test_an_order_leaves_the_state_it_was_given_to_as_it_was(asked: tuple[Moment, ...]) -> None:
    for moment in asked:
        before = repr(moment.state)
        assert moment.order
        kernel.submit(moment.state, moment.order)
        assert repr(moment.state) == before


def test_the_same_orders_and_dice_give_the_same_game(table: tuple[str, str]) -> None:
    moments = played(*table)
    orders = [moment.order for moment in moments if moment.order]
    told = [event for moment in moments for event in moment.step.events]
    again = replayed(*table, orders, 1)
    assert again[len(first_state(*table).events) :][: len(told)] == told


def test_the_events_alone_lead_to_the_position(asked: tuple[Moment, ...]) -> None:
    for moment in asked:
        position = moment.state.position
        for event, after in zip(moment.step.events, moment.step.positions, strict=True):
            position = event.apply(position)
            assert position == after, event
        assert position == moment.step.state.position


def test_an_order_survives_its_plain_form(asked: tuple[Moment, ...]) -> None:
    for moment in asked:
        for order in (moment.order, moment.decision and moment.decision.default):
            assert order is not None
            plain = json.loads(json.dumps(to_plain(order)))
            check_domain(plain)
            assert from_plain(type(order), plain) == order
            assert from_written(type(order), to_written(order)) == order
            # Rules go through a mapping one by one: in the sequence in which its reader has it.
            typed = from_written(type(order), backwards(to_written(order)))
            assert repr(order) == repr(typed) == repr(from_plain(type(order), plain))
            given = spelled(order)  # and a snapshot, which has what waits as it was read
            assert tagged.loaded(tagged.dumped(given, {}), ("pbem.", "tests."), {}) == given


def backwards(written: Any) -> Any:
    """What a player wrote, every mapping in it from the last key to the first."""
    if isinstance(written, dict):
        return {key: backwards(each) for key, each in reversed(written.items())}
    return written


def test_no_mapping_of_an_order_stands_where_nobody_sorts_its_keys(table: tuple[str, str]) -> None:
    """It is a field of its own, of an order or of another value that is `Keyed`."""
    kinds: list[Any] = [*system(table[0]).verbs.values()]
    for kind in kinds:
        for name, hint in ((each.name, each.hint) for each in fields_of(kind).values()):
            for depth, part in parts_of(hint):
                if is_value(part) and part not in kinds:
                    kinds.append(part)
                if part is Mapping:
                    assert depth == 0 and name in getattr(kind, "keyed", ()), (kind, name)


def parts_of(hint: Any, depth: int = 0) -> Iterator[tuple[int, Any]]:
    """The types in an annotation, each with how many others it is the content of."""
    within, inner = typing.get_origin(hint), typing.get_args(hint)
    if within is Annotated or within in (Union, UnionType):
        for each in inner:
            yield from parts_of(each, depth)
        return
    yield depth, within or hint
    for each in inner:
        yield from parts_of(each, depth + 1)


def test_a_snapshot_of_any_moment_is_read_again(table: tuple[str, str]) -> None:
    """Whatever is awaited, a roll as well as an answer: otherwise it was kept for nothing."""
    tables = system(table[0]).tables
    awaited = {type(moment.state.agenda[-1]): moment.state for moment in played(*table)}
    for state in awaited.values():
        content = tagged.dumped(state, {type(tables): "tables"})
        assert tagged.loaded(content, ALLOWED, {"tables": tables}) == state


def names_for(game: GameSystem, moment: Moment, order: Order) -> Vocabulary:
    """What the side may write in an answer to the question now asked."""
    assert moment.decision
    return game.names(moment.state, moment.decision.side, type(order), answering=True)


def test_an_order_survives_being_written_and_read(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    game = system(table[0])
    for moment in asked:
        assert moment.order and moment.decision
        text = orders_text([moment.order])
        file = parse(Source("orders.yaml", text), game.verbs)
        names = names_for(game, moment, moment.order)
        assert bind(file, 0, names) == moment.order, text


BROKEN = re.compile(r",\n  # {3}(?! )")
"""Where a form breaks the line of a long order."""


def test_the_form_of_a_decision_is_open_and_has_its_default_below(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    """Nothing is sent unedited; the default takes the place of the open line, and is legal."""
    game = system(table[0])
    for moment in asked:
        assert moment.decision
        default = moment.decision.default
        lines = BROKEN.sub(", ", form(moment.decision)).splitlines()
        (at,) = [at for at, line in enumerate(lines) if line.startswith("  - ")]
        names = names_for(game, moment, default)
        open_file = parse(Source("form.yaml", "\n".join(lines)), game.verbs)
        assert len(open_file.orders) == 1, lines
        with pytest.raises(Refused) as refused:
            bind(open_file, 0, names)
        assert {problem.code for problem in refused.value.problems} == {"open-choice"}, lines
        assert all(each.span and each.span.line == at + 1 for each in refused.value.problems), lines
        written = f"  # - {order_line(default)}"
        below = [line.partition("   # ")[0] for line in lines[at + 1 :]]
        assert written in below, lines
        lines[at] = written.replace("# ", "", 1)
        file = parse(Source("form.yaml", "\n".join(lines)), game.verbs)
        assert [bind(file, index, names) for index in range(len(file.orders))] == [default], lines
        assert not kernel.violations(moment.state, default), lines


def test_events_survive_their_plain_form(asked: tuple[Moment, ...]) -> None:
    for moment in asked:
        for event in moment.step.events:
            plain = json.loads(json.dumps(to_plain(event)))
            assert from_plain(type(event), plain) == event


def test_every_event_is_told_in_a_line_or_not_at_all(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    narrate = system(table[0]).narration.narrate
    for moment in asked:
        for event, position in zip(moment.step.events, moment.step.positions, strict=True):
            message = narrate(event, position)
            if message is not None:
                line = sentence(message)
                assert line.strip() and "\n" not in line, event
                assert "None" not in line and "frozenset" not in line, line


def test_the_public_position_is_in_the_domain_of_the_game_file(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    public = system(table[0]).public
    for moment in asked:
        check_domain(plain(public(moment.state.position)))


def test_the_text_of_a_position_is_the_same_whatever_was_written_before(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    public, texts = system(table[0]).public, Texts()
    positions = [moment.state.position for moment in asked]
    random.Random(1).shuffle(positions[len(positions) // 2 :])
    for position in positions:
        assert text_with(texts.of(public(position))) == text_of(plain(public(position)))


def wild_at(slug: str, moment: Moment, rng: random.Random) -> Wild:
    """Draws the ids of the game, by what they name, those a player may write now more often."""
    decision = moment.decision
    assert decision
    game = system(slug)
    names = game.names(moment.state, decision.side, None, answering=False)
    kinds = {kind: None for order in game.verbs.values() for kind in kinds_of(order).values()}
    known = {kind: tuple(names.known(kind)) for kind in kinds if kind}
    words = tuple(word for each in known.values() for word in each)
    return Wild(rng, words, known)


def test_check_judges_whatever_it_is_given(
    table: tuple[str, str], asked: tuple[Moment, ...], fuzz: int
) -> None:
    """Random orders of every verb, and legal ones with something changed: never a crash."""
    game = system(table[0])
    complaints: dict[str, str] = {}
    for number, moment in enumerate(asked):
        assert moment.decision and moment.order
        wild = wild_at(table[0], moment, random.Random(number))
        asked_for = [option.order for option in moment.decision.options]
        orders = [wild.order(kind) for kind in game.verbs.values()]
        orders += [wild.order(kind) for kind in asked_for * 5 * fuzz]
        orders += [wild.mutated(moment.order) for _ in range(12 * fuzz)]
        orders += [wild.mutated(wild.mutated(moment.order)) for _ in range(8 * fuzz)]
        for order in orders:
            for complaint in judged(game, moment, order):
                complaints.setdefault(re.sub(r"'[^']*'", "''", complaint)[:70], complaint)
    assert not complaints, "\n" + "\n".join(complaints.values())


class TakesTooLong(Exception):
    """An order is judged for longer than any should."""


LONGEST = 2.0
"""So many seconds of this process, whatever else the machine does. Most take a thousandth."""


@contextlib.contextmanager
def soon() -> Iterator[None]:
    """Whatever is done within it ends soon, or is ended, where the system has a clock for it."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TakesTooLong

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def judged(game: GameSystem, moment: Moment, order: Order) -> Iterator[str]:
    """What is amiss with the judging of an order, or with what a legal one brings about."""
    try:
        order = from_plain(type(order), to_plain(order))
    except Misfit:
        return  # no file holds it
    try:
        with soon():
            found = kernel.violations(moment.state, order)
            step = None if found else kernel.submit(moment.state, order)
    except Exception as crash:
        where = traceback.extract_tb(crash.__traceback__)[-1]
        yield f"{type(crash).__name__} in {where.name} ({where.filename}:{where.lineno}): {order}"
        return
    for violation in found:
        yield from (f"{what}: {violation}" for what in amiss(order, violation))
    assert moment.decision
    if moment.decision.takes(order) and kernel.keeps_the_rules(moment.state, order) == bool(found):
        yield f"judged otherwise where it is known to answer: {order}"
    if step is not None:
        kernel.waits_for(step.state)
        yield from (f"{fault}, after {order}" for fault in game.faults(step.state.position))


SENTENCE = re.compile(r"(?<![A-Z.])\.$")
"""Ends with a full stop that is not that of an abbreviated name."""

MOST_NAMED = 12
"""So many names, or fewer, are a handful with some words around it."""
NO_SUCH_NAME = re.compile(r"no (unit|space|card)\b|there is no ")
"""No rule is needed to refuse what does not exist."""


def most_listed(said: Part) -> int:
    """How many names the longest list in a text has; a comma may be part of a name."""
    if isinstance(said, Message):
        return max((most_listed(part) for _, part in said.parts), default=0)
    if isinstance(said, Either | Row):
        said = said.items
    return max(len(said), *map(most_listed, said), 0) if isinstance(said, tuple) else 0


def amiss(order: Order, violation: Violation) -> Iterator[str]:
    """A violation says what, where and by which rule, and leaves the full stop to the sentence."""
    if most_listed(violation.hint) > MOST_NAMED:
        yield "its hint lists more than a player wants to read"
    if not str(violation.message) or SENTENCE.search(str(violation.message)):
        yield "a message is a clause"
    if SENTENCE.search(str(violation.hint)):
        yield "a hint is a clause"
    if (
        not violation.rule
        and not str(violation.hint)
        and not NO_SUCH_NAME.match(str(violation.message))
    ):
        yield "neither a rule nor a way out"
    if not leads_somewhere(order, violation.at):
        yield f"the path is not in {order}"


def leads_somewhere(value: Any, path: tuple[str | int, ...]) -> bool:
    """Whether a path exists in an order, field by field as players write them."""
    for key in path:
        if is_value(value):
            names = {
                str(each.metadata.get("written", each.name)): each.name for each in fields(value)
            }
            if key not in names:
                return False
            value = getattr(value, names[str(key)])
        elif isinstance(value, tuple | list):
            if not isinstance(key, int) or not 0 <= key < len(value):
                return False
            value = value[key]
        elif isinstance(value, dict):
            if key not in value:
                return False
            value = value[key]
        else:
            return False
    return True


def samples(slug: str, moment: Moment) -> Iterator[Mapping[str, Any]]:
    """The standing orders of the kit that the player who is asked may give, bound to names."""
    policies, decision = system(slug).policies, moment.decision
    assert decision
    names = system(slug).names(moment.state, decision.side, None, answering=False)
    for written in kit(slug).policies:
        bound = reading.bound(policies, names, written)
        if not reading.faults(policies, moment.state.position, decision.side, bound):
            yield bound


@pytest.mark.parametrize("slug", sorted({slug for slug, _ in TABLES}))
def test_each_sample_of_standing_orders_is_taken_from_some_player(slug: str) -> None:
    """A faulty one would test nothing."""
    moments = [
        moment
        for game, scenario in TABLES
        if game == slug
        for moment in decisions(game, scenario, 1, LOOKED_AT)
    ]
    taken = {text_of(dict(bound)) for moment in moments for bound in samples(slug, moment)}
    assert len(taken) == len(kit(slug).policies), sorted(taken)


def test_a_standing_policy_always_has_a_legal_answer(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    game = system(table[0])
    for moment in asked:
        assert moment.decision
        position, side = moment.state.position, moment.decision.side
        for written in samples(table[0], moment):
            for policy in sealing.parts(game.policies, position, side, written):
                if policy["doc"] is None:
                    continue
                check_domain(dict(policy["doc"]))
                where = policy["slot"], policy["scope"], policy["until"]
                if scopes.covers(game.policies, moment.state, moment.decision, *where):
                    answer = answering.answer(
                        game.policies, moment.state, moment.decision, policy["doc"]
                    )
                    asks = answer is None
                    assert asks or kernel.violations(moment.state, answer) == (), (policy, answer)


def test_what_is_said_openly_beside_orders_holds_until_a_time_that_the_game_knows(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    """Otherwise no entry with such orders could be signed."""
    policies = system(table[0]).policies
    if isinstance(policies, PolicyTable) and policies.begun is not None:
        for moment in asked:
            position = moment.state.position
            assert policies.times.is_in_force(position, policies.begun.until(position))


def test_what_is_sealed_can_be_written_again(
    table: tuple[str, str], asked: tuple[Moment, ...]
) -> None:
    """From what is in a file the form of the next mail is made, by which the same is sealed."""
    policies = system(table[0]).policies
    for moment in asked[:: max(1, len(asked) // 4)]:
        assert moment.decision
        position, side = moment.state.position, moment.decision.side
        for said in samples(table[0], moment):
            for part in sealing.parts(policies, position, side, said):
                if not part["doc"]:
                    continue
                again = sealing.written(policies, position, side, (part,))
                assert not reading.faults(policies, position, side, again), (said, again)
                assert part in sealing.parts(policies, position, side, again), (said, again)


def test_a_document_of_rubbish_answers_as_one_that_says_nothing(
    table: tuple[str, str], asked: tuple[Moment, ...], fuzz: int
) -> None:
    """It may come out of an enemy's mail: no document stops the game."""
    game = system(table[0])
    for number, moment in enumerate(asked):
        assert moment.decision
        if not moment.decision.policy or game.policies is NO_POLICIES:
            continue
        wild = wild_at(table[0], moment, random.Random(f"document {number}"))
        for _ in range(5 * fuzz):
            document = wild.document(help.vocabulary(game.policies))
            scopes.covers(
                game.policies, moment.state, moment.decision, "standing", document, "turn 9"
            )
            answering.shows(game.policies, moment.state, moment.decision, document)
            answer = answering.answer(game.policies, moment.state, moment.decision, document)
            assert answer is None or kernel.violations(moment.state, answer) == (), document


def test_wild_standing_orders_are_judged_as_the_published_schema_judges_them(
    table: tuple[str, str], asked: tuple[Moment, ...], fuzz: int
) -> None:
    """What the checker takes fits the schema, and makes policies which the game takes, too."""
    from jsonschema import Draft202012Validator

    game = system(table[0])
    standing, shared = help.schema(game.policies)
    verbs = orders_schema(game.title, game.verbs)["$defs"]
    schema = Draft202012Validator({**standing, "$defs": {**verbs, **shared}})
    if not help.vocabulary(game.policies):
        return
    for number, moment in enumerate(asked):
        assert moment.decision
        position, side = moment.state.position, moment.decision.side
        wild = wild_at(table[0], moment, random.Random(f"standing {number}"))
        drawn = [wild.document(help.vocabulary(game.policies)) for _ in range(5 * fuzz)]
        names = game.names(moment.state, side, None, answering=False)
        for written in (*drawn, *kit(table[0]).policies):
            bound = reading.bound(game.policies, names, written)
            if reading.faults(game.policies, position, side, bound):
                continue
            assert list(schema.iter_errors(written)) == [], written
            for part in sealing.parts(game.policies, position, side, bound):
                said = part["slot"], part["scope"], part["until"], part["doc"]
                assert sealing.misfits(game.policies, position, side, *said) == (), written


def test_wild_conditions_of_orders_are_judged_as_the_published_schema_judges_them(
    table: tuple[str, str], asked: tuple[Moment, ...], fuzz: int
) -> None:
    """What the checker takes fits the schema, a game file may hold it, and it is so or not."""
    from jsonschema import Draft202012Validator

    waiting = system(table[0]).waiting
    when, shared = waiting.schema()
    position = asked[0].state.position
    if when is None:
        assert waiting.misfits(position, {"any": True}) and waiting.example(position) == ()
        return
    words = tuple(words_in([when, shared]))
    schema = Draft202012Validator({**when, "$defs": shared})
    taken = 0
    for number, moment in enumerate(asked):
        assert moment.decision
        position, side = moment.state.position, moment.decision.side
        names = system(table[0]).names(moment.state, side, None, answering=False)
        wild = wild_at(table[0], moment, random.Random(f"when {number}"))
        shown = waiting.example(position)
        assert shown
        drawn = [wild.document(words) for _ in range(5 * fuzz)]
        for written in (*drawn, read(Source("when.yaml", shown[0])).value):
            bound = waiting.bound(names, written)
            if not waiting.misfits(position, bound):
                assert waiting.holds(position, bound) in (True, False)
            if waiting.faults(position, side, bound):
                continue
            taken += 1
            assert list(schema.iter_errors(written)) == [], written
            assert waiting.misfits(position, bound) == ()
            check_domain(bound)
    assert taken
