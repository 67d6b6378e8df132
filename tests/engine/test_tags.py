"""Ways through the epochs of a deck: from a tag to what it stands for."""

from __future__ import annotations

from pbem.engine.tags import way


def test_a_way_leads_through_earlier_epochs_to_the_card() -> None:
    cards = {"n/10/1": "n.9.4", "n/9/4": "n.2.0", "n/2/0": "CN5", "n/2/1": "CN6"}
    assert list(way(cards, "n/10/1")) == [("n/10/1", "n.9.4"), ("n/9/4", "n.2.0"), ("n/2/0", "CN5")]
    assert list(way(cards, "n/3/3")) == []


def test_a_way_that_leads_back_or_round_ends() -> None:
    assert list(way({"n/1/0": "n.1.0"}, "n/1/0")) == [("n/1/0", "n.1.0")]
    assert list(way({"n/1/0": "n.2.0", "n/2/0": "n.1.0"}, "n/2/0")) == [
        ("n/2/0", "n.1.0"),
        ("n/1/0", "n.2.0"),
    ]
    digits = "9" * 5000
    for slot, card in (("x", "n.1.0"), ("n/1/0", f"n.{digits}.0"), (f"n/{digits}/0", "n.1.0")):
        assert list(way({slot: card, "n/1/0": card}, slot)) == [(slot, card)]
