"""`make mutants`: takes each rule of the code away in turn, and tells which no test misses.

A mutant is a function that keeps or serves a rule and says nothing: a predicate that refuses no
order, a calculation that finds nothing. One that answers yes or no is tried both as ever-yes and as
ever-no. Of a class, a stage that asks and resolves, it is each of its methods in turn. Then come
the parts of each function (parts.py): a number one higher, a condition left out, a keyword left
out. The tests of a mutant are those of tests/games that call it, of a part those in which the
change is felt, the ones marked with its number first; each is tried in a forked child of one
process that has imported and collected everything once, and ends with the first test that fails.
Of what all games share (`SHARED`), of a game that lives in the tests, and of what neither keeps nor
serves a rule in a game, every function is tried, if a word names its package or module.
Exit status 1 when a mutant survives, or when EQUIVALENT lists one that is noticed or is none.

    python -m tests.house.mutants [WORD...] [FILE...]

WORD: only mutants whose name begins with one of the words, as `rules.movement` or
`rules.movement.path_is_connected`, `engine.conditions` of what all games share, `games.ctv.odds` of
what serves no rule in a game, or `fog.rules` of a game that lives in the tests. FILE: only the
tests of these files or folders, which is quicker, and only the mutants of the games that they test.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import resource
import sys
import typing
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from pbem.engine.model import Outcome
from pbem.games import GAMES
from pbem.play.table import begun
from tests.facedown.here import system
from tests.house import parts
from tests.house.matrix import code_citations, served

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "games"
SHARED = ("engine", "board", "gamefile", "games")
"""Packages of pbem whose functions are tried although they cite no rule."""
GROWN: Mapping[str, Callable[[], Any]] = {"fog": system}
"""Games that live in the tests, and what makes each of them importable as `pbem.games.<slug>`."""
SECONDS, BYTES = 120, 2 << 30
"""Of a processor and of memory for one mutant; one that runs for ever has been noticed."""

SUGGESTING: dict[str, tuple[str, ...]] = {
    "redeployment.Redeployment._by_sea": (
        "place in ports",
        "not position.type_of(unit).is_corps",
        "port != place",
        "position.controls(self.side, port)",
    ),
    "redeployment.Redeployment._fronts": ("if position.controls(self.side, p)",),
    "redeployment.Redeployment._candidates": ("unit not in self.moved",),
}
"""Stages that look for orders to suggest, and conditions that only save asking for each."""

EQUIVALENT: dict[str, str] = {
    "gamefile.canonical.check_domain without `not value.isprintable()`": (
        "what is printable has no control character: it saves looking for one"
    ),
    "gamefile.consent.goes_back without `step['do'] == 'takeback'`": (
        "the step behind a yes is what was agreed, and nothing else may be in the place of the head"
    ),
    "gamefile.format._gunzip 1 + 1": "one byte too many is as good as two",
    "gamefile.format._gunzip 31 + 1": "it begins as gzip, and 32 takes that and zlib's own",
    "gamefile.format.first_entry 0 + 1": "where the first entry is damaged none is told of",
    "gamefile.generations.check_may_offer 1 + 1": "no entry is before the first, whatever it is",
    "gamefile.limits.check_content without `is_small=size <= ORDERS_BYTES`": (
        "what is small as a whole is small in part: it saves encoding the part"
    ),
    "gamefile.limits.check_orders without `not is_small`": "the same",
    "gamefile.without_rules._judge_steps without `journal=()`": (
        "nobody reads what was told of earlier entries: it saves keeping it"
    ),
    "gamefile.without_rules._seal 0 + 1": "which question it answers only the rules can tell",
    "gamefile.advance._round_may_end without `any(machine.pending.given.values())`": (
        "where nothing was given ahead nothing is dropped: it saves asking for the rounds"
    ),
    "gamefile.advance.prune_policies without `not policies`": "where none stands none goes",
    "gamefile.advance.take without `at`": "nothing stands in front of the first of a list",
    "gamefile.draft._sealed 0 + 1": "nobody asks since when an order stood that is refused",
    "gamefile.machine.Machine.fixed without `self.beacons.locked is None`": (
        "whoever is asked while a beacon is locked has voided it, and sealed no answer"
    ),
    **dict.fromkeys(
        ("board.movement.cheapest 0 + 1 #2", "board.movement.within 0 + 1"),
        "nothing that leads back to the start is ever cheaper",
    ),
    **dict.fromkeys(
        (
            "engine.tagged._text without `separators=(',', ':')`",
            "engine.tagged._text without `ensure_ascii=False`",
        ),
        "the same is read, of more bytes",
    ),
    "engine.tagged._Writer._tuple without `thing`": "an empty one is read the same as rows",
    "engine.shapes.OneField.faults without `key is not None`": "no field is called None",
    "effects.builders._one_is_left 1 + 1": "of two looked for one is found where one is left",
    **dict.fromkeys(
        (
            "games.ctv.hidden.known empty",
            "games.ctv.pieces.groups empty",
            "games.ctv.pieces.owes empty",
        ),
        "it is always empty",
    ),
    "games.ctv.odds._PlayedOut.after does nothing": "it does nothing",
    "games.ctv.odds._PlayedOut.falls without `if not draw.label.startswith('air/')`": (
        "who is shot down on the way home has bombarded: it saves rolling for them"
    ),
    "games.ctv.odds._PlayedOut.ends without `not isinstance(stage, Entering | BreakingThrough)`": (
        "an advance costs no steps: it saves asking for it"
    ),
    **dict.fromkeys(
        (
            "games.ctv.odds._PlayedOut.ends 1 + 1",
            "games.ctv.odds._by_result 1 + 1",
        ),
        "all weigh twice as much: they are shares of the whole",
    ),
    "games.ctv.policies.combat._of 0 + 1": "all air units have it",
    "games.ctv.policies.facts.fits 3 + 1": "it is more than 2 as well",
    "games.ctv.rules.bombardment.supporters without `if position.at(unit)`": (
        "a headquarters in no hex cannot fire: it saves saying why"
    ),
    "games.ctv.rules.cover.in_tags without `order.columns`": "without columns none is added",
    **dict.fromkeys(
        (
            "games.ctv.rules.cover.who_could without `if is_tag(unit)`",
            "games.ctv.rules.cover.who_could without `if is_tag(unit)` #2",
        ),
        "who is known may be nobody else, and is judged by the rules: it saves asking",
    ),
    "games.ctv.rules.movement._entered without `bool(free & bits[hex])`": (
        "whoever is safe in a hex would be supplied there: it saves looking"
    ),
    "games.ctv.rules.movement._staying 0 + 1": "the first bit is a hex of sea",
    "games.ctv.rules.movement.points_told 1 + 1": "no path of one point is too long for a unit",
    "games.ctv.rules.movement.points_told 2 + 1": "it stands for more than one",
    "games.ctv.rules.movement._ways without `if position.control[hex] != side`": (
        "a source of one's own that is taken stays one's own: it saves looking for ways past it"
    ),
    **dict.fromkeys(
        (
            "games.ctv.warnings._columns without `position.holder(hex) is None`",
            "games.ctv.warnings._objectives without `position.holder(hex) is not None`",
        ),
        "no enemy enters a hex where troops are: it saves looking for one",
    ),
    "games.ctv.rules.movement._as_far_as 1 + 1 #2": "it saves asking farther than a unit can go",
    "games.ctv.warnings._who_can_enter without "
    "`if far[unit] <= movement.farthest(position, unit)`": "it saves looking for ways",
    "games.ctv.tables.Tables.troops without `if self.units[unit].is_ground`": (
        "air units are in no hex: it saves looking for them"
    ),
    **dict.fromkeys(
        (
            "games.ctv.ready._whole without `briefly=True`",
            "games.ctv.ready._whole without `briefly=True` #2",
        ),
        "it saves notes, which a form does not show",
    ),
    "games.ctv.waiting._throws 1 + 1": "of so many none has one more: there is no such throw",
    "rules.landing._in_range without `kinds=SOLID`": (
        "the one way by sea leads from Mallorca to its beach, next to which no landing is possible"
    ),
    "rules.round_end.stuck_in_movement 0 + 1": "what a way out costs is not asked, only whether",
    "stages.cover.Muster.resolve nothing happens": "nothing happens: a beacon is all it is for",
    "rules.ahead.doubts without `not state.position.down.hidden`": (
        "where nothing lies covered no order names a tag: it saves judging the order again"
    ),
    "rules.ahead.doubts without `not isinstance(order, DOUBTED)`": (
        "of no other order is anything asked below: it saves judging it again"
    ),
    "effects.builders.counts_only nothing happens": "it is the event at which nothing happens",
    "rules.movement.Steps.cost without `going=self.units`": (
        "pontoons that go along cross no damaged bridge, and by a whole one the road costs the same"
    ),
    "rules.movement._cheapest without `crowd`": "no area is without room for nobody",
    "rules.movement.Ground.entered without `place in self.own`": (
        "what is own stays own if it is added again: the question saves a copy"
    ),
    "rules.replacement.isolated_group_takes_one_point 2 + 1": (
        "an isolated division takes 2 halves and a corps 4: a limit of 3 parts them as 2 does"
    ),
    "rules.redeployment.points 0 + 1 #2": "no card has so few points",
    "rules.north._joins without `if position.controls(NATIONALIST, space)`": (
        "ground of one's own joins nothing, and need not be asked for"
    ),
    **{
        f"stages.{where} without `{part}`": "a suggestion more, and `check` judges each of them"
        for where, left_out in SUGGESTING.items()
        for part in left_out
    },
}
"""Mutants that no test can tell from the rule, each with the reason."""

NOTHING: dict[Any, tuple[tuple[str, Any], ...]] = {
    bool: (("never", False), ("always", True)),
    int: (("0", 0),),
    str: (("empty", ""),),
    tuple: (("empty", ()),),
    dict: (("empty", {}),),
    frozenset: (("empty", frozenset()),),
    type(None): (("does nothing", None),),
    Outcome: (("nothing happens", Outcome()),),
}
"""What a function that returns such a thing is replaced by."""


@dataclass(frozen=True)
class Mutant:
    """A function under a rule, and what it says in place of what it finds."""

    where: str
    numbers: tuple[str, ...]
    function: FunctionType
    is_check: bool
    how: str
    value: Any
    part: parts.Part | None = None
    """What the function does instead, where only a part of it is changed."""

    @property
    def name(self) -> str:
        return f"{self.where} {self.how}"

    @property
    def place(self) -> str:
        code = self.function.__code__
        line = self.part.line if self.part else code.co_firstlineno
        return f"{Path(code.co_filename).relative_to(ROOT)}:{line}"


def mutants(slug: str) -> Iterator[Mutant]:
    """Every mutant of a game, in the order of its modules."""
    numbers: dict[str, list[str]] = {}
    functions: dict[str, FunctionType] = {}
    for number, path in (*code_citations(slug), *served(slug)):
        for where, cited in _functions(path, _found(f"pbem.games.{slug}.{path}")):
            numbers.setdefault(where, []).append(number)
            functions[where] = cited
    yield from _mutants(functions, numbers)


def shared(words: Sequence[str]) -> Iterator[Mutant]:
    """Every mutant of the shared packages whose name begins with one of the words, and of the games
    of the tests.
    """
    functions: dict[str, FunctionType] = {}
    for package in (*SHARED, *GROWN):
        if any(word.split(".")[0] == package for word in words):
            for path, name in _modules(package):
                if any(word.startswith(name) or name.startswith(word) for word in words):
                    functions.update(_defined(path, name))
    yield from _mutants(functions, {})


def _modules(package: str) -> Iterator[tuple[str, str]]:
    """The paths of a package's modules, and what they are called in the names of mutants."""
    home = "pbem."
    if package in GROWN:
        GROWN[package]()
        home = "pbem.games."
    found = import_module(home + package)
    for each in walk_packages(found.__path__, f"{found.__name__}."):
        yield each.name, each.name.removeprefix(home)


