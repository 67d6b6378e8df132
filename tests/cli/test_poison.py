"""Orders that cannot be read, signed by a modified tool: refused as an entry, and told as text.

The first half: whoever folds such an entry refuses it, with its author, wherever the order stands
in its list. The second: were it let through (by an older program, say), no report would stop.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import Entry
from pbem.gamefile.draft import Draft
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.keys import KeyPair, load_private
from pbem.play.game import table_for
from pbem.play.table import Table
from tests.cli.conftest import at_home
from tests.cli.desk import Desk
from tests.play.let_through import read_anything

POISON = {
    "unknown_verb": {"zzz": {}},
    "number_for_a_list": {"losses": 5},
    "null": {"move": None},
    "text_for_nothing": {"done": "x"},
    "unknown_field": {"attack": {"foo": 1}},
    "wrong_type": {"move": {"units": {"a": 1}, "path": [["sevilla"]]}},
    "ids_for_members": {"attack": {"space": "a", "units": {"b": ["x"]}}},
    "an_id_twice": {"attack": {"space": "a", "units": [["b", ["x"]], ["b", ["y"]]]}},
    "ids_out_of_order": {"attack": {"space": "a", "units": [["b", ["x"]], ["B", ["y"]]]}},
    "hidden_text": {"zzz": {"a": "\u202eb", "c": ["\U000e0041"]}},
}
REPORTS = (
    ("log",), ("log", "--json"), *(("log", "--format", style) for style in ("markdown", "html",
    "bbcode", "journal")), ("mail", "-o", "m.eml"), ("mail", "--json"), ("mail", "--armor"),
    ("status", "--key", "beto.key"), ("status", "--key", "beto.key", "--json"), ("verify",),
    ("verify", "--json"), ("dice",), ("dice", "--json"),
    ("resign", "--yes", "--key", "beto.key", "-o", "n.json"),
    ("claim", "--key", "beto.key", "-o", "n.json"),
    ("offer", "draw", "--key", "beto.key", "-o", "n.json"),
    ("offer", "void", "--key", "beto.key", "-o", "n.json", "--json"),
    ("read", "-o", "n.json"), ("read", "-o", "n.json", "--json"),
)  # fmt: skip


def key_of(desk: Desk, name: str) -> KeyPair:
    return load_private((desk.folder / f"{name}.key").read_bytes(), None)


def entries(desk: Desk, name: str) -> tuple[Entry, ...]:
    return format.read((desk.folder / name).read_bytes())


def forged(fold: Fold, key: KeyPair, player: str, steps: list[dict]) -> Fold:
    """The fold with an entry of any steps that its author's program lets pass."""
    draft = Draft(fold.machine, player, key)
    draft.pay()
    for step in steps:
        draft.add(step)
    draft.pay()
    return replay([*fold.entries, draft.sign("pbem test", None)], table_for)


@pytest.fixture
def let_through(monkeypatch: pytest.MonkeyPatch):
    """What an author of such orders has changed in the own program."""
    with monkeypatch.context() as patch:
        let_all_through(patch)
        yield patch


def let_all_through(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "read", read_anything)
    patch.setattr(Table, "check_policy", lambda self, *parts: None)


def poisoned(desk: Desk, name: str) -> Path:
    """g3 with one order more, written by Ana; without the refusal in force."""
    fold = replay(entries(desk, "g2.json"), table_for)
    honest = entries(desk, "g3.json")[-1].steps
    steps = [step for step in honest if step["do"] == "orders"]
    given = [*steps[0]["list"], POISON[name]]
    bad = forged(fold, key_of(desk, "ana"), "A", [{"do": "orders", "list": given}])
    (desk.folder / "bad.json").write_bytes(format.write(bad.entries))
    return Path("bad.json")


@pytest.mark.parametrize("name", POISON)
def test_an_order_of_no_form_refuses_its_entry(
    desk: Desk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Table, "read", read_anything)
        bad = poisoned(desk, name)
    for words in (("verify", bad, "--json"), ("status", bad, "--json")):
        first = desk.pbem(*words)
        assert first.code == 3, first
    told = desk.refused(3, "apply", bad, "--key", "beto.key")
    assert "E-ORDER" in str(desk.pbem("verify", bad, "--json"))
    assert "entry 3, step" in told and "not an order of this game" in told


@pytest.mark.parametrize("name", POISON)
def test_the_entry_that_drops_it_is_written(desk: Desk, name: str, let_through) -> None:
    """The list is carried out to its end, so that the order is dropped with the round."""
    game = poisoned(desk, name)
    told = " ".join(desk.done("apply", game, "--key", "beto.key", "-o", "p4.json").split())
    assert "player is asked instead" in told and next(iter(POISON[name])) in told
    assert (desk.folder / "p4.json").exists()
    desk.done("apply", game, "--key", "beto.key", "-o", "p4.json", "--json")


@pytest.fixture(scope="module", params=["number_for_a_list", "hidden_text"])
def with_poison(request, played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where it has been answered, as p4, on a machine that remembers."""
    folder = tmp_path_factory.mktemp("poison") / "desk"
    shutil.copytree(played, folder)
    with pytest.MonkeyPatch.context() as patch:
        let_all_through(patch)
        desk = at_home(folder, patch)
        desk.done("apply", poisoned(desk, request.param), "--key", "beto.key", "-o", "p4.json")
    return folder


@pytest.mark.parametrize("words", REPORTS, ids=" ".join)
def test_no_report_stops_at_it(with_poison: Path, tmp_path: Path, words, let_through) -> None:
    shutil.copytree(with_poison, tmp_path / "desk")
    desk = at_home(tmp_path / "desk", let_through)
    command, *rest = words
    found = desk.pbem(command, "p4.json", *rest)
    assert found.code == 0, found
    assert all(c.isprintable() or c == "\n" for c in found.out)
    assert "n.json" not in words or (desk.folder / "n.json").exists()
