"""What an earlier release said of a small game's data: written as differences, and laid over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.gamedata import check as checking
from pbem.gamedata.check import shipped
from pbem.gamedata.load import UnknownData, load
from pbem.gamedata.past import load_past, releases
from tests.gamedata.small import FILES, SLUG
from tests.releases.overlay import today, write

STONES, ONE = FILES["stones.yaml"], FILES["scenarios/one.yaml"]
SLATE = "  - {id: slate, weight: 3, provenance: {weight: stated 1.2}}\n"
CHALK = "  - {id: chalk, weight: 1}\n"
TWO = "id: two\ntitle: Two\nsame_as: one\nlevel: 5\n"


def changed(ours: Path, files: dict[str, str | None]) -> tuple[str, dict[str, Any], Any]:
    """Changes the data; what they were is written as the past. The old digest, and what is said."""
    before, old = load(SLUG), today(SLUG)
    tables = {name: before.tables[name] for name in before.tables}
    for path, text in files.items():
        (ours / path).unlink() if text is None else (ours / path).write_text(text)
    checking.shipped.cache_clear()
    write(SLUG, "1.0", before.digest, old)
    return before.digest, tables, _said(ours)


def _said(ours: Path) -> Any:
    found = (ours / "past" / "1.0").rglob("*.yaml")
    return {path.stem: json.loads(path.read_text("utf-8")) for path in found}


CHANGES: dict[str, tuple[dict[str, str | None], Any]] = {
    "a value": (
        {"stones.yaml": STONES.replace("weight: 3", "weight: 4")},
        {"stones": {"stones": [{"id": "slate", "weight": 3}]}},
    ),
    "a value inside another": (
        {"stones.yaml": STONES.replace("blue: 2", "blue: 3")},
        {"stones": {"stones": [{"id": "flint", "worth": {"blue": 2}}]}},
    ),
    "a new value": (
        {"stones.yaml": STONES.replace("id: chalk,", "id: chalk, shape: [3],")},
        {"stones": {"stones": [{"id": "chalk", "without": ["shape"]}]}},
    ),
    "a new entry": (
        {"stones.yaml": STONES.replace("pairs:", "  - {id: marl}\npairs:")},
        {"stones": {"stones": [{"id": "marl", "absent": True}]}},
    ),
    "an entry that is gone, the last one": (
        {"stones.yaml": STONES.replace("  - {id: chalk, weight: 1}\n", "")},
        {"stones": {"stones": [{"id": "chalk", "weight": 1}]}},
    ),
    "an entry that is known either way": (
        {"stones.yaml": STONES.replace("width: 1", "width: 2")},
        {"stones": {"pairs": [{"a": "flint", "b": "slate", "width": 1}]}},
    ),
    "a new scenario": ({"scenarios/two.yaml": TWO}, {}),
    "a scenario that is gone": ({"scenarios/one.yaml": None, "game.yaml": "title: Small\n"}, None),
    "the order of a list": (
        {"stones.yaml": STONES.replace(SLATE + CHALK, CHALK + SLATE)},
        None,
    ),
    "an entry that is gone, the first one": (
        {"stones.yaml": STONES.replace("id: flint", "id: gneiss").replace("a: flint", "a: gneiss")},
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_the_old_data_are_had_again(ours: Path, what: str) -> None:
    files, wanted = CHANGES[what]
    digest, tables, said = changed(ours, files)
    assert load(SLUG).digest != digest
    past = load_past(SLUG, digest)
    assert past is not None and past.digest == digest
    assert dict(past.tables) == tables
    if wanted is not None:
        assert said == wanted
    else:
        (release,) = releases(SLUG)
        assert release.whole or "one" in said


def test_where_nothing_counts_nothing_is_written(ours: Path) -> None:
    digest, _, said = changed(ours, {"scenarios/one.yaml": ONE.replace("One", "Number one")})
    assert said == {} and releases(SLUG) == () and load(SLUG).digest == digest
    assert not (ours / "past.json").exists() and not (ours / "past").exists()


def test_the_release_before_the_last_is_laid_over_that(ours: Path) -> None:
    first, tables, _ = changed(ours, {"stones.yaml": STONES.replace("weight: 3", "weight: 4")})
    second, old = load(SLUG), today(SLUG)
    text = STONES.replace("weight: 3", "weight: 4").replace("weight: 1}", "weight: 9}")
    (ours / "stones.yaml").write_text(text)
    checking.shipped.cache_clear()
    write(SLUG, "1.1", second.digest, old)
    assert [each.name for each in releases(SLUG)] == ["1.1", "1.0"]
    assert _said(ours)["stones"] == {"stones": [{"id": "slate", "weight": 3}]}, "as it was"
    for digest in (first, second.digest):
        past = load_past(SLUG, digest)
        assert past is not None and past.digest == digest
    assert dict(load_past(SLUG, first).tables) == tables  # type: ignore[union-attr]


def test_texts_are_those_of_today(ours: Path) -> None:
    new = ONE.replace("One", "Number one").replace("level: 4", "level: 5")
    digest, _, said = changed(ours, {"scenarios/one.yaml": new})
    past = load_past(SLUG, digest)
    assert said == {"one": {"level": 4}} and past is not None
    assert past.tables["scenarios"]["one"]["title"] == "Number one"


def test_an_edited_overlay_is_refused_with_its_release_and_its_folder(ours: Path) -> None:
    digest, _, _ = changed(ours, {"stones.yaml": STONES.replace("weight: 3", "weight: 4")})
    file = ours / "past" / "1.0" / "stones.yaml"
    file.write_text(file.read_text().replace("3", "5"))
    with pytest.raises(UnknownData, match="were changed here") as refused:
        load_past(SLUG, digest)
    assert str(file.parent) in str(refused.value.problems[0].message)


def test_a_digest_that_no_release_had(ours: Path) -> None:
    changed(ours, {"stones.yaml": STONES.replace("weight: 3", "weight: 4")})
    assert load_past(SLUG, "0" * 64) is None
    assert set(shipped(SLUG)) == {"game.yaml", "stones.yaml", "scenarios/one.yaml"}
