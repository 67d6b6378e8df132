"""pbem show --html: the whole game as one page, in which nothing of the other side is hidden."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

import pytest

from pbem.cli.pictures import as_svg
from pbem.messages import ENGLISH
from pbem.play.now import at_entry
from pbem.play.seen import seen
from pbem.play.snapshot import read_game
from tests.cli.desk import Desk, begin


def moments(told: str) -> list[tuple[int, str, dict[str, str]]]:
    (found,) = re.findall(r'id="moments">([^<]*)</script>', told)
    plain: list[Any] = json.loads(zlib.decompress(base64.b64decode(found)))
    return [(entry, words, fragments) for entry, words, fragments in plain]


def test_each_moment_is_the_picture_of_its_entry(desk: Desk) -> None:
    """What the script puts together is what --svg draws behind the same entry."""
    assert desk.done("show", "g4.json", "--html", "game.html") == "written: game.html\n"
    told = (desk.folder / "game.html").read_text(encoding="utf-8")
    game = read_game((desk.folder / "g4.json").read_bytes())
    fragments: dict[int, str] = {}
    found = moments(told)
    assert [entry for entry, _, _ in found] == [2, 3, 4]
    for entry, words, changed in found:
        fragments |= {int(at): fragment for at, fragment in changed.items()}
        now = seen(at_entry(game, entry), None, None)
        assert words == str(now.moment)
        if entry == 2:  # the others have arrows for what the entry brought
            drawn = as_svg(game, now, ENGLISH).decode()
            assert all(fragment in drawn for at, fragment in fragments.items() if fragment)
    assert 'href="#burst"' in "".join(found[-1][2].values()), "the combat of entry 4"
    assert '<section data-entry="4"' in told and "script-src 'sha256-" in told
    assert "DecompressionStream" in told and "prefers-color-scheme" in told


def test_every_die_has_its_derivation(desk: Desk) -> None:
    desk.done("show", "g4.json", "--html", "game.html")
    told = (desk.folder / "game.html").read_text(encoding="utf-8")
    rolls = desk.pbem("dice", "g4.json", "--json").json()["rolls"]
    for roll in rolls:
        assert roll["value"] in told
        for word in roll["words"]:
            assert (
                f"0x{word['raw']} = {int(word['raw'], 16)}, and" in told and word["block"] in told
            )
    assert rolls


def test_a_page_holds_no_card_of_a_hand(keys: Desk) -> None:
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    hand = re.findall(r"^ {6}(N\d+) ", keys.done("show", "g3.json", "--key", "ana.key"), re.M)
    hand.remove("N1")  # both know who has it
    for key in ("ana.key", "beto.key"):
        keys.done("show", "g3.json", "--key", key, "--html", f"{key}.html")
        told = (keys.folder / f"{key}.html").read_text(encoding="utf-8")
        assert not re.search(rf"\b({'|'.join(hand)})\b", told + json.dumps(moments(told)))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("madrid", "--html", "page.html"), "leave SPACE out"),
        (("--since", "2", "--html", "page.html"), "a page shows every moment of the game"),
    ],
)
def test_what_a_page_cannot_be(desk: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in desk.refused(2, "show", "g4.json", *words)
    assert not (desk.folder / "page.html").exists()
