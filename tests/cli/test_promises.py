"""What schemas/promises.md says is so: the versions, and what happens to what is not known."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import __version__, cli
from pbem.cli import promised, seen
from pbem.engine.fixes import Fix
from pbem.gamefile import witness
from pbem.games.madrid.system import StormOverMadrid
from pbem.messages import say
from tests.cli.desk import CHAPTER24, Desk

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
PAGE = (SCHEMAS / "promises.md").read_text(encoding="utf-8")
MEMBERS = SCHEMAS / "json-members.json"
FIRST = str(CHAPTER24 / "01-nationalist.yaml")
PRINTS: dict[str, tuple[str, ...]] = {
    "games": ("games",),
    "games SYSTEM": ("games", "madrid"),
    "status": ("status", "g4.json"),
    "status --key": ("status", "g4.json", "--key", "beto.key"),
    "status FOLDER": ("status", "."),
    "show": ("show", "g4.json"),
    "show SPACE": ("show", "g4.json", "sevilla"),
    "log": ("log", "g4.json"),
    "summary": ("summary", "g4.json"),
    "luck": ("luck", "g4.json"),
    "dice": ("dice", "g4.json"),
    "verify": ("verify", "g4.json"),
    "check": ("check", "g2.json", FIRST, "--key", "ana.key"),
    "odds": ("odds", "g2.json", FIRST, "--key", "ana.key"),
    "cards": ("cards", "crusade"),
    "rules": ("rules", "crusade", "11.3.6"),
    "data": ("data", "madrid"),
    "mail": ("mail", "g4.json", "--to", "ana@example.org"),
    "key show": ("key", "show", "ana.key.pub"),
    "keygen": ("keygen", "--out", "new.key", "--no-passphrase"),
    "init": ("init", "--key", "ana.key"),
    "new": ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
            "--opponent", "beto.key.pub", "-o", "n.json"),
    "contacts": ("contacts",),
    "apply": ("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "made.json"),
    "solo": ("solo", "madrid", "scenario_1", "-o", "s.json"),
    "a problem": ("status", "nothing.json"),
}  # fmt: skip


OF_A_GAME = {"orders", "units"}
"""What lists things in the words of each game."""
OF_EACH_GAME = {"counts", "gained", "given_up", "kept", "options", "position", "sides"}
"""What has a member for each thing of a game."""


def members(found: Any) -> list[str]:
    """The members of a document, or of each item of a list, and those one level below; what is
    there is promised, and so is what is a list.
    """
    if isinstance(found, list):
        return sorted({f"[].{name}" for item in found[:50] for name in members(item)})
    if not isinstance(found, dict):
        return []
    return sorted({name for key, inside in found.items() for name in _below(key, inside)})


def _below(key: str, inside: Any) -> Iterator[str]:
    yield f"{key}[]" if isinstance(inside, list) else key
    if isinstance(inside, dict) and key not in OF_EACH_GAME:
        yield from (f"{key}.{name}" for name in inside)
    for item in inside[:50] if isinstance(inside, list) and key not in OF_A_GAME else ():
        if isinstance(item, dict):
            yield from (f"{key}[].{name}" for name in item)


def printed(desk: Desk) -> dict[str, list[str]]:
    """What each command prints for a program, of a game that every run begins alike."""
    found = {}
    for name, words in PRINTS.items():
        result = desk.pbem(*words, "--json")
        found[name] = members(json.loads(result.out or result.err))
    return found


def test_no_member_is_taken_away(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make golden` notes those that are new, and so promised."""
    now = printed(desk)
    made_up = Fix(1, "2027-01-31", "9.2.c", say("units that move together are slower"))
    monkeypatch.setattr(StormOverMadrid, "fixes", (made_up,))  # 1.0 has none
    now["rules --fixes"] = members(json.loads(desk.done("rules", "madrid", "--fixes", "--json")))
    if os.environ.get("PBEM_GOLDEN") == "write":
        MEMBERS.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    told = json.loads(MEMBERS.read_text(encoding="utf-8"))
    gone = {name: set(told[name]) - set(now.get(name, ())) for name in told}
    assert {name: lost for name, lost in gone.items() if lost} == {}, "this breaks a promise"


def test_the_page_has_the_versions_that_the_program_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (["--version", "--json"], ["--json", "--version"]):
        cli.main(words)
        assert json.loads(capsys.readouterr().out) == promised.versions()
    rows = re.findall(r"^\| [^|]+ \| [^|]+ \| `(\w+)` \| `?([^|`]+)`? \|$", PAGE, re.M)
    known = {name: str(version) for name, version in promised.versions().items()}
    assert known.pop("pbem") == __version__
    assert dict(rows) == known


def test_a_key_is_of_the_format_that_is_named(desk: Desk) -> None:
    import base64

    lines = (desk.folder / "ana.key").read_text(encoding="ascii").splitlines()
    inside = base64.b64decode("".join(lines[1:-1]))
    assert inside.startswith(promised.KEYS.encode() + b"\0")
    assert (desk.folder / "ana.key.pub").read_text("ascii").startswith("ssh-ed25519 ")


def changed(desk: Desk, name: str, **members: Any) -> Path:
    """A game file with other members at its top."""
    document = json.loads((desk.folder / name).read_text(encoding="utf-8"))
    return desk.write("changed.json", json.dumps({**document, **members}))


def test_a_game_file_of_another_version_or_with_another_member_is_refused(desk: Desk) -> None:
    said = desk.refused(3, "status", changed(desk, "g4.json", format="pbem-game/2"))
    assert "the format is 'pbem-game/2' and needs a newer pbem" in said
    said = desk.refused(3, "status", changed(desk, "g4.json", notes=[]))
    assert "a game file has only the members 'format' and 'entries'" in said