def _defined(path: str, where: str) -> Iterator[tuple[str, FunctionType]]:
    """The functions that a module defines, and the methods of its classes."""
    for name, found in vars(import_module(path)).items():
        if getattr(found, "__module__", "") == path:
            yield from _functions(f"{where}.{name}", found)


def _mutants(
    functions: Mapping[str, FunctionType], numbers: Mapping[str, list[str]]
) -> Iterator[Mutant]:
    for where, cited in sorted(functions.items()):
        cites = tuple(numbers.get(where, ()))
        function = inspect.unwrap(cited)
        if function.__code__.co_freevars:
            continue
        is_check = cited is not function and cited.__code__.co_name == "stamped"
        ways = (("refuses nothing", ()),) if is_check else _ways(function)
        for how, value in ways:
            yield Mutant(where, cites, function, is_check, how, value)
        for part in parts.changed(function):
            yield Mutant(where, cites, function, is_check, part.how, None, part)


def _found(path: str) -> Any:
    """What a dotted path leads to; None for what is made inside a function."""
    module, _, name = path.rpartition(".")
    try:
        owner: Any = import_module(module)
    except ImportError:
        owner = _found(module) if "." in module else None
    return None if owner is None else inspect.getattr_static(owner, name, None)


def _functions(where: str, found: Any) -> Iterator[tuple[str, FunctionType]]:
    """The function itself, behind a property if need be; of a class its methods, unless they do
    nothing but say what others have.
    """
    if isinstance(found, type) and not getattr(found, "_is_protocol", False):
        for name, method in vars(found).items():
            if not name.startswith("__") and name != "check":
                yield from _functions(f"{where}.{name}", method)
    elif isinstance(found, property):
        yield from _functions(where, found.fget)
    elif isinstance(found, cached_property):
        yield from _functions(where, found.func)
    elif isinstance(found, FunctionType):
        yield where, found


