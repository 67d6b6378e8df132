"""Another language is a catalogue: every text of the log is in it, and none is glued of pieces."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from gettext import GNUTranslations
from html import unescape
from io import BytesIO
from itertools import chain, cycle
from pathlib import Path
from typing import Any

import pytest
from babel import Locale
from babel.messages.catalog import Catalog

from pbem.cli.languages import DOMAIN, language
from pbem.engine.kernel import waits_for
from pbem.engine.model import Chance
from pbem.engine.narration import together
from pbem.engine.picture import Scene, worded_board
from pbem.gamedata.load import drawing
from pbem.games import GAMES
from pbem.messages import LANGUAGES, Row, Said, Thing, in_words, say, sentence, words
from pbem.play.snapshot import read_game
from pbem.play.story import story
from pbem.render.formats import FORMATS, rendered
from pbem.render.log import Log
from pbem.render.maps.svg import picture
from pbem.value import replace
from tests.contract.playing import every_game, first_state, is_drawn, playout, some_options, system
from tests.house.catalogue import (
    catalogues,
    compiled,
    file_of,
    hidden_texts,
    is_done,
    misfits,
    names,
    texts,
    translated,
    unmarked,
)
from tests.house.matrix import slugs
from tests.house.source import modules, nodes, source_of
from tests.play.test_by_mail import game_played

ROOT = Path(__file__).resolve().parents[2]

STATUS = 0.1
"""How often a game is looked at as `pbem status` shows it."""


def seen_in(scene: Scene) -> Iterator[Said]:
    """The words on a board and beside it."""
    yield from scene.notes
    for track in scene.tracks:
        yield from (track.name, track.words)
    for camp in scene.camps:
        yield from (camp.hand_is, *camp.facts, *(name for name, _ in camp.boxes))
        yield from (each for held in camp.hand for each in (held.title, held.worth))
    for place in scene.places.values():
        yield from (sign.words for sign in (*place.works, *place.marks))
        yield from (unit.words for unit in place.units)


GLUED = re.compile(r"""['"],? (?:and|or) ['"]\.join""")
"""A list put together with an English word; a tuple in a gap, or `either`, is a list in any."""


def test_no_list_is_put_together_in_english() -> None:
    asks_for_the_word = {"pbem/messages.py", "pbem/play/cards.py"}
    found = [
        name
        for path in modules()
        if (name := path.relative_to(ROOT).as_posix()) not in asks_for_the_word
        and (GLUED.search(source_of(path)) or "words import listing" in source_of(path))
    ]
    assert found == []


WITHIN_A_WORD = re.compile(r"[A-Za-z]\{|\}[A-Za-z]")
NO_WORDS = frozenset({"{what} {number}L", "{what} {number}R", "{why} {columns}L [{rule}]",
                      "{why} {columns}R [{rule}]"})  # fmt: skip
"""Shifts of columns to the left and to the right, as the tables have them."""


def every_text() -> list[str]:
    """The texts of all messages, each in the singular and in the plural."""
    ids = (each.id if isinstance(each.id, tuple) else (each.id,) for each in texts() if each.id)
    return [text for forms in ids for text in forms if "0x{" not in text and text not in NO_WORDS]


def test_no_word_is_glued_to_a_gap() -> None:
    """Nobody can translate "{kind}s" or "step{s}"."""
    assert [text for text in every_text() if WITHIN_A_WORD.search(text)] == []


INFINITIVE = re.compile(r"\w*[aeií]r(?:se|l[aeo]s?)?\b")
TO_YOU = {
    "en": re.compile(r"\byou(?:rs?)?\b"),
    "es": re.compile(r"\b(?:tus?|tuy[ao]s?|te|ti)\b"),
}
"""Words that speak to the one who is asked."""


