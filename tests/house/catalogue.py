"""The texts that can be translated, found in the sources by Babel: `make texts` writes them.

The house has a catalogue of each language, and so has each game, beside its rules: there a text
that is new is left empty, or is marked fuzzy with the translation of a similar one. Where a text
was translated in another catalogue (it moved, or another game says it too), that is taken over.
A new language begins with its code in `LANGUAGES` (messages.py).
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from pbem.cli.languages import DOMAIN, TRANSLATIONS
from pbem.gamedata.load import load
from pbem.gamefile.shapes import OPTIONS_OF_THE_FILE
from pbem.games import GAMES
from pbem.messages import LANGUAGES, Message, Row, Thing
from pbem.render.page_words import texts_of_page, texts_of_script
from tests.contract.kits import kit
from tests.house.matrix import game, rules_of, slugs
from tests.house.source import nodes, source_of

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS: dict[str, Any] = {
    "say": None, "marked": None, "gettext": None,
    "say_many": (2, 3), "marked_many": (1, 2), "together": (2, 3), "both": (2, 3),
}  # fmt: skip
"""The functions of pbem/messages.py and pbem/engine/narration.py, and where their texts stand."""
SAYS = re.compile(rf"\b({'|'.join(KEYWORDS)})\(")
"""What a module that has a text to translate cannot be without; the others need no parsing."""
TEXTS_OF = {".js": texts_of_script, ".html": texts_of_page}
GAP = r"\{(\w+)\}"
CLICK = "pbem/cli/click_texts.py"
BEGUN = datetime(2026, 11, 23, tzinfo=UTC)
"""When the first catalogue was begun; of a later one the repository knows it."""


@cache
def catalogues() -> Mapping[str, Catalog]:
    """Every text by its domain: what the house says, then what each game says beside that."""
    found = {domain: Catalog(project=domain) for domain in (DOMAIN, *slugs())}
    homes = {package_folder(slug): slug for slug in slugs()}
    for path in sorted((ROOT / "pbem").rglob("*.*")):
        domain = next((slug for home, slug in homes.items() if home in path.parents), DOMAIN)
        where = path.relative_to(ROOT).as_posix()
        for line, text in _texts_in(path):
            found[domain].add(text, locations=[(where, line)])
    for text in OPTIONS_OF_THE_FILE.values():
        found[DOMAIN].add(text, locations=[("pbem/gamefile/shapes.py", 1)])
    for slug in slugs():
        for text in _in_data(slug):
            found[slug].add(text, locations=[(f"data/{slug}", 1)])
    for slug in slugs():
        for message in [each for each in found[slug] if each.id and each.id in found[DOMAIN]]:
            found[slug].delete(message.id)
    return found


def package_folder(slug: str) -> Path:
    """Where the rules of a game are, and its catalogues below them."""
    spec = find_spec(game(slug).package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def file_of(domain: str, code: str) -> Path:
    """The catalogue of a domain in a language."""
    home = Path(TRANSLATIONS) if domain == DOMAIN else package_folder(domain) / "translations"
    return home / code / "LC_MESSAGES" / f"{domain}.po"


def _texts_in(path: Path) -> Iterator[tuple[int, Any]]:
    """The texts of a module, or of a script or a page that is served, with their lines."""
    if path.suffix == ".py" and SAYS.search(source_of(path)):
        yield from _said(nodes(path))
    elif find := TEXTS_OF.get(path.suffix):
        yield from ((1, text) for text in find(source_of(path)))


def _in_data(slug: str) -> Iterator[str]:
    """What the data of a game say in words.

    A game that is being built may have no kit yet: then the module `words` of its tests says it.
    """
    tables = load(slug).tables
    its = game(slug).open(tables)
    editions: tuple[tuple[str, ...], ...] = ()
    if slug in GAMES or find_spec(f"tests.games.{slug}.kit"):
        words, editions = kit(slug).words, kit(slug).editions
    else:
        words = import_module(f"tests.games.{slug}.words").words
    yield from words(tables)
    yield from (each.title for each in (*its.scenarios(), *its.options()))
    yield from (its.edition(frozenset(options)) for options in ((), *editions))
    yield from (rule.text for rule in rules_of(slug) if rule.text)


def _said(code: Iterable[ast.AST]) -> Iterator[tuple[int, Any]]:
    """The texts of a module with their lines; of a choice (`if`, `else`) each is one.

    Babel's own reader would join the texts of a choice.
    """
    for call in code:
        if isinstance(call, ast.Call) and _name(call) in KEYWORDS:
            places = KEYWORDS[_name(call)] or (1,)
            given = [list(_constants(call.args[at - 1])) for at in places if at <= len(call.args)]
            if len(given) == len(places):
                for texts in zip(*given, strict=True):
                    yield call.lineno, texts if len(texts) > 1 else texts[0]


def _name(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def _constants(part: ast.expr) -> Iterator[str]:
    if isinstance(part, ast.IfExp):
        yield from _constants(part.body)
        yield from _constants(part.orelse)
    elif isinstance(part, ast.Constant) and isinstance(part.value, str):
        yield part.value


def hidden_texts() -> Iterator[str]:
    """The places of texts to translate that are written inside an f-string."""
    for path in (ROOT / "pbem").rglob("*.py"):
        if not SAYS.search(source_of(path)):
            continue
        strings = [each for each in nodes(path) if isinstance(each, ast.JoinedStr)]
        for call in (part for each in strings for part in ast.walk(each)):
            if isinstance(call, ast.Call) and _has_a_text(call):
                yield f"{path.relative_to(ROOT)}:{call.lineno}"


def _has_a_text(call: ast.Call) -> bool:
    return _name(call) in KEYWORDS and any(isinstance(each, ast.Constant) for each in call.args)


def gaps(text: str) -> set[str]:
    return set(re.findall(GAP, text))


def misfits(found: Catalog) -> Iterator[str]:
    """Texts whose forms, or whose translation, have other gaps than the text itself.

    click fills the gaps of its own texts.
    """
    for message in found:
        if any(path == CLICK for path, _ in message.locations):
            continue
        forms = [message.id] if isinstance(message.id, str) else list(message.id)
        told = message.string if isinstance(message.string, list | tuple) else [message.string]
        wanted = gaps(forms[0])
        for form in (*forms, *filter(None, told)):
            if form and gaps(form) != wanted:
                yield f"{form!r} has not the gaps of {forms[0]!r}"


A_WORD = r"[a-z]{2}"
"""What has no two small letters in a row is no word: ids, numbers, signs."""


@cache
def known(slug: str) -> frozenset[Any]:
    """What can be told in a game: its own texts and those of the house."""
    return frozenset(message.id for message in texts(DOMAIN, slug) if message.id)


@cache
def names(slug: str) -> frozenset[str]:
    """Every text of the data of a game."""
    return frozenset(_strings(load(slug).tables))


def _strings(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, Mapping):
        yield from plain
        for key, value in plain.items():
            if key != "provenance":
                yield from _strings(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from _strings(value)


def unmarked(told: Any, slug: str, free: Set[str] = frozenset()) -> Iterator[str]:
    """What of a message is in no catalogue, and is no name either.

    A text in one of the `free` parts is left alone.
    """
    if isinstance(told, Message):
        key = (told.text, told.many) if told.many else told.text
        if key not in known(slug):
            yield f"{key!r} is not in the catalogue"
        given = dict(told.parts)
        if not gaps(told.text) | gaps(told.many) <= given.keys():
            yield f"{told.text!r} is given {sorted(given)}"
        for name, part in told.parts:
            if not isinstance(part, str) or name not in free:
                yield from unmarked(part, slug, free)
    elif isinstance(told, Thing):
        yield from unmarked((told.kind, told.name, told.state), slug, free)
    elif isinstance(told, Row | tuple):
        for each in told.items if isinstance(told, Row) else told:
            yield from unmarked(each, slug, free)
    elif isinstance(told, str) and told not in names(slug) and re.search(A_WORD, told):
        yield f"{told!r} is no name"


def translated(path: Path) -> Catalog:
    """A catalogue as it is kept."""
    with path.open("rb") as file:
        return read_po(file)


def compiled(found: Catalog) -> bytes:
    """A catalogue as gettext reads it."""
    file = BytesIO()
    write_mo(file, found)
    return file.getvalue()


@cache
def texts(*domains: str) -> Catalog:
    """What these say; where none is named, the house and all games."""
    every = Catalog()
    for domain in domains or catalogues():
        for message in catalogues()[domain]:
            if message.id:
                every.add(message.id, locations=message.locations)
    return every


def main() -> None:
    (ROOT / "build").mkdir(exist_ok=True)
    for domain, wanted in catalogues().items():
        with (ROOT / "build" / f"{domain}.pot").open("wb") as file:
            write_po(file, wanted, sort_output=True)
    for code in LANGUAGES[1:]:
        kept = {domain: _kept(file_of(domain, code), code) for domain in catalogues()}
        done = {each.id: each for found in kept.values() for each in found
                if each.id and is_done(each)}  # fmt: skip
        for domain, found in kept.items():
            _bring_up_to_date(found, catalogues()[domain], done)
            path = file_of(domain, code)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                write_po(file, found, sort_output=True, ignore_obsolete=True, include_lineno=False)
            path.with_suffix(".mo").write_bytes(compiled(found))
            todo = sum(not is_done(message) for message in found if message.id)
            sys.stdout.write(f"{path.relative_to(ROOT)} written, {todo} texts to translate\n")


def _kept(path: Path, code: str) -> Catalog:
    """A catalogue as it is; a new one of a game has the head of the house's."""
    if path.exists():
        return translated(path)
    found = Catalog(locale=code, creation_date=BEGUN)
    if path != (house := file_of(DOMAIN, code)) and house.exists():
        like = translated(house)
        found.header_comment, found.mime_headers = like.header_comment, like.mime_headers
        found.fuzzy = like.fuzzy
    return found


def _bring_up_to_date(found: Catalog, wanted: Catalog, done: Mapping[Any, Any]) -> None:
    """What is translated elsewhere is taken over, for it has moved or is said there too."""
    for message in wanted:
        if message.id and message.id not in found and message.id in done:
            found.add(message.id, done[message.id].string)
    found.update(wanted, update_creation_date=False)


def is_done(message: Any) -> bool:
    """Whether every form of a text is translated, and not only guessed."""
    forms = message.string if isinstance(message.string, list | tuple) else [message.string]
    return all(forms) and not message.fuzzy


if __name__ == "__main__":
    main()