def _ways(function: FunctionType) -> tuple[tuple[str, Any], ...]:
    try:
        kind = typing.get_type_hints(function).get("return")
    except NameError:  # a type that is imported for the type checker alone
        return ()
    args = typing.get_args(kind)
    if type(None) in args:
        return (("finds none", None),)
    origin = typing.get_origin(kind) or kind
    if origin is tuple and args and args[-1] is not Ellipsis:
        return ()  # a pair or a row has no nothing
    if origin in (tuple, frozenset, dict) or origin not in NOTHING:
        named = getattr(origin, "__name__", "")
        origin = {"Iterator": tuple, "Mapping": dict}.get(named, origin)
    return NOTHING.get(origin, ())


def _stand_in(*args: Any, **kwargs: Any) -> Any:
    return SUBSTITUTE(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821


def replace(function: FunctionType, substitute: Callable[..., Any]) -> None:
    """From now on the function does what `substitute` does, whoever got hold of it before."""
    name = f"in place of {function.__qualname__}"
    function.__globals__[name] = substitute
    function.__code__ = _stand_in.__code__.replace(co_names=(name,))
    function.__defaults__ = function.__kwdefaults__ = None


def keep_nothing(function: FunctionType) -> None:
    """A cached property becomes a plain one: what was found without the change is found again."""
    owner, _, name = function.__qualname__.rpartition(".")
    kind = getattr(import_module(function.__module__), owner, None)
    if isinstance(kind, type) and isinstance(vars(kind).get(name), cached_property):
        setattr(kind, name, property(function))


class Watch:
    """Tells once a test that a function is called, and of which of its parts a change is felt."""

    def __init__(self, function: FunctionType, called: set[str], where: str) -> None:
        self.function, self.called, self.where = function, called, where
        names = [f"{where} {part.how}" for part in parts.changed(function)]
        code = parts.taking_notes(function, lambda number: called.add(names[number]))
        self.kept = (code, function.__defaults__, function.__kwdefaults__)
        keep_nothing(function)

    def begin(self) -> None:
        replace(self.function, self._noting)

    def _noting(self, *args: Any, **kwargs: Any) -> Any:
        function = self.function
        function.__code__, function.__defaults__, function.__kwdefaults__ = self.kept
        self.called.add(self.where)
        return function(*args, **kwargs)


# --- the tests, in forked children ----------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """What one run of all tests without a mutant showed."""

    failed: tuple[str, ...]
    seconds: dict[str, float]
    callers: dict[str, list[str]]


def first_run(items: list[pytest.Item], functions: dict[str, FunctionType]) -> Seen:
    """Runs everything once, in as many children as there are processors."""
    many = os.cpu_count() or 1
    modules = list(dict.fromkeys(item.nodeid.split("::")[0] for item in items))
    shares = [
        [item for item in items if modules.index(item.nodeid.split("::")[0]) % many == number]
        for number in range(many)
    ]
    children = [_noting_child(share, functions) for share in shares if share]
    seen = Seen((), {}, {})
    for child, read in children:
        with os.fdopen(read) as told:
            failed, seconds, callers = json.load(told)
        os.waitpid(child, 0)
        seen = Seen((*seen.failed, *failed), seen.seconds | seconds, seen.callers)
        for name, tests in callers.items():
            seen.callers.setdefault(name, []).extend(tests)
    return seen


def _noting_child(items: list[pytest.Item], functions: dict[str, FunctionType]) -> tuple[int, int]:
    """A child, and the pipe on which it tells what failed, how long each took, who calls what."""
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        return child, read
    _quiet()
    called: set[str] = set()
    watches = {where: Watch(each, called, where) for where, each in functions.items()}
    failed: list[str] = []
    seconds: dict[str, float] = {}
    callers: dict[str, list[str]] = {}
    called.update(watches)
    for item, following in _with_next(items):
        for where in called & watches.keys():
            watches[where].begin()
        called.clear()
        forget()
        reports = runtestprotocol(item, log=False, nextitem=following)
        seconds[item.nodeid] = sum(report.duration for report in reports)
        if any(report.failed for report in reports):
            failed.append(item.nodeid)
        for where in called:
            callers.setdefault(where, []).append(item.nodeid)
    with os.fdopen(write, "w") as out:
        json.dump([failed, seconds, callers], out)
    os._exit(0)


def try_out(mutant: Mutant, items: list[pytest.Item]) -> int:
    """A child that ends with 0 when every test passes without the rule."""
    child = os.fork()
    if child:
        return child
    _quiet()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    keep_nothing(mutant.function)
    forget()
    if mutant.part is not None:
        mutant.function.__code__ = mutant.part.code
    else:
        replace(mutant.function, lambda *args, **kwargs: mutant.value)
    for item, following in _with_next(items):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            os._exit(1)
    os._exit(0)


def forget() -> None:
    """What another test has begun, made or computed is so again, and felt."""
    for kept in (begun, *_caches()):
        kept.cache_clear()


@cache
def _caches() -> tuple[Any, ...]:
    """The caches of the protocol and of its tests."""
    kept = (each for each in gc.get_objects() if isinstance(each, type(_caches)))
    homes = ("pbem.gamefile.", "tests.gamefile.")
    return tuple(each for each in kept if each.__module__.startswith(homes))


def _quiet() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _with_next(items: list[pytest.Item]) -> Iterable[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


class Hunt:
    """The pytest plugin: instead of the tests it runs the mutants."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.survivors: list[Mutant] = []
        self.wrong: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        found = {slug: list(mutants(slug)) for slug in sorted(GAMES)}
        names = {mutant.name for game in found.values() for mutant in game}
        names.update(mutant.name for mutant in shared([name.split()[0] for name in EQUIVALENT]))
        for name in sorted(EQUIVALENT.keys() - names):
            self._is_wrong(name, "it is no mutant")
        folders = {folder for item in session.items for folder in item.path.parents}
        tested = [slug for slug in found if TESTS / slug in folders] or found
        everything = [mutant for slug in tested for mutant in found[slug]]
        words = tuple(self.words) or ("",)
        cited = {mutant.function for game in found.values() for mutant in game}
        everything += (each for each in shared(self.words) if each.function not in cited)
        hunted = [mutant for mutant in everything if mutant.name.startswith(words)]
        hunted.sort(key=lambda mutant: not mutant.is_check)
        seen = first_run(session.items, {mutant.where: mutant.function for mutant in hunted})
        if seen.failed:  # as they do that look at what a cached property keeps
            print("left out, since they fail while this looks on:", *seen.failed, sep="\n  ")
        left = [item for item in session.items if item.nodeid not in seen.failed]
        self._hunt(hunted, left, seen)
        self._report(hunted)
        session.testsfailed = len(self.survivors) + len(self.wrong)
        return True

    def _hunt(self, hunted: list[Mutant], items: list[pytest.Item], seen: Seen) -> None:
        by_id = {item.nodeid: item for item in items}
        running: dict[int, Mutant] = {}
        for mutant in hunted:
            if len(running) >= (os.cpu_count() or 1):
                self._wait(running)
            felt_by = seen.callers.get(mutant.name if mutant.part else mutant.where, ())
            callers = [by_id[name] for name in felt_by if name in by_id]
            callers.sort(key=lambda item: (_distance(mutant, item), seen.seconds[item.nodeid]))
            running[try_out(mutant, callers)] = mutant
        while running:
            self._wait(running)

    def _wait(self, running: dict[int, Mutant]) -> None:
        child, status = os.wait()
        mutant = running.pop(child)
        if status == 0 and mutant.name not in EQUIVALENT:
            self.survivors.append(mutant)
            numbers = ", ".join(mutant.numbers)
            print(f"survives: {numbers or 'shared'}: {mutant.name} ({mutant.place})", flush=True)
        elif status != 0 and mutant.name in EQUIVALENT:
            self._is_wrong(mutant.name, "a test notices it")

    def _is_wrong(self, name: str, why: str) -> None:
        self.wrong.append(name)
        print(f"EQUIVALENT is wrong: {name}: {why}", flush=True)

    def _report(self, hunted: list[Mutant]) -> None:
        for title, kind in (("predicates", True), ("calculations", False)):
            tried = [mutant for mutant in hunted if mutant.is_check is kind]
            alive = Tally(mutant.is_check for mutant in self.survivors)[kind]
            print(f"{title}: {len(tried)} mutants, {len(tried) - alive} noticed, {alive} survive")


def _distance(mutant: Mutant, item: pytest.Item) -> int:
    """0 for a test marked with a number of the rule, 1 for one of its chapter, else 2."""
    marked = _marked(item)
    if marked & set(mutant.numbers):
        return 0
    chapters = {number.split(".")[0] for number in marked}
    return 1 if chapters & {number.split(".")[0] for number in mutant.numbers} else 2


@cache
def _marked(item: pytest.Item) -> frozenset[str]:
    return frozenset(number for mark in item.iter_markers("rule") for number in mark.args)


def main(words: list[str]) -> int:
    if {"-h", "--help"} & {*words}:
        sys.stdout.write(f"{__doc__}")
        return 0
    files = [word for word in words if Path(word).exists()]
    hunt = Hunt([word for word in words if word not in files])
    quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=", "--capture=no"]
    return int(pytest.main([*quiet, *(files or [str(TESTS)])], plugins=[hunt]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