def prompts() -> Iterator[tuple[str, ...]]:
    """The texts of what players are asked, in all games: one, or singular and plural."""
    for node in chain.from_iterable(nodes(path) for path in modules() if asks(path)):
        names = node.targets if isinstance(node, ast.Assign) else ()
        is_argument = isinstance(node, ast.keyword) and node.arg == "prompt"
        if is_argument or any(isinstance(each, ast.Name) and each.id == "prompt" for each in names):
            assert isinstance(node, ast.keyword | ast.Assign)
            for forms in said_in(node.value):
                if not forms[0].startswith("{prompt}"):  # more behind another one
                    yield forms


def asks(path: Path) -> bool:
    """Whether a prompt may be in a module; the others need no walk."""
    return "prompt" in source_of(path)


def said_in(told: ast.expr) -> Iterator[tuple[str, ...]]:
    """The texts of a message that is written in place, also of one of two."""
    if isinstance(told, ast.IfExp):
        yield from chain(said_in(told.body), said_in(told.orelse))
    elif isinstance(told, ast.Call) and ast.unparse(told.func) in ("say", "say_many"):
        if isinstance(told.args[0], ast.IfExp):
            either = told.args[0].body, told.args[0].orelse
            yield from ((each.value,) for each in either if isinstance(each, ast.Constant))
        forms = [each.value for each in told.args if isinstance(each, ast.Constant)]
        if forms:  # for `say_many` behind the name of what is counted
            yield tuple(forms[1:] or forms)


def test_what_is_asked_can_stand_behind_asked_to() -> None:
    """Who is asked to "clear a hex" is told so in a sentence: in Spanish that is an infinitive,
    where an English verb has but one form.
    """
    told = language("es")
    spanish = {
        (forms, number): told.gettext(*forms) if len(forms) == 1 else told.ngettext(*forms, number)
        for forms in prompts()
        for number in range(1, len(forms) + 1)
    }
    assert len(spanish) > 80
    assert [each for each in spanish.values() if not INFINITIVE.match(each)] == []
    # It is told to both players, so what is asked says whose by the name of the side, or not.
    addressed = [form for forms in prompts() for form in forms if TO_YOU["en"].search(form)]
    assert addressed + [each for each in spanish.values() if TO_YOU["es"].search(each)] == []


def plural_nouns() -> frozenset[str]:
    """The nouns by which the plural form of a message differs from its singular."""
    pairs = [each.id for each in texts() if isinstance(each.id, tuple)]
    words_of = [[re.findall("[A-Za-z]+", form) for form in pair] for pair in pairs]
    even = [pair for pair in words_of if len(pair[0]) == len(pair[1])]
    both = [each for one, many in even for each in zip(one, many, strict=True)]
    return frozenset(many for one, many in both if many in (f"{one}s", f"{one}es"))


