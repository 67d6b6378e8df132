"""Loading: the digest, the cache that is only a shortcut, and games that do not exist."""

import subprocess
import sys

import pytest

from pbem.gamedata import load as loading
from pbem.gamedata import where
from pbem.gamedata.load import load, rules_digest
from pbem.problems import Refused
from tests.gamedata.small import SLUG


def test_the_digest_is_the_one_of_the_protocol():
    """The vector `rules_digest` of appendix B."""
    files = {"b/c.yaml": b"y: 2\n", "a.yaml": b"x: 1\n"}
    assert rules_digest(files) == (
        "24404b4f1e4183737a50ba2fda2d70609c99312010535ea45fa9b78d83481344"
    )


def test_the_digest_counts_only_what_the_rules_read(ours):
    counted = loading.counted_files(ours)
    assert set(counted) == {"game.yaml", "stones.yaml", "scenarios/one.yaml"}
    assert load(SLUG).digest == rules_digest(counted)


def test_the_second_time_comes_from_the_cache(monkeypatch):
    first = dict(load(SLUG).tables)
    monkeypatch.setattr(loading, "_from_yaml", refuse)
    assert load(SLUG).tables == first


def test_nothing_is_read_before_somebody_asks(monkeypatch):
    monkeypatch.setattr(loading, "from_cache", refuse)
    assert load(SLUG).slug == SLUG


def refuse(*_):
    raise AssertionError("the cache was not used")


def cached(own_cache):
    assert load(SLUG).tables["stones"]
    (file,) = (own_cache / "pbem" / "data").glob("*.json")
    return file


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: content.replace(b'"flint"', b'"flInt"', 1),
        lambda content: b"",
        lambda content: b"\xff" * 10,
        lambda content: content.partition(b"\n")[2],
    ],
    ids=["cut", "changed", "empty", "noise", "headless"],
)
def test_a_damaged_copy_is_never_used(own_cache, damage):
    file = cached(own_cache)
    right = file.read_bytes()
    file.write_bytes(damage(right))
    again = load(SLUG)
    assert again.tables["stones"]["stones"][0]["id"] == "flint"
    assert file.read_bytes() == right


def test_a_copy_under_a_wrong_name_is_never_used(own_cache, monkeypatch):
    """As after a change of the data: the old copy may not pass for the new one."""
    file = cached(own_cache)
    other = file.with_name(f"{'0' * 64}-{loading.CACHE_FORMAT}.json")
    other.write_bytes(file.read_bytes())
    assert loading.from_cache("0" * 64) is None


@pytest.mark.parametrize("home", ["a file", "relative", "nowhere"])
def test_without_a_place_for_the_cache_it_loads_all_the_same(tmp_path, monkeypatch, home):
    (tmp_path / "file").write_text("")
    place = {"a file": str(tmp_path / "file"), "relative": "cache", "nowhere": ""}[home]
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    monkeypatch.chdir(tmp_path)
    assert load(SLUG).tables["stones"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_no_half_file_is_left_behind(own_cache):
    folder = cached(own_cache).parent
    assert len(list(folder.iterdir())) == 1


def test_a_cached_load_needs_neither_yaml_nor_jsonschema(own_cache):
    cached(own_cache)
    code = (
        f"import sys; from pbem.gamedata import where; where.SHIPPED = {where.SHIPPED!r};"
        f"from pbem.gamedata.load import load; dict(load({SLUG!r}).tables);"
        "heavy = {'yaml', 'jsonschema', 'click', 'pbem.gamedata.game', 'pbem.games'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert shown.stdout.strip() == b"[]"


def test_a_game_that_does_not_exist_is_refused_with_the_nearest():
    with pytest.raises(Refused) as refused:
        load("smalll")
    (problem,) = refused.value.problems
    assert "smalll" in str(problem.message) and SLUG in str(problem.hint)


@pytest.mark.parametrize("slug", ["..", "../data/small", "", "small/scenarios"])
def test_a_slug_is_no_path(slug):
    with pytest.raises(Refused):
        load(slug)


def test_in_a_wheel_the_data_lie_inside_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(where, "SHIPPED", tmp_path)
    assert where.data_folder(SLUG) == tmp_path / "data" / SLUG
    assert where.schema_file(SLUG, "stones") == tmp_path / "schemas" / SLUG / "stones.json"
