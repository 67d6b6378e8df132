"""The text of a public state is that of its plain values, whatever was written before it."""

import pytest

from pbem.engine.public import ListMadeOf, MadeOf, plain
from pbem.gamefile import fold
from pbem.gamefile.canonical import Written, text_of, text_with
from pbem.gamefile.chain import state_digest
from pbem.gamefile.format import read
from pbem.gamefile.machine import Machine
from pbem.gamefile.texts import Texts
from pbem.play.game import table_for
from tests.conftest import FUZZ
from tests.gamefile.sealed_game import sealed_game
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.replays import campaign

WRITTEN = ("a", "b", "c", "d")
VALUE = dict(zip(WRITTEN, (1, [True], {"x": None}, "é"), strict=True))


@pytest.mark.parametrize("known", ["", "a", "d", "bc", "ad", "abcd"])
def test_an_object_has_one_text_whichever_members_are_known(known):
    texts = {name: Written(text_of(VALUE[name])) for name in known}
    assert text_with({"last": {**VALUE, **texts}, "first": [VALUE]}) == text_of(
        {"first": [VALUE], "last": VALUE}
    )


def written(texts, public):
    return text_with(texts.of(public))


def test_what_is_equal_and_not_the_same_is_written_anew():
    texts = Texts()
    assert written(texts, {"marks": MadeOf((1,), list)}) == '{"marks":[1]}'
    assert written(texts, {"marks": MadeOf((True,), list)}) == '{"marks":[true]}'


def test_what_is_the_same_is_made_once_for_each_way_to_make_it():
    made = []

    def listed(thing):
        made.append(thing)
        return list(thing)

    texts, thing = Texts(), (2, 1)
    for _ in range(3):
        assert written(texts, {"a": 1, "marks": MadeOf(thing, listed)}) == '{"a":1,"marks":[2,1]}'
    assert made == [thing]
    assert written(texts, {"marks": MadeOf(thing, sorted)}) == '{"marks":[1,2]}'


def test_a_method_of_one_object_makes_a_part_once() -> None:
    """Each look at a method is another object."""

    class Lister:
        made = 0

        def listed(self, thing: tuple[int, ...]) -> list[int]:
            self.made += 1
            return list(thing)

    texts, thing, lister = Texts(), (2, 1), Lister()
    for _ in range(2):
        assert written(texts, {"marks": MadeOf(thing, lister.listed)}) == '{"marks":[2,1]}'
    assert lister.made == 1


def test_an_item_of_a_list_is_made_once_as_long_as_it_is_the_same() -> None:
    made = []

    def marked(key: str, each: tuple[int, ...]) -> list[object] | None:
        made.append(key)
        return [key, *each] if each else None

    texts, first, second = Texts(), (1,), (2,)
    mapping = {"b": first, "c": (), "a": second}
    assert written(texts, {"x": ListMadeOf(mapping, marked)}) == '{"x":[["b",1],["a",2]]}'
    assert plain({"x": ListMadeOf(mapping, marked)}) == {"x": [["b", 1], ["a", 2]]}
    made.clear()
    assert written(texts, {"x": ListMadeOf({**mapping, "c": second}, marked)}) == (
        '{"x":[["b",1],["c",2],["a",2]]}'
    )
    assert made == ["c"]
    assert written(texts, {"x": ListMadeOf({"b": (True,)}, marked)}) == '{"x":[["b",true]]}'
    assert written(texts, {"x": ListMadeOf(mapping, marked)}) == '{"x":[["b",1],["a",2]]}'


def test_a_list_by_its_keys_writes_only_what_is_new_wherever_it_belongs() -> None:
    made: list[str] = []

    def paired(key: str, thing: str) -> list[str]:
        made.append(key)
        return [key, thing]

    def listed(mapping: dict[str, str]) -> str:
        made.clear()
        part = {"x": ListMadeOf(mapping, paired, by_key=True)}
        found = written(texts, part)
        assert found == text_of({"x": sorted(map(list, mapping.items()))}) == text_of(plain(part))
        return "".join(made[: len(made) - len(mapping)])

    texts = Texts()
    assert listed({"b": "1", "d": "2"}) == "bd"
    assert listed({"b": "1", "d": "2", "a": "3", "c": "4"}) == "ac"
    assert listed({"b": "1", "a": "3"}) == "a"  # in another place than before
    assert listed({"b": "5", "a": "3", "d": "2"}) == "bd"
    assert listed({}) == "" and listed({"a": "1"}) == "a"


def test_items_made_in_another_way_are_written_anew() -> None:
    texts, mapping = Texts(), {"a": 1, "b": 2}
    assert written(texts, {"x": ListMadeOf(mapping, lambda key, each: key)}) == '{"x":["a","b"]}'
    assert written(texts, {"x": ListMadeOf(mapping, lambda key, each: each)}) == '{"x":[1,2]}'
    assert written(texts, {"x": MadeOf(mapping, sorted)}) == '{"x":["a","b"]}'
    other = ListMadeOf({"a": 1, "b": 2}, lambda key, each: -each)
    assert written(texts, {"x": other}) == '{"x":[-1,-2]}'


def test_what_the_rules_stumble_over_leaves_no_text_of_another_state_behind() -> None:
    """The entry is refused; the next one is written over the same texts."""

    def marked(key: str, each: tuple[int, ...]) -> list[object]:
        return [key, each[0]]

    texts, first, second = Texts(), (1,), (2,)
    mapping = {"a": first, "b": second}
    assert written(texts, {"x": ListMadeOf(mapping, marked)}) == '{"x":[["a",1],["b",2]]}'
    with pytest.raises(IndexError):
        written(texts, {"x": ListMadeOf({"a": (3,), "b": ()}, marked)})
    assert written(texts, {"x": ListMadeOf({**mapping}, marked)}) == '{"x":[["a",1],["b",2]]}'


def scratch(machine: Machine) -> str:
    """`post` of nothing that was kept."""
    return state_digest(text_of(machine.public_state()))


@pytest.mark.parametrize("game", ["sealed", "campaign"])
def test_post_is_the_digest_of_the_public_state_behind_every_entry(game, monkeypatch):
    posts, post = [], Machine.post

    def both(machine):
        posts.append((post(machine), scratch(machine)))
        return posts[-1][0]

    monkeypatch.setattr(Machine, "post", both)
    if game == "sealed":
        entries = sealed_game().entries
        fold.replay(entries, open_sealed_toy)
    else:
        entries = read(campaign.raw_of())[: 150 * FUZZ]
        fold.replay(entries, table_for)
    assert len(posts) >= len(entries)
    assert all(kept == whole for kept, whole in posts)


def test_a_part_is_made_where_plain_values_are_wanted():
    assert plain({"a": 1, "b": MadeOf((1, 2), list)}) == {"a": 1, "b": [1, 2]}
