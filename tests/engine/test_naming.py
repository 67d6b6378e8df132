"""Which names a field of an order has, and the order with others, or with them sorted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from pbem.engine.codec import fields_of
from pbem.engine.model import Keyed, Order
from pbem.engine.naming import names_in, respelt, sorted_names
from pbem.value import field, replace, value

Hex = Annotated[str, "hex"]
Unit = Annotated[str, "unit"]


@value
class Send(Order):
    verb = "send"
    one: str = field(metadata={"kind": "unit"})
    path: tuple[Hex, ...] = ()
    late: tuple[None, Hex] | None = None
    where: Mapping[Unit, Hex] | None = None
    perhaps: tuple[None, Mapping[Unit, int]] | None = None
    over: Mapping[Hex, Unit] = field(default_factory=dict)
    many: int = 0


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("one", ("", "unit")),
        ("path", ("", "hex")),
        ("late", ("", "hex")),
        ("where", ("unit", "hex")),
        ("perhaps", ("unit", "")),
        ("over", ("hex", "unit")),
        ("many", ("", "")),
    ],
)
def test_a_field_names_what_its_hint_or_its_metadata_say(name: str, kinds: Any) -> None:
    assert fields_of(Send)[name].kinds == kinds


def test_each_name_is_spelt_and_nothing_else() -> None:
    sent = Send("foot", ("b", "a"), where={"gun": "c"}, over={"d": "gun"}, many=3)
    assert list(names_in(sent, "unit")) == ["foot", "gun", "gun"]
    spelt = respelt(sent, lambda kind, name: f"{kind} {name}")
    assert spelt == Send(
        "unit foot", ("hex b", "hex a"), where={"unit gun": "hex c"}, over={"hex d": "unit gun"},
        many=3,
    )  # fmt: skip


def test_names_of_one_kind_are_sorted_where_a_field_lists_them() -> None:
    sent = Send("z", ("b", "a"))
    assert sorted_names(sent, "unit", str).path == ("b", "a"), "they are of another kind"
    assert sorted_names(sent, "hex", str).path == ("a", "b")


@value
class Part(Keyed):
    to: Mapping[str, int] | str = "none"


@value
class Share(Order):
    parts: Mapping[str, Part]
    rest: Part = field(default_factory=Part)


@value
class Wider(Share):
    names: Mapping[str, str] | None = None


def test_an_order_and_what_is_in_it_have_their_mappings_by_their_keys() -> None:
    """So it is tried in the sequence in which whoever reads the file has it."""
    part = Part({"b": 1, "a": 2})
    share = Wider({"d": part, "c": part}, names={"f": "x", "e": "y"})
    assert share.rest.to == "none" and share.names == {"e": "y", "f": "x"}
    for each in (
        part.to,
        share.parts,
        share.names,
        replace(share, parts={"f": part, "e": part}).parts,
    ):
        assert list(each) == sorted(each)
