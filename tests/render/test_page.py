"""The page of a game: only what changes is packed, and nothing that others wrote is markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib

from pbem.messages import say
from pbem.render.blocks import Reader
from pbem.render.log import Chapter, Line, Log, Paragraph
from pbem.render.page import Drawn, Frame, packed, page

HOSTILE = "</script><img src=x onerror=alert(1)>"
FRAMES = (
    Frame(2, "the start", {"ground": "<a/>", "space x": "", "label x": "<t>X</t>"}),
    Frame(4, "round 1", {"ground": "<a/>", "space x": "<c/>", "label x": "<t>X</t>"}),
    Frame(7, "round 2", {"ground": "<b/>", "space x": "", "label x": "<t>X</t>"}),
)
LOG = Log(
    f"A game {HOSTILE}",
    (
        Chapter("Turn 1", (
            Paragraph("Round 1", 4, "Red", (
                Line("move: x", "order"),
                Line(say("a die"), "roll", 1, "fire/1", "4"),
                Line(HOSTILE, "say", by="Red"),
            )),
        )),
    ),
)  # fmt: skip


def made() -> str:
    def proof(paragraph: Paragraph, line: Line) -> tuple[str, ...]:
        return (f"beacon {line.beacon} & {paragraph.seq}",) if line.kind == "roll" else ()

    return page(Drawn("<svg>", "<p/>", "alert(1)", "p {}"), FRAMES, LOG, Reader(), proof)


def unpacked(text: str) -> list[list[object]]:
    found: list[list[object]] = json.loads(zlib.decompress(base64.b64decode(text)))
    return found


def test_only_what_changes_is_packed() -> None:
    assert unpacked(packed(FRAMES)) == [
        [2, "the start", {"0": "<a/>", "2": "<t>X</t>"}],
        [4, "round 1", {"1": "<c/>"}],
        [7, "round 2", {"0": "<b/>", "1": ""}],
    ]


def test_the_last_moment_and_the_story_are_there_without_the_script() -> None:
    told = made()
    assert '<svg><defs><p/></defs><g data-fragment="0" data-layer="ground"><b/></g>' in told
    assert '<g data-fragment="1" data-layer="space"></g>' in told
    assert '<section data-entry="4"' in told and "<code>move: x</code>" in told
    assert "</summary><pre>beacon 1 &amp; 4</pre></details>" in told
    assert '<nav id="controls" hidden>' in told and 'max="2" value="2"' in told


def test_nothing_but_its_own_script_may_run_and_nothing_is_fetched() -> None:
    told = made()
    assert HOSTILE not in told and told.count("&lt;/script&gt;") == 3
    *_, script = re.findall(r"<script[^>]*>(.*?)</script>", told, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in told
    assert "http://" not in told and "https://" not in told
