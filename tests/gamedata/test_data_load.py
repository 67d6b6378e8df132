"""Loading: the digest, the cache that is only a shortcut, and games that do not exist."""

import json
import subprocess
import sys
from hashlib import sha256

import pytest

from pbem.gamedata import load as loading
from pbem.gamedata import where
from pbem.gamedata.load import load
from pbem.problems import Refused
from tests.gamedata.small import FILES, SLUG


def test_the_digest_is_the_one_of_the_protocol():
    """Worked out here in other words: canonical JSON of all parts and scenarios, without what is
    told and where it comes from."""
    counted = (
        '{"game":{"scenarios":["one"]},'
        '"scenarios":{"one":{"first":"flint","id":"one","level":4}},'
        '"stones":{"pairs":[{"a":"flint","b":"slate","width":1}],"stones":['
        '{"id":"flint","shape":[1,2],"weight":2,"worth":{"blue":2,"red":1}},'
        '{"id":"slate","weight":3},{"id":"chalk","weight":1}]}}'
    )
    assert load(SLUG).digest == sha256(f"pbem1/data\n{counted}".encode()).hexdigest()


STONES = FILES["stones.yaml"]
ONE = FILES["scenarios/one.yaml"]
SAME = {
    "a comment": ("stones.yaml", f"# heavy\n{STONES}"),
    "a source": ("stones.yaml", STONES.replace("stated 1.2", "derived from 1.3")),
    "no source": ("stones.yaml", STONES.replace(", provenance: {weight: stated 1.2}", "")),
    "the order of keys": ("stones.yaml", STONES.replace("red: 1, blue: 2", "blue: 2, red: 1")),
    "the layout": ("stones.yaml", STONES.replace("{id: slate, ", "{\n    id: slate,\n    ")),
    "quotes": ("stones.yaml", STONES.replace("slate", '"slate"')),
    "line ends": ("stones.yaml", STONES.replace("\n", "\r\n")),
    "a title": ("scenarios/one.yaml", ONE.replace("One", "Number one")),
    "a key at another place": ("scenarios/one.yaml", "level: 4\n" + ONE.replace("level: 4\n", "")),
    "what no game reads": ("rulebook.yaml", "rules: [1]\n"),
    "the drawing": ("picture.json", "{}"),
}  # fmt: skip


@pytest.mark.parametrize("what", SAME)
def test_what_no_rule_reads_does_not_count(ours, what):
    path, text = SAME[what]
    before = load(SLUG)
    assert (ours / path).read_text("utf-8") != text if (ours / path).exists() else True
    (ours / path).write_bytes(text.encode())
    after = load(SLUG)
    assert after.digest == before.digest
    assert after.source != before.source or path in where.UNCOUNTED


OTHER = {
    "a value": ("stones.yaml", STONES.replace("weight: 3", "weight: 4")),
    "a value inside another": ("stones.yaml", STONES.replace("blue: 2", "blue: 3")),
    "the order of a list": ("stones.yaml", STONES.replace("[1, 2]", "[2, 1]")),
    "an entry": ("stones.yaml", STONES.replace("  - {id: chalk, weight: 1}\n", "")),
    "an id": ("stones.yaml", STONES.replace("chalk", "chert")),
    "a value that is not there": ("scenarios/one.yaml", ONE.replace("level: 4\n", "")),
    "another scenario": ("scenarios/two.yaml", ONE.replace("id: one", "id: two")),
}


@pytest.mark.parametrize("what", OTHER)
def test_what_a_rule_reads_counts(ours, what):
    path, text = OTHER[what]
    before = load(SLUG).digest
    (ours / path).write_bytes(text.encode())
    assert load(SLUG).digest != before


def test_a_scenario_that_shares_is_all_that_it_shares(ours):
    """Whether a value is written in it or in the one it is laid over, it counts once."""
    (ours / "scenarios/two.yaml").write_text("id: two\ntitle: Two\nsame_as: one\nlevel: 5\n")
    shared = load(SLUG)
    assert shared.tables["scenarios"]["two"]["first"] == "flint"
    (ours / "scenarios/two.yaml").write_text("id: two\ntitle: Two\nfirst: flint\nlevel: 5\n")
    assert load(SLUG).digest == shared.digest


def test_the_rules_never_see_in_which_order_keys_were_written(ours):
    before = [list(each) for each in load(SLUG).tables["stones"]["stones"]]
    (ours / "stones.yaml").write_text(
        STONES.replace("id: chalk, weight: 1", "weight: 1, id: chalk")
    )
    assert [list(each) for each in load(SLUG).tables["stones"]["stones"]] == before


def test_a_value_that_is_told_from_now_on_gives_another_digest(ours):
    """The schemas say what counts, so what was kept by older ones is not used."""
    before = load(SLUG).digest
    file = where.schema_file(SLUG, "stones")
    plain = json.loads(file.read_text())
    plain["properties"]["stones"]["items"]["properties"]["weight"]["told"] = True
    file.write_text(json.dumps(plain))
    assert load(SLUG).digest != before


def test_the_second_time_comes_from_the_cache(monkeypatch):
    first = dict(load(SLUG).tables)
    monkeypatch.setattr(loading, "_from_yaml", refuse)
    assert load(SLUG).tables == first


def test_no_table_is_read_before_somebody_asks(monkeypatch):
    load(SLUG)
    monkeypatch.setattr(loading.json, "loads", lambda text: refuse() if len(text) > 80 else "")
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