NO_ADJECTIVE = "and|are|at|by|can|comes|for|from|has|if|in|is|loses|of|on|to|with|would"
NUMBER_OF = re.compile(
    r"(?<!at most )(?<!more than )\{(\w+)\}((?: (?!(?:" + NO_ADJECTIVE + r")\b)[a-zA-Z-]+){1,3})"
)
"""A gap, and the noun behind it with its adjectives: "{points} troop points"."""
NAMED = frozenset({
    "currencies", "currency", "markers_of", "name", "phase", "side", "turned", "type", "unit",
    "wanted",
})  # fmt: skip
"""Gaps before a noun that hold a name and no number."""
NEVER_ONE = frozenset({
    "a division must stand in front hexes, its headquarters there or next to one; Basques within "
    "{number} hexes of those that end in {place}, but for two brigades",
    "assaults {area}, {attack} against {defence}: should lose {lost} loss points and cost the "
    "enemy {cost}; clears the area {chance}",
    "attackers and defenders would be {troops} troop points, and {hex} holds {most}",
    "attacks {area}, {attack} against {defence}: should lose {lost} loss points and cost the "
    "enemy {cost}; clears the area {chance}",
    "attacks {hex}: should lose {lost} troop points and take {taken}",
    "bombards {area}: should cost {cost} loss points",
    "bombards {hex}: {lost} troop points on average",
    "counter-attacks with {count} of {all}: should lose {lost} loss points and cost the enemy "
    "{cost}",
    "does not counter-attack: should lose {lost} loss points and cost the enemy {cost}",
    "plays {chit} on {area}: should cost {cost} loss points",
    "the batteries could fire at {number} different hexes",
    "this costs {sums} = {sum} movement points, and the stack has {there}",
    "one battalion, or units of {most} troop points in all",
    "up to {points} stacking points might be in {hex}, twice its limit of {limit}, as far as both "
    "know",
    "victory after turn {turn}: Nationalist with {high} Victory Points or more, Republican with "
    "{low} or fewer",
    "{decks}; {m} trial layouts of a mix",
    "{points} stacking points attack from {hex}, and at most {limit} from one hex may attack "
    "{target}",
    "{points} stacking points would be in {hex}, twice its limit of {limit}: all would be "
    "eliminated",
    "{troops} troop points are in {hex}, which holds {most}",
    "{hex} is {far} hexes from {unit}, whose range is {range}",
    "{unit} is {far} hexes from {hex}, and reaches {most}",
    "attacks {where}, {ours} against {theirs}: wins {chance}, should lose {lost} steps and cost "
    "the enemy {cost}",
    "attacks {hex}: should lose {lost} steps and take {taken}",
    "an area has room for {most} units of a side",
    "for {number} impulses the Republicans may neither fight nor bombard",
    "name {count} units that are to be spent",
    "pbem games {game} lists all {number} options",
    "name {count} units that are to turn fresh",
    "there are {begins} blocks in one text: which one do you mean?",
    "the cut-off north gets {ration} points of REP a turn and has already had {north}",
    "{beacons} beacons were completed since entry {to}, so both players know their dice, rolled or "
    "not",
    "{phase} adds {cards} cards, but the {side} deck has {found}",
    "{number} values for dice on each player's chain",
    "{place} has {number} units",
    "{side} loses {least} to {most} steps",
    "{space} has {units} units; the limit is {limit}",
    "{space} would have {units} units; the limit is {limit}, and none of them could leave",
    "{space} would have {units} units; the limit is {limit}, and the points left could not change "
    "that",
    "{steps} of {full} steps",
})  # fmt: skip
"""Texts in one form whose number is a decimal, a fixed number above one, or above a limit."""


def in_one_form() -> Iterator[str]:
    """The texts without a singular in which a number of things is told."""
    nouns = plural_nouns()
    for each in texts():
        if isinstance(each.id, str):
            found = NUMBER_OF.findall(each.id)
            if any(gap not in NAMED and nouns & {*behind.split()} for gap, behind in found):
                yield each.id


def test_a_number_of_things_has_a_singular() -> None:
    """As say_many gives it: no message says "1 units"."""
    assert {"cards", "points", "units"} <= plural_nouns()
    assert sorted(set(in_one_form()) ^ NEVER_ONE) == []


def told_in(slug: str, scenario: str, seed: int) -> Iterator[Said]:
    """Whatever a random game gives to be told: its events, dice, headings, and its status."""
    rng = random.Random(f"{slug} {scenario} {seed}")
    its = system(slug)
    options = some_options(slug, scenario, rng)
    for moment in playout(slug, scenario, seed, options=options):
        asked = waits_for(moment.state)
        for event, position in zip(moment.step.events, moment.step.positions, strict=True):
            message = its.narration.narrate(event, position)
            if message is not None:
                yield message
        position = moment.step.state.position
        if rng.random() < STATUS:
            yield from its.narration.summary(position)
            yield from (line for side in its.sides for line in its.narration.own(position, side))
            yield from seen_in(its.picture.scene(position, its.sides[0]))
        if (ended := its.result(position)) is not None:
            yield ended.told or say(ended.reason)
        clock = its.clock(position)
        yield clock.chapter
        yield clock.heading
        if isinstance(asked, Chance):
            yield from (draw.purpose for draw in asked.draws)


