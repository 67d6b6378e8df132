"""Where each value comes from: every one of ours says it, and an owner's are told apart."""

from collections import Counter

import pytest

from pbem.gamedata.check import judge, shipped
from pbem.gamedata.sources import sources
from pbem.games.crusade.data import ACCOUNTS, DATA


@pytest.fixture(scope="module")
def values():
    files = shipped("crusade").items()
    return [each for file, found in files for each in sources(file, found, ACCOUNTS)]


def test_every_value_says_one_of_three_words(values):
    assert {each.word for each in values} == {"stated", "derived", "rebuilt"}
    assert {each.file for each in values} == set(shipped("crusade"))


@pytest.mark.parametrize(
    "part, listed", [("map", "spaces"), ("units", "types"), ("cards", "cards")]
)
def test_every_key_of_every_entry_is_accounted_for(values, plain, part, listed):
    """Or the key is a name, which its id stands for."""
    grouped = {key: group for group, keys in ACCOUNTS.groups.items() for key in keys}
    told = {(each.entry, each.key) for each in values if each.file == f"{part}.yaml"}
    told |= {(entry, grouped.get(key, key)) for entry, key in told}
    missing = Counter(
        key
        for entry in plain[part][listed]
        for key in entry
        if key != "provenance"
        and not {(f"{listed} {entry['id']}", each) for each in (key, grouped.get(key, key))} & told
    )
    assert set(missing) <= {
        "map": {"name", "dormant"},
        "units": {"id", "side", "name", "size", "card", "option", "counts_as", "north_limit",
                  "attrition_home"},
        "cards": {"reinforcement"},
    }[part]  # fmt: skip


def test_a_key_that_is_not_written_has_a_source_too(values):
    found = [v for v in values if (v.entry, v.key) == ("spaces la_coruna", "vp")]
    assert [(v.value, v.word) for v in found] == [(None, "rebuilt")]


def test_the_values_of_an_owner_are_told_apart(tmp_path):
    (tmp_path / "map.yaml").write_text(
        "spaces:\n"
        "  - {id: jaen, without: [vp]}\n"
        "  - {id: albacete, vp: 1, provenance: {vp: stated on the printed map}}\n"
        "connections: [{a: toledo, b: talavera, type: river}]\n"
    )
    whole = judge(tmp_path, DATA).whole
    own = [v for v in sources("map.yaml", whole["map.yaml"], ACCOUNTS) if v.word == "own"]
    assert [(v.entry, v.key, v.note) for v in own] == [
        ("spaces albacete", "vp", "on the printed map"),
        ("spaces jaen", "vp", ""),
        ("connections talavera - toledo", "", ""),
    ]
    assert len(list(sources("map.yaml", whole["map.yaml"], ACCOUNTS))) == len(
        list(sources("map.yaml", shipped("crusade")["map.yaml"], ACCOUNTS))
    )