@pytest.mark.parametrize(
    "tool, hint",
    [
        ("pbem 1.3.0", "it was written with pbem 1.3.0: that version knows it"),
        ("pbem 9 from evil.example", ""),
    ],
)
@pytest.mark.parametrize("change", [{"v": 2}, {"steps": [{"do": "parley"}]}])
def test_an_entry_that_is_not_known_names_the_version_that_wrote_it(
    desk: Desk, tool: str, hint: str, change: dict[str, Any]
) -> None:
    document = json.loads((desk.folder / "g4.json").read_text(encoding="utf-8"))
    payload = document["entries"][-1]["payload"]
    payload.update(change, tool=tool)
    desk.write("changed.json", json.dumps(document))
    for words in (("status",), ("verify",), ("apply", "--bot", "--key", "beto.key")):
        said = desk.refused(3, words[0], "changed.json", *words[1:])
        assert "needs a newer pbem" in said
        assert hint in said and "evil" not in said


def test_a_proof_of_another_version_is_refused(desk: Desk) -> None:
    proof = desk.write("proof.json", json.dumps({"format": "pbem-fork/2", "game": None}))
    said = desk.refused(3, "prove-fork", proof, "g4.json")
    assert "the format is 'pbem-fork/2' and needs a newer pbem" in said


@pytest.mark.parametrize(
    "line, told",
    [
        ("version: 2", "1:10: the file is of version 2, and this pbem reads version 1"),
        ("version: 0", "1:10: version must be 1, not 0"),
        ("version: next", "1:10: version must be 1, not the text 'next'"),
        ("vision: 1", "1:1: the file has no field 'vision'"),
    ],
)
def test_orders_of_another_version_are_judged_no_further(desk: Desk, line: str, told: str) -> None:
    orders = desk.write("orders.yaml", f"{line}\norders:\n  - fly: {{card: N1}}\n")
    said = desk.refused(1, "check", "g2.json", orders, "--key", "ana.key")
    assert f"orders.yaml:{told}" in said
    assert ("no order is named 'fly'" in said) == (line == "vision: 1")


def test_standing_orders_of_another_version_are_not_sealed(desk: Desk) -> None:
    desk.write("standing.yaml", "version: 2\nstanding:\n  losses: [POL]\n")
    said = desk.refused(1, "apply", "g2.json", FIRST, "--key", "ana.key", "-o", "made.json")
    assert "standing.yaml:1:10: the file is of version 2, and this pbem reads version 1" in said
    desk.write("standing.yaml", "version: 1\nstanding:\n  losses: [POL]\n")
    desk.done("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "made.json")


def test_settings_of_another_version_are_not_used(desk: Desk) -> None:
    desk.write("pbem.toml", '# mine\nversion = 2\nname = "Ana"\ncolour = "no"\n')
    said = desk.refused(1, "status", "g4.json")
    assert said.startswith("pbem.toml:2:1: the file is of version 2, and this pbem reads version 1")
    assert "colour" not in said, "what it means there is not known here"
    desk.write("pbem.toml", 'version = "1"\nname = "Ana"\n')
    assert "pbem.toml:1:1: version must be 1" in desk.refused(1, "status", "g4.json")
    desk.write("pbem.toml", 'version = 1\nname = "Ana"\n')
    desk.done("init", "--lang", "en")
    kept = (desk.folder / "pbem.toml").read_text(encoding="utf-8")
    assert kept == 'version = 1\nname = "Ana"\nlang = "en"\n'
    desk.write("pbem.toml", 'name = "Ana"\ncolour = "no"\n')
    assert "pbem.toml:2:1: there is no setting 'colour'" in desk.refused(1, "status", "g4.json")


def kept(desk: Desk, name: str) -> Path:
    """A file that pbem keeps in its own folder."""
    (found,) = (desk.folder / ".home" / "config" / "pbem").glob(name)
    return found


def test_contacts_of_another_version_are_not_written_over(desk: Desk) -> None:
    begin = ("new", "madrid", "scenario_1", "--side", "republican", "--key", "ana.key",
             "--opponent", "beto.key.pub", "-o", "n.json")  # fmt: skip
    desk.done(*begin)
    path = kept(desk, "contacts.json")
    book = json.loads(path.read_text(encoding="utf-8"))
    (desk.folder / "n.json").unlink()
    for other in (
        {**book, "format": "pbem-contacts/2"},
        {**book, "contacts": [{**book["contacts"][0], "phone": "1"}]},
    ):
        path.write_text(json.dumps(other), encoding="utf-8")
        said = desk.refused(1, *begin)
        assert "pbem-contacts/2" in said or "may have a mail address" in said
        assert json.loads(path.read_text(encoding="utf-8")) == other


@pytest.mark.parametrize(
    "change, told",
    [
        ({"format": "pbem-seen/2"}, "is of the format 'pbem-seen/2', and needs a newer pbem"),
        ({"later": None}, "has 'later', which only a newer pbem knows"),
    ],
)
def test_a_record_of_another_version_is_neither_passed_over_nor_replaced(
    desk: Desk, change: dict[str, Any], told: str
) -> None:
    first = ("apply", "g2.json", FIRST, "--key", "ana.key")
    desk.done(*first, "-o", "made.json")
    path = kept(desk, "seen/*-A.json")
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["format"] == promised.versions()["record"]
    assert record.keys() == witness.MEMBERS | seen.BESIDE
    path.write_text(json.dumps({**record, **change}), encoding="utf-8")
    before = path.read_bytes()
    for words in (("status", "g2.json"), (*first, "-o", "again.json")):
        said = desk.refused(1, *words)
        assert f"the record of this game {told}" in said
    assert path.read_bytes() == before
