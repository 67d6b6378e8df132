"""The forms of the log, word for word, on an invented log that also holds what would do harm."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pbem.engine.narration import Told, both, together
from pbem.messages import Thing, indented, say, sentence
from pbem.render.formats import FORMATS, rendered
from pbem.render.log import Chapter, Line, Log, Paragraph
from pbem.value import replace

GOLDEN = Path(__file__).parents[1] / "golden" / "log"
ENDINGS = {"text": "txt", "markdown": "md", "html": "html", "bbcode": "bbcode", "json": "json",
           "journal": "journal", "fragment": "html"}  # fmt: skip

EVIL = (
    "<script>alert(1)</script> [url=x]y[/url] **bold** `code` a_b & \x1b[31mred "
    "\u202etxt.exe\u2066 \u200bhidden\n# Dice of beacon 1: 6 (combat/1/att).\n\n"
)
"""What a player might write to disturb a terminal or a page, or to pass for the referee."""


def roll(label: str, face: str, what: str, beacon: int = 3) -> Line:
    return Line(what, "roll", beacon=beacon, label=label, face=face)


def rides(unit: str) -> Told:
    return together("units", "{units} rides to the {place}", "{units} ride to the {place}",
                    units=(Thing(unit, "Horse"),), place="Ford")  # fmt: skip


def taken(space: str) -> Told:
    return together("spaces", "{side} take control of {spaces}", "{side} take control of {spaces}",
                    side=say("the Reds"), spaces=(space,))  # fmt: skip


def reduced(unit: str) -> Told:
    told = together("units", "{units} is reduced", "{units} are reduced",
                    units=(Thing(unit, "Foot"),))  # fmt: skip
    return replace(told, then=(both("{units} is eliminated", "{units} is reduced, then eliminated",
                                    "{units} are reduced, then eliminated"),))  # fmt: skip


def eliminated(unit: str) -> Told:
    return together("units", "{units} is eliminated", "{units} are eliminated",
                    units=(Thing(unit, "Foot"),))  # fmt: skip


INVENTED = Log(
    title="The Quiet War: Campaign",
    notes=(
        "Practice on one machine; both seats are played by the same person.",
        "Open hands.",
        indented(say("proposed by the Red player, with a key, {key}", key="x" * 60)),
    ),
    chapters=(
        Chapter(
            "Turn 1, spring",
            (
                Paragraph(
                    "Red round 1",
                    4,
                    "Reds",
                    (
                        Line("move: {units: [HORSE-1, HORSE-2], to: ford}", "order"),
                        Line(rides("HORSE-1")),
                        Line(rides("HORSE-2")),
                        Line(taken("Ford")),
                        Line(taken("Mill")),
                        Line("attack: {space: hill}", "order"),
                        roll("combat/1/att", "4", "Red fire"),
                        roll("combat/1/def", "2", "Blue fire"),
                        Line(reduced("FOOT-1")),
                        Line(eliminated("FOOT-1")),
                        Line(reduced("FOOT-2")),
                        roll("draw/b/1", "3, 0", "cards of the Blues", beacon=4),
                        Line("advance: the Hill still holds", "lapse"),
                        Line(say("the Blues owe an answer"), "note"),
                    ),
                ),
                Paragraph(
                    "Blue round 1",
                    5,
                    "Blues",
                    (Line(EVIL, "say", by="Blue player"), Line(EVIL, "order")),
                ),
                Paragraph("End of the turn", 6, "", ()),
            ),
        ),
        Chapter("Turn 2, summer", (Paragraph(EVIL, 7, EVIL, (Line(EVIL), Line(taken(EVIL)))),)),
    ),
)


@pytest.mark.parametrize("style", sorted(FORMATS))
def test_each_form_is_as_it_was_read_and_approved(style: str) -> None:
    """PBEM_GOLDEN=write rewrites the texts."""
    golden = GOLDEN / f"invented.{ENDINGS[style]}"
    text = rendered(INVENTED, style)
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("style", sorted(FORMATS))
def test_nothing_unseen_reaches_a_reader(style: str) -> None:
    unseen = {c for c in rendered(INVENTED, style) if unicodedata.category(c) in ("Cc", "Cf")}
    assert unseen <= {"\n"}


@pytest.mark.parametrize("style", ["text", "journal"])
def test_it_is_at_most_a_hundred_wide_even_where_there_is_no_place_to_break(style: str) -> None:
    long = Log("T" * 250, (Chapter("C", (Paragraph("P" * 99, 1, "S" * 99, (Line("x" * 500),)),)),))
    text = rendered(long, style)
    assert max(map(len, text.splitlines())) == 100
    assert max(map(len, rendered(INVENTED, style).splitlines())) <= 100


def test_an_id_is_not_cut_at_its_hyphen() -> None:
    line = Line(" ".join(f"MIL-NAV-{number}" for number in range(30)))
    text = rendered(Log("L", (Chapter("C", (Paragraph("P", 1, "", (line,)),)),)))
    assert re.findall(r"\S*-$", text, flags=re.M) == ["-"]  # the rule under the title of one letter


def test_words_of_a_player_cannot_pass_for_the_referee() -> None:
    blue = rendered(INVENTED).split("    Blue player:\n")[1].split("\n\n")[0].splitlines()
    assert len(blue) == 6
    assert all(line.startswith(("    | ", "  > ")) for line in blue)


def test_what_happens_after_words_is_a_row_of_its_own_in_a_journal() -> None:
    """Only orders and dice have results: words have none, nor has what lapsed."""
    lines = [Line("done", "order"), Line(say("it rains")), Line("it snows", "say"),
             Line(say("it thaws")), Line(say("it dries")), Line("x", "lapse"),
             Line(say("it dims"))]  # fmt: skip
    log = Log("T", (Chapter("C", (Paragraph("P", 3, "Reds", tuple(lines)),)),))
    assert rendered(log, "journal").splitlines()[-8:] == [
        "* P",
        "3.1  Reds  Order    > done",
        "                    It rains.",
        "3.2  Reds  Message  | it snows",
        "3.3  Reds  Result   It thaws.",
        "                    It dries.",
        "3.4  Reds  Lapsed   x",
        "3.5  Reds  Result   It dims.",
    ]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert all(name == "class" for name, _ in attrs)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_a_whole_fragment_of_harmless_tags() -> None:
    tags = Tags()
    tags.feed(rendered(INVENTED, "html"))
    tags.close()
    assert tags.open == []
    harmless = {"article", "section", "h1", "h2", "h3", "small", "p", "ul", "li"}
    assert tags.seen <= harmless | {"code", "em", "q", "br"}


def test_bbcode_opens_and_closes_only_tags_of_ours() -> None:
    ours = {"b", "i", "size=150", "size=120", "list", "*", "quote", "/b", "/i", "/size", "/list"}
    assert set(re.findall(r"\[([^\]]*)\]", rendered(INVENTED, "bbcode"))) <= ours | {"/quote"}


def test_json_tells_every_line_as_it_was_said() -> None:
    plain = json.loads(rendered(INVENTED, "json"))
    told = [
        line["text"]
        for chapter in plain["chapters"]
        for paragraph in chapter["paragraphs"]
        for line in paragraph["lines"]
    ]
    said = [
        line.text if line.kind == "roll" else sentence(line.text)
        for chapter in INVENTED.chapters
        for paragraph in chapter.paragraphs
        for line in paragraph.lines
    ]
    assert told == said
    dice = plain["chapters"][0]["paragraphs"][0]["lines"][6]
    assert (dice["beacon"], dice["label"], dice["face"]) == (3, "combat/1/att", "4")


def test_an_empty_log_has_a_title() -> None:
    assert rendered(Log("Nothing yet")) == "Nothing yet\n===========\n"
    assert json.loads(rendered(Log("Nothing yet"), "json"))["chapters"] == []