@pytest.mark.parametrize(("slug", "scenario"), every_game())
def test_random_games_are_told_by_the_catalogue_alone(slug: str, scenario: str) -> None:
    told = list(told_in(slug, scenario, 1))
    assert len(told) > 50
    assert sorted({fault for each in told for fault in unmarked(each, slug)}) == []


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_game_says_how_its_sides_are_called(slug: str) -> None:
    its = system(slug)
    for side in its.sides:
        assert list(unmarked(say(its.words.of_side(side)), slug)) == []


@pytest.mark.parametrize(("slug", "scenario"), every_game())
def test_a_game_says_what_kinds_of_names_it_has(slug: str, scenario: str) -> None:
    """As in "no hex is named 'Toledo'"."""
    its, state = system(slug), first_state(slug, scenario).state
    for side in its.sides:
        kinds = its.names(state, side, None, answering=False).printed
        assert [fault for kind in kinds for fault in unmarked(say(kind), slug)] == []


def test_what_is_glued_of_pieces_is_found() -> None:
    """The test above can fail."""
    assert list(unmarked(say("{side} play no tricks", side="N5"), "crusade"))
    assert list(unmarked(say("reduced"), "crusade")) == []
    assert list(unmarked(say("die {die}", die="two"), "crusade")) == ["'two' is no name"]
    assert list(unmarked(say("die {die}", dice=2), "crusade")) == ["'die {die}' is given ['dice']"]
    assert list(unmarked((Row(("a rock",)), Thing("X", "Foot")), "crusade")) == [
        "'a rock' is no name",
        "'Foot' is no name",
    ]


@pytest.fixture(scope="module")
def log() -> Log:
    """A game by mail with dice, standing orders, lapses, words of the players."""
    return story(read_game(game_played("one").raw))


def test_a_whole_log_is_told_by_the_catalogue(log: Log) -> None:
    told = [said for said, kind in everything(log) if kind != "say" and said]
    assert len(told) > 80
    wanted = {fault for each in told for fault in unmarked(each, "crusade", WRITTEN)}
    assert sorted(wanted) == []


WRITTEN = frozenset({"order", "why", "what"})
"""Parts of a log with what a player wrote, or with a problem, which is not yet a message."""


def everything(log: Log) -> Iterator[tuple[Said, str]]:
    """All that a log says, and what kind of line says it; its notes tell the terms, in English."""
    for chapter in log.chapters:
        yield chapter.title, ""
        for paragraph in chapter.paragraphs:
            yield paragraph.heading, ""
            yield paragraph.side, ""
            for line in paragraph.lines:
                yield line.by, ""
                if not (line.kind == "order" and isinstance(line.text, str)):
                    yield line.text, line.kind


# --- a catalogue in use


@cache
def pseudo(mark: str = "⟦{}⟧") -> GNUTranslations:
    """A language that gettext reads, in which each text is its own between brackets."""
    found = deepcopy(texts())
    found.locale = Locale("en")
    for message in found:
        if isinstance(message.id, tuple):
            message.string = tuple(mark.format(text) for text in message.id)
        elif message.id:
            message.string = mark.format(message.id)
    return GNUTranslations(BytesIO(compiled(found)))


@pytest.mark.parametrize("style", sorted(FORMATS))
def test_a_catalogue_changes_every_sentence_and_nothing_else(style: str, log: Log) -> None:
    english, other = rendered(log, style), rendered(log, style, pseudo())
    assert other != english
    if style not in ("text", "journal"):  # which fold their lines
        assert re.sub("[⟦⟧]", "", other).lower() == english.lower()  # no text begins with ⟦
    plain = json.loads(rendered(log, "json", pseudo()))
    for chapter in plain["chapters"]:
        for paragraph in chapter["paragraphs"]:
            heads = (chapter["title"], paragraph["heading"], paragraph["side"])
            lines = [each["text"] for each in paragraph["lines"] if each["kind"] in MADE]
            assert all(text[0] == "⟦" and text[-1] == "⟧" for text in (*heads, *lines) if text)


