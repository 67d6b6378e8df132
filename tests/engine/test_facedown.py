"""The books of counters face down: tags, ways, fields, facts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.engine.facedown import (
    MOST_ON_A_WAY,
    MOST_UNSHOWN,
    FaceDown,
    by_tag,
    in_order,
    is_tag,
    matched,
    mixed_names,
)
from pbem.engine.model import Order, Side
from pbem.engine.pieces import SaidOf
from pbem.value import field, replace, value

RED = Side("red")
LAID = FaceDown().lay("r", RED, 1, ["foot", "gun", "horse", "tank"])
TAGS = ("r/1/0", "r/1/1", "r/1/2", "r/1/3")
KNOWN = replace(LAID, faces=dict(zip(TAGS, ("horse", "gun", "foot", "tank"), strict=True)))
MIXED = LAID.mix("r", RED, 2, [("r/1/0", "r/1/1")])
AFTER = ("r/2/0", "r/2/1", "r/1/2", "r/1/3")


@value
class Go(Order):
    verb = "go"
    unit: str = field(metadata={"kind": "unit"})
    to: str = field(metadata={"kind": "hex"}, default="r/1/0")


def test_every_tag_may_be_any_counter_of_its_deck() -> None:
    assert LAID.laid == (("r", RED, 1, ("foot", "gun", "horse", "tank")),)
    assert {LAID.may_be(tag) for tag in TAGS} == {("foot", "gun", "horse", "tank")}
    assert LAID.hidden == {"foot", "gun", "horse", "tank"}
    assert LAID.supposed(TAGS[1:], ("tank", "spy", "foot")) == {"r/1/1": "tank", "r/1/2": "foot"}
    assert KNOWN.supposed(TAGS, ("tank",)) == {}, "what a view knows it need not guess"
    assert FaceDown().next_epoch("r") == 1 and LAID.next_epoch("r") == 2
    assert LAID.may_be("scout") == ("scout",)
    assert (
        LAID.face("r/1/0") == ""
        and KNOWN.face("r/1/0") == "horse"
        and LAID.face("scout") == "scout"
    )
    assert KNOWN.could_be("r/1/0") == ("horse",) and LAID.could_be("r/1/0") == LAID.may_be("r/1/0")
    assert KNOWN.tag("gun", TAGS) == "r/1/1" and LAID.tag("gun", TAGS) == "gun"
    assert KNOWN == LAID, "what one view knows is no part of what both know"


def test_who_knew_a_group_knows_it_as_a_set_behind_its_mix() -> None:
    """Also where it is mixed again, or holds counters that were known before it."""
    mixed = KNOWN.mix("r", RED, 2, [("r/1/0", "r/1/1"), ("r/1/2", "scout")])
    first, second = ("r/2/0", "r/2/1"), ("r/2/2", "r/2/3")
    assert mixed.held(first) == ("gun", "horse") and mixed.held(second) == ("foot", "scout")
    assert mixed.held((*first, "r/1/3", "spy")) == ("gun", "horse", "spy", "tank")
    assert mixed.held(first[:1]) == mixed.held((*first, second[0])) == (), "a part of a group"
    assert mixed.supposing({}).held(first) == LAID.held(TAGS[:1]) == (), "who knew nothing before"
    again = mixed.mix("r", RED, 3, [(*first, "r/1/3")])
    assert again.held(again.newest("r")) == ("gun", "horse", "tank")
    told = mixed.known_too({"r/2/1": "r.1.0"})
    assert told.held(first) == ("gun", "horse") and told.held(first[1:]) == ("horse",)


def test_each_deck_has_its_own_tags_and_owner() -> None:
    blue = Side("blue")
    both = LAID.lay("b", blue, 1, ["scout", "spy"]).mix("r", RED, 2, [("r/1/0", "r/1/1")])
    assert (both.owner("b/1/0"), both.owner("r/2/0"), both.owner("x/1/0")) == (blue, RED, None)
    assert both.newest("b") == both.slots_of(blue) == ("b/1/0", "b/1/1")
    assert both.newest("r") == ("r/2/0", "r/2/1") and both.newest("x") == ()
    assert both.slots_of(RED) == (*TAGS, "r/2/0", "r/2/1")


def test_what_only_some_could_do_cuts_a_field_down() -> None:
    fast = LAID.narrowed("r/1/0", lambda piece: piece != "gun")
    assert fast.may_be("r/1/0") == ("foot", "horse", "tank")
    assert fast.may_be("r/1/1") == LAID.may_be("r/1/1")
    assert LAID.narrowed("scout", lambda piece: False) is LAID
    assert LAID.narrowed("r/1/0", lambda piece: True) is LAID


def test_a_counter_that_is_shown_goes_by_its_name_and_leaves_other_fields() -> None:
    shown = LAID.open("r/1/0", "horse", TAGS)
    assert shown.present("r/1/0") == "horse" and shown.face("r/1/0") == "horse"
    assert shown.may_be("r/1/1") == ("foot", "gun", "tank")
    assert shown.hidden == {"foot", "gun", "tank"}
    both = LAID.lay("b", Side("blue"), 1, ["horse", "lorry"]).open(
        "r/1/0", "horse", (*TAGS, "b/1/0")
    )
    assert both.may_be("b/1/0") == ("horse", "lorry"), "the other side has its own horse"
    assert shown.meant(Go("r/1/0"), "unit") == Go("horse")
    assert LAID.meant(Go("r/1/0"), "unit") == Go("r/1/0")
    assert KNOWN.worded(Go("horse"), "unit", TAGS) == Go("r/1/0")
    assert KNOWN.worded(Go("scout"), "unit", TAGS) == Go("scout")


@value
class Send(Order):
    verb = "send"
    units: tuple[str, ...] = field(metadata={"kind": "unit"})
    first: tuple[str, ...] = field(metadata={"kind": "unit", "in_order": True}, default=())
    to: Mapping[str, str] = field(metadata={"kind": "hex", "key": "unit"}, default_factory=dict)
    path: tuple[str, ...] = field(metadata={"kind": "hex"}, default=())


def test_the_order_of_names_tells_nothing() -> None:
    """What lists counters lists those that are known, then tags in their order."""
    names = ("tank", "foot", "scout", "horse")
    sent = KNOWN.worded(Send(names, names, dict.fromkeys(names, "0101"), ("b", "a")), "unit", TAGS)
    assert sent.units == ("scout", "r/1/0", "r/1/2", "r/1/3")
    assert list(sent.to) == sorted(sent.units), "as the file has them"
    assert sent.first == ("r/1/3", "r/1/2", "scout", "r/1/0"), "unless that is what it says"
    assert sent.path == ("b", "a")
    odd = ("r/1/2", "/", "x/y", "", "n.1.0")
    assert KNOWN.worded(Send(odd), "unit", TAGS).units == (*sorted(odd[1:]), "r/1/2")


def test_players_read_and_write_names_or_where_a_counter_lies() -> None:
    def unknown(tag: str) -> str:
        return f"one in {'0102' if tag == 'r/1/3' else '0101'}"

    half = replace(LAID, faces={"r/1/1": "gun"})
    assert half.printed(("scout", *reversed(TAGS)), unknown) == {
        "r/1/0": "one in 0101", "r/1/1": "gun", "r/1/2": "one in 0101 (2)", "r/1/3": "one in 0102",
    }  # fmt: skip


def test_what_is_told_follows_the_order_of_tags() -> None:
    """Ten comes after two: in what players read, in the public state, and in facts."""
    many = FaceDown().lay("r", RED, 1, [f"foot {at}" for at in range(12)])
    tags = ("r/1/10", "r/1/2")
    assert many.printed(tags, lambda tag: "one") == {"r/1/2": "one", "r/1/10": "one (2)"}
    assert many.public(tags)["fields"][0]["tags"] == ["r/1/2", "r/1/10"]
    assert many.with_fact("zone 0101", tags, True).facts[0].tags == ("r/1/2", "r/1/10")


def test_a_mix_joins_the_fields_of_its_group() -> None:
    cut = LAID.narrowed("r/1/0", lambda piece: piece in ("horse", "tank")).narrowed(
        "r/1/1", lambda piece: piece == "gun"
    )
    mixed = cut.mix("r", RED, 2, [("r/1/0", "r/1/1")])
    assert mixed.may_be("r/2/0") == mixed.may_be("r/2/1") == ("gun", "horse", "tank")
    assert mixed.laid[-1] == ("r", RED, 2, ("r.1.0", "r.1.1"))
    assert mixed.groups == {"r/2": (2,)} and mixed.next_epoch("r") == 3
    assert mixed.hidden == mixed.pieces_of("r") == LAID.hidden, "tags are no counters"
    # The way to a counter ends in what both of its tags allow.
    older = mixed.open("r/2/1", "r.1.0", AFTER)
    assert older.may_be("r/1/0") == ("horse", "tank") and older.present("r/2/1") == "r/1/0"
    assert mixed.misfit("r/2/1", "r.1.0", AFTER) == ""
    names = ("r/2/0", "r/1/0", "r/1/2", "r/1/3")
    assert older.misfit("r/1/0", "tank", names) == ""
    assert str(older.misfit("r/1/0", "gun", names)).startswith("gun cannot have done")


def test_a_known_counter_is_mixed_by_its_name() -> None:
    shown = LAID.open("r/1/0", "horse", TAGS)
    mixed = shown.mix("r", RED, 2, [("horse", "r/1/1")])
    assert mixed.laid[-1][3] == ("horse", "r.1.1") and "horse" in mixed.hidden
    assert mixed.may_be("r/2/0") == ("foot", "gun", "horse", "tank")
    again = mixed.open("r/2/1", "horse", ("r/2/0", "r/2/1", "r/1/2", "r/1/3"))
    assert again.may_be("r/2/0") == ("foot", "gun", "tank") and again.present("r/2/1") == "horse"


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("horse", ""),
        ("gun", "gun cannot have done what this counter did"),
        ("lorry", "lorry does not lie face down"),
        ("r.9.9", "what it shows is no counter face down"),
    ],
)
def test_what_cannot_be_under_a_tag(card: str, why: str) -> None:
    fast = LAID.narrowed("r/1/0", lambda piece: piece != "gun")
    assert str(fast.misfit("r/1/0", card, TAGS)) == why


def test_a_showing_must_leave_something_for_the_others() -> None:
    one = LAID.narrowed("r/1/1", lambda piece: piece == "horse")
    assert "nothing would be left" in str(one.misfit("r/1/0", "horse", TAGS))
    assert one.misfit("r/1/0", "foot", TAGS) == ""
    assert one.misfit("r/1/1", "horse", TAGS) == ""


def test_an_older_tag_with_nothing_in_common_is_no_way() -> None:
    cut = LAID.narrowed("r/1/0", lambda piece: piece == "gun")
    cut = cut.narrowed("r/1/1", lambda piece: piece == "tank")
    mixed = cut.mix("r", RED, 2, [("r/1/0", "r/1/1")]).narrowed("r/2/0", lambda p: p == "tank")
    assert "could have done" in str(mixed.misfit("r/2/0", "r.1.0", AFTER))
    assert mixed.misfit("r/2/0", "r.1.1", AFTER) == ""


def test_facts_hold_until_a_counter_enters_or_leaves() -> None:
    said = LAID.with_fact("zone 0101", ("r/1/1", "r/1/0"), True)
    assert said.said("zone 0101") is True and said.said("zone 0102") is None
    assert said.facts[0].tags == ("r/1/0", "r/1/1")
    assert said.without_facts(["zone 0101"]).said("zone 0101") is None
    assert said.mix("r", RED, 2, [("r/1/0", "r/1/2")]).facts == ()
    both = said.with_fact("points 0102", ("gun", "r/1/3", "r/1/2"), "3+")
    mixed = both.mix("r", RED, 2, [("r/1/3", "r/1/2"), ("r/1/1", "r/1/0")])
    assert [fact.tags for fact in mixed.facts] == [("r/2/0", "r/2/1"), ("gun", "r/2/2", "r/2/3")]
    assert mixed.said("points 0102") == "3+" and mixed.said("zone 0101") is True
    other = said.mix("r", RED, 2, [("r/1/3", "r/1/2")])
    assert other.facts == said.facts, "nothing that it rests on was mixed"
    three = both.mix("r", RED, 2, [("r/1/3", "r/1/2", "gun")])
    assert three.facts[1].tags == ("r/2/0", "r/2/1", "r/2/2"), "who was known hides with them"
    names = [f"b/1/{at}" for at in range(11)]
    many = FaceDown().lay("b", RED, 1, names).with_fact("zone 0103", names, True)
    for books in (many, many.without_facts(["zone 0103"])):
        (fact,) = (found := books.mix("b", RED, 2, [names])).facts or found.earlier
        assert fact.tags == found.newest("b"), "by their numbers, not as words"
    assert said.with_fact("zone 0101", ("r/1/2",), False).said("zone 0101") is False


def earlier(books: FaceDown) -> list[tuple[str, tuple[str, ...]]]:
    return [(fact.about, fact.tags) for fact in books.earlier]


def test_what_was_said_and_holds_no_longer_is_kept_until_its_counters_are_shown() -> None:
    """Only an audit could refute it then, and new secrets let its author out of that."""
    both = ("r/1/0", "r/1/1")
    said = LAID.with_fact("zone 0101", both, True)
    assert said.earlier == () and said.with_fact("zone 0101", both, True).earlier == ()
    again = said.with_fact("zone 0101", both, False)
    assert earlier(again) == [("zone 0101", both)] and again.said("zone 0101") is False
    assert again.with_fact("zone 0101", both, True).earlier == again.facts, "it holds again"
    left = said.without_facts(["zone 0101"])
    assert earlier(left) == [("zone 0101", both)] and left.without_facts(["zone 0101"]) is left
    known = LAID.open("r/1/0", "gun", TAGS).with_fact("zone 0102", ("gun",), True)
    assert known.without_facts(["zone 0102"]).earlier == (), "it was of a counter in view"
    # Of a part of a mix nobody can tell which; of the whole it holds on.
    mixed = said.noted("top", ("r/1/3",), "guns").mix("r", RED, 2, [("r/1/0", "r/1/3")])
    assert earlier(mixed) == [("top", ("r/2/0", "r/2/1")),
                              ("zone 0101", ("r/1/1", "r/2/0", "r/2/1"))]  # fmt: skip
    many = LAID.noted("top", ("r/1/10", "r/1/2"), "guns")
    assert earlier(many) == [("top", ("r/1/2", "r/1/10"))], "by their numbers, not as words"
    half = left.open("r/1/0", "gun", TAGS)
    assert earlier(half) == [("zone 0101", ("gun", "r/1/1"))]
    assert half.open("r/1/1", "tank", ("gun", *TAGS[1:])).earlier == (), "all of it is in view"
    blue = left.lay("b", Side("blue"), 1, ["lorry"]).noted("top", ("b/1/0",), "lorries")
    assert earlier(blue.renewed("r", RED, 2)) == [("top", ("b/1/0",))], "only of that deck"
    told = blue.with_fact("zone 0103", ("r/1/2",), True).said_of("r", {
        "r/1/0": "0101", "r/1/2": "0103",
    }.get, lambda fact: fact.about)  # fmt: skip
    assert told == (SaidOf(("0103",), "zone 0103"), SaidOf(("0101",), "zone 0101", holds=False))


def test_under_new_secrets_another_tag_lies_in_the_place_of_an_old_one() -> None:
    once = LAID.renewed("r", RED, 2).laid_instead({"r/1/0": "r/2/0", "r/1/1": "r/2/1"})
    put = once.put_instead({"r/2/0": "r/2/1", "r/2/1": "r/2/0"})
    assert [put.now(name) for name in ("r/1/0", "r/1/1", "r/2/0", "gun")] == [
        "r/2/1", "r/2/0", "r/2/0", "gun",
    ]  # fmt: skip
    assert put.open("r/2/1", "gun", ("r/2/0", "r/2/1")).now("r/1/0") == "gun"
    again = put.laid_instead({"r/2/0": "r/3/0", "r/2/1": "r/3/1"})
    assert [again.now(name) for name in ("r/1/0", "r/2/0")] == ["r/3/1", "r/3/0"]


def test_a_fact_is_judged_when_the_last_of_its_counters_is_shown() -> None:
    said = LAID.with_fact("zone 0101", ("r/1/0", "r/1/1"), True)

    def is_true(fact) -> bool:
        return "horse" in fact.tags

    assert said.misfit("r/1/0", "gun", TAGS, is_true) == ""
    half = said.open("r/1/0", "gun", TAGS)
    names = ("gun", *TAGS[1:])
    assert half.misfit("r/1/1", "horse", names, is_true) == ""
    assert "what was said" in str(half.misfit("r/1/1", "tank", names, is_true))
    assert half.misfit("r/1/2", "tank", names, is_true) == "", "it rests on others"
    known = LAID.with_fact("zone 0102", ("gun",), True)
    assert known.misfit("r/1/0", "tank", TAGS, is_true) == "", "it was judged before"


def test_groups_stand_in_the_order_of_their_first_cards() -> None:
    groups = [("r/1/10", "r/1/2"), ("r/1/3", "horse")]
    assert in_order(groups) == [["horse", "r/1/3"], ["r/1/10", "r/1/2"]]
    # By cards: a dot sorts otherwise than the stroke of a slot.
    assert in_order([("r.x", "r/1/2")]) == [["r/1/2", "r.x"]]
    assert in_order([("r.x",), ("r/1/2",)]) == [["r/1/2"], ["r.x"]]
    assert mixed_names("r", 4, groups) == [["r/4/0", "r/4/1"], ["r/4/2", "r/4/3"]]
    assert sorted(["r/1/10", "tank", "r/1/2", "gun"], key=by_tag) == [
        "gun",
        "tank",
        "r/1/2",
        "r/1/10",
    ]
    assert is_tag("r/1/2") and not is_tag("gun")


def test_places_are_given_so_that_most_are_allowed_where_they_are() -> None:
    """What is unknown takes the places that are left."""
    assert matched([("a",), ("a", "b"), ("b",)], ["", "b", "a"]) == [2, 1, 0]
    assert matched([("a", "b"), ("a",)], ["a", "b"]) == [1, 0]
    assert matched([("a",), ("a",)], ["b", "a"]) == [1, 0]


def test_a_way_has_a_longest_length() -> None:
    books, names = LAID, ("r/1/0", "r/1/1")
    for epoch in range(2, MOST_ON_A_WAY + 1):
        assert books.may_mix(names[0]) and books.depths[names[0]] == epoch - 1
        books = books.mix("r", RED, epoch, [names])
        names = (f"r/{epoch}/0", f"r/{epoch}/1")
    assert not books.may_mix(names[0]) and books.may_mix("r/1/3") and books.may_mix("gun")


def test_of_a_deck_that_takes_too_many_openings_nothing_more_is_mixed() -> None:
    """Until some are shown: all may be owed at once, and one entry has to hold it."""
    pieces = [f"unit-{at}" for at in range(256)]
    books, names = FaceDown().lay("r", RED, 1, pieces), [f"r/1/{at}" for at in range(256)]
    for epoch in range(2, 4):
        assert books.may_mix(names[0])
        books = books.mix("r", RED, epoch, [names])
        names = [f"r/{epoch}/{at}" for at in range(256)]
    assert books.unshown == {"r": MOST_UNSHOWN} and not books.may_mix(names[0])
    blue = books.lay("b", Side("blue"), 1, ["lorry"])
    assert blue.may_mix("b/1/0") and blue.may_mix("unit-0"), "who is in view has no way"
    assert books.open(names[0], "r.2.7", names).may_mix("r/2/7")


def test_under_new_secrets_the_hidden_are_laid_as_one_epoch() -> None:
    blue = MIXED.lay("b", Side("blue"), 1, ["lorry"]).with_fact("zone 0102", ["b/1/0"], True)
    books = blue.with_fact("zone 0101", ["r/1/2"], True).open("r/1/3", "tank", AFTER)
    books = books.with_fact("zone 0103", ["tank", "r/1/2"], True)
    anew = books.renewed("r", RED, 3)
    assert anew.said("zone 0103") is None, "a counter that is known beside a hidden one"
    assert anew.next_epoch("r") == 4 and not anew.shown
    assert anew.said("zone 0101") is None and anew.said("zone 0102") is True, "only of that deck"
    anew = replace(anew, laid=anew.laid[1:])
    assert anew.laid == (("r", RED, 3, ("foot", "gun", "horse")),)
    assert anew.may_be("r/3/0") == ("foot", "gun", "horse") and not anew.groups
    put = anew.replaced(["r/3/1"], {"gun", "foot"})
    assert put.may_be("r/3/1") == ("foot", "gun") and put.may_be("r/3/0") == anew.may_be("r/3/0")


def test_what_both_know_lists_equal_fields_once() -> None:
    told = LAID.narrowed("r/1/2", lambda piece: piece == "gun").public(
        ["r/1/10", *TAGS[:3], "x"][1:]
    )
    assert told["fields"] == [
        {"pieces": ["foot", "gun", "horse", "tank"], "tags": ["r/1/0", "r/1/1"]},
        {"pieces": ["gun"], "tags": ["r/1/2"]},
    ]