MADE = ("event", "note", "roll", "lapse")


@pytest.mark.parametrize(("slug", "scenario"), every_game())
def test_a_catalogue_changes_every_line_of_a_status(slug: str, scenario: str) -> None:
    its = system(slug)
    position = first_state(slug, scenario).state.position
    for said in (*its.narration.summary(position), *its.narration.own(position, its.sides[0])):
        told = words(said, pseudo())
        assert told[0] == "⟦" and told[-1] == "⟧"
        # A kind that ends in a bracket shares it with the name, where no mark comes between.
        shared = re.sub("[⟦⟧]", "", told.replace(")⟧ (", ", "))
        assert shared == words(said)


@pytest.mark.parametrize(("slug", "scenario"), [each for each in every_game() if is_drawn(each[0])])
def test_a_catalogue_changes_every_word_of_a_board(slug: str, scenario: str) -> None:
    its, plain = system(slug), drawing(slug, scenario)
    position = first_state(slug, scenario).state.position
    scene, clock = its.picture.scene(position, its.sides[0]), its.clock(position)
    board, sheet = its.picture.board(plain), its.picture.sheet(plain)
    drawn = picture(board, sheet, scene, "", clock.words, (), None, pseudo())
    told = re.findall(r"<(?:text|title|desc|tspan)[^>]*>([^<]+)", drawn)
    assert len(told) > 60
    known = {str(spot.name) for spot in board.spots} | {
        str(line) for label in sheet.labels.values() for line in label.lines
    }
    known |= {str(each.words) for each in sheet.texts if each.kind == "river"}
    told_by_names = re.compile(
        "⟦.*⟧|" + "|".join(map(re.escape, sorted(known | names(slug), key=len, reverse=True)))
    )
    left = (told_by_names.sub("", unescape(each)) for each in told)
    assert [each for each in left if re.search("[a-z]{2}", each)] == []


@pytest.mark.parametrize("slug", [*filter(is_drawn, sorted(GAMES))])
def test_a_side_on_a_board_begins_with_a_capital_in_any_language(slug: str) -> None:
    board = system(slug).picture.board(drawing(slug))
    for code in LANGUAGES:
        told = [str(party.name) for party in worded_board(board, language(code)).parties]
        assert len(told) == 2 and all(name[0].isupper() for name in told)


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_catalogue_changes_every_word_of_a_card(slug: str) -> None:
    for face in in_words(system(slug).cardbook.faces(), pseudo()):
        for told in (face.title, face.kind, face.worth, *face.text):
            assert told[0] == "⟦" and told[-1] == "⟧"


def test_units_are_counted_by_the_rules_of_the_language() -> None:
    units = (Thing("F-1"), Thing("F-2"))
    told = together("units", "{units} is eliminated", "{units} are eliminated", units=units)
    assert sentence(told, pseudo()) == "⟦⟦F-1 ⟦and⟧ F-2 are eliminated⟧.⟧"
    assert sentence(told.with_part("units", units[:1]), pseudo()) == "⟦⟦F-1 is eliminated⟧.⟧"


def test_the_gaps_of_every_text_and_translation_fit() -> None:
    assert list(misfits(texts())) == []


@pytest.mark.parametrize(
    "translated", ["{unidad} queda reducida", "queda reducida", "{units} {units} {more}"]
)
def test_a_translation_with_other_gaps_is_found(translated: str) -> None:
    found = Catalog()
    found.add("{units} is reduced", translated)
    assert len(list(misfits(found))) == 1
    forms = Catalog(locale="en")
    forms.add(("{units} is reduced", "{units} are reduced"), ("{units} es", translated))
    assert len(list(misfits(forms))) == 1


class Wrong(GNUTranslations):
    """A language in which every text is the same."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self.told = told

    def gettext(self, message: str) -> str:
        return self.told

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.told


def test_a_log_is_told_whatever_a_catalogue_says(log: Log) -> None:
    """A wrong catalogue gives wrong words, and no traceback."""
    styles = cycle(FORMATS)  # each has its turn, and each takes its words from the same function
    for told in ("{", "{}", "{0.__class__}", "", "}", "{nobody}", "%s"):
        assert rendered(log, next(styles), Wrong(told))


# --- the languages there are


@pytest.mark.parametrize("domain", sorted((DOMAIN, *slugs())))
@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_every_text_is_translated(code: str, domain: str) -> None:
    """What is missing here, `make texts` puts into the catalogue."""
    path = file_of(domain, code)
    assert path.exists(), "make texts"
    found = translated(path)
    assert {message.id for message in found} == {message.id for message in catalogues()[domain]}
    assert [message.id for message in found if message.id and not is_done(message)] == []
    assert list(misfits(found)) == []
    assert path.with_suffix(".mo").read_bytes() == compiled(found)


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_what_two_games_say_alike_they_say_alike_in_every_language(code: str) -> None:
    """A reader has one language for all games; what the house says, no game translates again."""
    told: dict[Any, dict[str, Any]] = {}
    for domain in catalogues():
        for message in translated(file_of(domain, code)):
            if message.id:
                told.setdefault(message.id, {})[domain] = message.string
    twice = {text: found for text, found in told.items() if len(found) > 1}
    assert [text for text, found in twice.items() if DOMAIN in found] == []
    assert {text: found for text, found in twice.items() if len({*found.values()}) > 1} == {}


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_reader_finds_the_texts_of_every_game(slug: str) -> None:
    reader = language(LANGUAGES[1])
    kept = [each for each in translated(file_of(slug, LANGUAGES[1])) if isinstance(each.id, str)]
    assert [each.id for each in kept if each.id and reader.gettext(each.id) != each.string] == []


def test_no_text_is_inside_another_string() -> None:
    """Babel looks into no f-string, and would miss it."""
    assert sorted(hidden_texts()) == []


UNEVEN = re.compile(
    r"\b[Dd]e el \b|\b[Aa] el \b| y (?:i|hi)(?![aeo])| o h?o"
    r"|\{units?\} (?:ya )?(?:queda|quedan|está|están|quedaría|quedarían) \w+[ai]d[oa]s?\b"
    r"|\b(?:la|una|mano|carta|ronda|fase|tirada) \{side\}"
)
"""What no Spanish text has: words that sound or agree otherwise. Units are of either gender, so a
word about one in a gap must suit both; what belongs to a side is "del bando {side}"."""


def test_spanish_texts_agree_with_whatever_fills_their_gaps() -> None:
    found = [
        told
        for domain in catalogues()
        if "es" in LANGUAGES
        for message in translated(file_of(domain, "es"))
        for told in ([message.string] if isinstance(message.string, str) else message.string)
        if message.id and UNEVEN.search(told)
    ]
    assert found == []
    uneven = ("{unit} está agotada", "vuelve a el norte", "la mano {side}", "oro y hilo")
    assert all(map(UNEVEN.search, uneven)), "the search can find something"


def test_a_log_in_spanish(log: Log) -> None:
    told = rendered(replace(log, title=""), "markdown", language("es"))
    assert "Turno 1, agosto de 1936 (Guerra de las Columnas)" in told
    assert "Los nacionales juegan Puente aéreo (N1) como evento." in told
    written = re.compile("`[^`]*`|^> .*", re.M)  # orders and words of the players
    assert not re.search(r"\b(the|is|are|of|and)\b", written.sub("", told))
