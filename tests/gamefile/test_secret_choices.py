"""Two players choose without seeing the other's choice, and nobody can change or keep back one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.gamefile import choices, format
from pbem.gamefile.beacons import mac
from pbem.gamefile.cards import CHOICES
from pbem.gamefile.chain import Entry
from pbem.gamefile.compose import (
    OrdersRefused,
    Proposal,
    Wish,
    compose,
    propose_solo,
    solo_keys,
)
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.in_play import Asked
from pbem.gamefile.journal import ChoiceSealed, ChoiceTold, Locked, Rolled
from pbem.gamefile.limits import CHOICE_BYTES, CHOICE_SIZES
from pbem.gamefile.prospect import prospect
from pbem.gamefile.verify import examine, examine_without_rules, proven
from pbem.gamefile.without_rules import replay_without_rules
from pbem.value import replace
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import (
    KEYS,
    TERMS,
    TOOL,
    forge,
    opened,
    policy,
    steps,
    tried,
    write,
    written,
)
from tests.gamefile.secret_cases import cases, files, other_box, sample, sealing, secrets
from tests.gamefile.secret_toy import (
    BOLD,
    CONSPIRE,
    LEFT,
    RIGHT,
    SecretToy,
    both_bound,
    conspired,
    open_secret_toy,
    open_short_toy,
)

SECRETS = (b"left", b"right", b"bold")


def refused(fold: Fold, player: str, *steps: dict[str, Any]) -> str:
    with pytest.raises(FileRefused) as refusal:
        tried(fold, player, list(steps))
    return f"{refusal.value.code}: {refusal.value.message}"


def told(fold: Fold) -> list[ChoiceTold]:
    return [each for each in fold.told() if isinstance(each, ChoiceTold)]


# --- how it goes


def test_both_are_bound_before_either_is_told() -> None:
    fold = conspired()
    assert steps(fold) == ["orders", "seal"]
    assert fold.pen == "B" and [each.machine for each in fold.owed] == ["seal a plot"]
    assert told(fold) == []
    fold = write(fold, "B", RIGHT)
    assert steps(fold) == ["seal", "tell"]  # whoever is bound last may tell at once
    assert [each.machine for each in fold.owed] == ["tell a plot"] and fold.pen == "A"
    assert fold.locked is None
    fold = write(fold, "A")
    assert steps(fold) == ["tell", "reveal"] and fold.locked == 2  # then the die
    assert [(each.by, each.order, each.problems) for each in told(fold)] == [
        ("B", RIGHT, ()), ("A", BOLD, ())
    ]  # fmt: skip
    assert fold.machine.hidden.chosen == ()
    fold = write(fold, "B")
    assert any(isinstance(each, Rolled) and each.what == "the clash" for each in fold.told())
    assert replay(format.read(format.write(fold.entries)), open_secret_toy).head == fold.head


def test_nothing_is_locked_between_the_first_seal_and_the_last_telling() -> None:
    fold = write(both_bound(), "A")
    between = [each for each in fold.told() if isinstance(each, (ChoiceSealed, ChoiceTold, Locked))]
    kinds = [type(each).__name__ for each in between]
    first, last = kinds.index("ChoiceSealed"), len(kinds) - kinds[::-1].index("ChoiceTold")
    assert "Locked" not in kinds[first:last] and kinds[last] == "Locked"


def test_a_secret_question_closes_the_open_beacon() -> None:
    """R6: reached by an order given ahead, with the dice of the fight still open."""
    fold = write(opened(table=open_secret_toy), "A", {"attack": {"force": 2}}, CONSPIRE)
    fold = write(write(fold, "B", {"card": {"use": None}}, {"stand": {"how": "hold"}}), "A")
    fold = write(fold, "B", {"stand": {"how": "hold"}}) if fold.pen == "B" else fold
    told = [type(each).__name__ for each in fold.told()]
    asked = next(at for at, each in enumerate(fold.told()) if getattr(each, "order", 0) == CONSPIRE)
    assert "Rolled" in told[:asked] and told[asked + 1] == "Closed"
    assert fold.machine.beacons.dice is None and [each.machine for each in fold.owed] == [
        "seal a plot"
    ]


@pytest.mark.parametrize(
    ("table", "size"), [(open_secret_toy, CHOICE_BYTES), (open_short_toy, CHOICE_SIZES[0])]
)
def test_nobody_learns_a_choice_before_being_bound(table: Any, size: int) -> None:
    folds = [conspired(plot, table) for plot in (LEFT, RIGHT, BOLD)]
    texts = [b"".join(json.dumps(each.payload).encode() for each in fold.entries)
             for fold in folds]  # fmt: skip
    assert all(word not in text for text in texts for word in SECRETS)
    assert len({len(text) for text in texts}) == 1
    for fold in folds:
        seal = fold.entries[-1].steps[-1]
        assert len(seal["box"]) == 4 * (size + 16) // 3
        state = json.dumps(fold.machine.public_state())
        assert all(word.decode() not in state for word in SECRETS)
        (chosen,) = fold.machine.hidden.chosen
        with pytest.raises(FileRefused, match="cannot be read with this key"):
            secrets(fold, "B").tell(chosen)
        assert secrets(fold, "A").tell(chosen)["order"] in (LEFT, RIGHT, BOLD)
    (asked,) = {prospect(fold, KEYS["B"]).in_play for fold in folds}  # alike for all that B knows
    assert asked.waits().by == "B"


def test_no_story_has_a_choice_made_by_who_has_heard_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And the checker would find it, were the first to choose asked to tell at once."""
    assert look_aheads(sample()) == []
    asked = SecretToy.waits

    def hasty(self: SecretToy) -> Any:
        if self.stage == "plot" and self.sealed:
            return Asked(self.sealed[-1], "a plot", "react", tells=len(self.sealed))
        return asked(self)

    monkeypatch.setattr(SecretToy, "waits", hasty)
    monkeypatch.setattr(SecretToy, "_plot", lambda self, fields: replace(
        self, waiting=self.waiting if self.sealed else (), sealed=(),
        stage="plot" if self.waiting else "clash"))  # fmt: skip
    fold = write(opened(table=open_secret_toy), "A", CONSPIRE, BOLD)
    assert steps(fold) == ["orders", "seal", "tell"]
    assert look_aheads(write(fold, "B", RIGHT)) == ["B chose knowing what A chose"]


def test_a_choice_is_bound_to_its_very_step() -> None:
    """The same plot in another entry, or at another step, has another commitment and box."""
    fold = opened(table=open_secret_toy)
    made = [sealing(fold, "A", BOLD, step) for step in (0, 1)]
    made.append(sealing(conspired(), "A", BOLD))
    assert len({each["c"] for each in made}) == len({each["box"] for each in made}) == 3
    secret = secrets(fold, "A").game
    digest = choices.digest_of(BOLD)
    assert choices.salt_of(secret, 3, 1, BOLD) == mac(
        secret, f"pbem1/choicesalt\n3\n1\n{digest}").hex()  # fmt: skip


def test_it_is_judged_by_its_author() -> None:
    fold = opened(table=open_secret_toy)
    with pytest.raises(OrdersRefused, match="not legal") as refused:
        write(fold, "A", CONSPIRE, {"plot": {"how": "up"}})
    ((place, _),) = refused.value.refusals
    assert place == 1
    for asked, player, order, rule, why in (
        (fold, "A", BOLD, CHOICES, "a secret choice does not answer what is asked now"),
        (conspired(), "B", {"pass": {}}, "R8", "nothing here answers the question: a plot"),
        (conspired(), "B", {**BOLD, "when": {"round": 1}}, CHOICES,
         "a secret choice cannot wait for anything"),
    ):  # fmt: skip
        with pytest.raises(FileRefused, match=why) as found:
            write(asked, player, order)
        assert (found.value.code, found.value.rule) == ("E-ORDER", rule)


def test_a_choice_that_is_due_is_no_question_any_more() -> None:
    for fold in (both_bound(), write(both_bound(), "A")):
        with pytest.raises(FileRefused) as refusal:
            write(fold, "A", LEFT)
        assert refusal.value.code == "E-TURN"
    assert prospect(both_bound(), KEYS["A"]).orders_wanted is False


def test_what_stands_behind_a_secret_choice_is_never_sent_with_it_in_clear() -> None:
    made = written(opened(table=open_secret_toy), "A", CONSPIRE, BOLD, {"pass": {}})
    assert steps(made.fold) == ["orders", "seal"] and made.unused == (2,)
    assert made.fold.entries[-1].steps[0]["list"] == [CONSPIRE]
    again = written(opened(table=open_secret_toy), "A", {"pass": {}}, BOLD)
    assert steps(again.fold) == ["orders"] and again.unused == (1,)


def test_one_person_on_both_seats_hides_nothing() -> None:
    fold = propose_solo(Proposal("toy/1", "d" * 64, "duel", TERMS.sides, {"open_hands": True}, 64),
                        "both", open_secret_toy, tool=TOOL)  # fmt: skip
    for player, order in (("A", CONSPIRE), ("A", LEFT), ("B", RIGHT)):
        fold = compose(fold, solo_keys(fold)[player], Wish((order,)), tool=TOOL).fold
    assert [kind for entry in fold.entries for kind in [s["do"] for s in entry.steps]].count(
        "seal") == 0  # fmt: skip
    assert fold.machine.table.plots == ("left", "right") and fold.locked is not None


def test_standing_orders_answer_no_secret_decision() -> None:
    fold = write(opened(table=open_secret_toy), "A", {"pass": {}})
    fold = write(fold, "B", CONSPIRE, LEFT, policies=(policy("all", card=None),))
    assert fold.pen == "A" and [each.machine for each in fold.owed] == ["seal a plot"]
    fold = write(fold, "A", {**BOLD}, policies=(policy("all", card=None),))
    assert [each.order for each in told(fold)] == [BOLD]


# --- what cannot be done


@pytest.mark.parametrize("name", sorted(cases()))
def test_what_cannot_be_done(name: str) -> None:
    fold, player, given, message = cases()[name]
    assert refused(fold, player, *given) == message


def test_a_telling_that_does_not_come_is_a_debt_on_record() -> None:
    fold = write(both_bound(), "B", claim_forfeit=True)
    assert fold.machine.agreements.claim == {
        "by": "B",
        "since": both_bound().head,
        "owed": ["tell a plot"],
    }
    assert write(fold, "A").machine.agreements.claim is None
    asked = write(conspired(), "A", claim_forfeit=True)
    assert asked.machine.agreements.claim is not None and asked.machine.agreements.claim[
        "owed"
    ] == ["seal a plot"]
    assert write(asked, "B", LEFT).machine.agreements.claim is None


@pytest.mark.parametrize("order", [
    {"plot": {"how": "up"}}, {"plot": {}}, {"zzz": {}}, {"pass": {}}, {"plot": 7}, {"plot": None},
])  # fmt: skip
def test_what_is_not_legal_when_it_is_told_counts_as_the_default(order: dict[str, Any]) -> None:
    fold = conspired(BOLD)
    salt = choices.salt_of(secrets(fold, "B").game, len(fold.entries), 0, order)
    fold = tried(fold, "B", [
        sealing(fold, "B", order), {"do": "tell", "order": order, "salt": salt}
    ])  # fmt: skip
    (one,) = told(fold)
    assert (one.order, one.told) == (LEFT, order) and one.problems
    fold = write(fold, "A")
    assert fold.machine.table.plots == ("bold", "left")


# --- what both agree on, new secrets, the audit


def test_a_take_back_leaves_no_choice_and_may_stand_in_place_of_telling() -> None:
    start = opened(table=open_secret_toy)
    fold = write(both_bound(), "B", offer={"what": "takeback", "to": len(start.entries) - 1})
    fold = write(fold, "A", answer=True)
    assert steps(fold) == ["answer", "takeback"]
    assert fold.machine.hidden.chosen == () and len(told(fold)) == 1
    assert b"bold" not in json.dumps([each.payload for each in fold.entries]).encode()
    fold = write(fold, "A", CONSPIRE, LEFT)
    assert [each.machine for each in fold.owed] == ["seal a plot"]


def test_nobody_goes_back_to_where_one_choice_is_bound() -> None:
    fold = both_bound()
    with pytest.raises(FileRefused, match="cannot go back to entry 4"):
        write(fold, "B", offer={"what": "takeback", "to": len(conspired().entries) - 1})


def test_a_choice_whose_secrets_are_lost_is_told_as_the_default() -> None:
    from tests.gamefile.renewed import named, taken

    fold = taken(named(both_bound(BOLD, RIGHT), "A"))
    assert "tell" not in steps(fold) and proven(fold).told == 1
    one, lost = told(fold)
    assert (one.order, lost.order, lost.told, lost.sent) == (RIGHT, LEFT, None, None)
    assert fold.machine.table.plots == ("left", "right") and fold.locked == 2
    waiting = taken(named(write(opened(table=open_secret_toy), "A", {"pass": {}}), "B"))
    assert waiting.pen == "B" and told(waiting) == []


def test_a_choice_stays_bound_when_the_other_goes_on_with_new_secrets() -> None:
    from tests.gamefile.renewed import NEW, named, signing, taken

    fold = taken(named(conspired(BOLD), "B"))
    assert fold.pen == "B" and [each.machine for each in fold.owed] == ["seal a plot"]
    with signing(B=NEW):
        fold = write(write(fold, "B", RIGHT), "A")
    assert [(each.by, each.told) for each in told(fold)] == [("B", RIGHT), ("A", BOLD)]


@pytest.mark.parametrize(
    ("room", "size"), [(0, 2048), (1, 512), (512, 512), (513, 2048), (2048, 2048), (9999, 2048)]
)
def test_a_choice_as_long_as_its_box_is_sealed_and_no_longer_one(room: int, size: int) -> None:
    order = {"plot": {"how": "x" * (size - len('{"plot":{"how":""}}'))}}
    secret = secrets(conspired(), "B").game
    assert choices.unbox(secret, 5, 0, choices.seal(secret, 5, 0, order, room).box) == order
    order["plot"]["how"] += "x"
    with pytest.raises(FileRefused) as refusal:
        choices.seal(secret, 5, 0, order, room)
    assert refusal.value.code == "E-LIMIT"


def test_a_box_has_the_size_that_its_question_has() -> None:
    fold = conspired(table=open_short_toy)
    assert refused(fold, "B", sealing(fold, "B", LEFT)) == (
        "E-POLICY: the box of a secret choice has the wrong length"
    )


def test_every_box_is_opened_at_the_audit() -> None:
    good = write(write(write(both_bound(), "A"), "B"), "A", resign=True)
    over = write(good, "B")
    assert over.machine.hides_something and over.is_provisional is False
    assert replay(over.entries, open_secret_toy).result == over.result
    for ended in (other_box()[0], unreadable_box()):
        with pytest.raises(FileRefused) as refusal:
            write(ended, "A")
        assert refusal.value.code == "E-AUDIT" and "secret choice" in str(refusal.value.message)


def unreadable_box() -> Fold:
    """A game whose loser has put what no key opens in the place of a choice that was never told."""
    start = opened(table=open_secret_toy)
    orders, plot = {"do": "orders", "list": [CONSPIRE]}, sealing(start, "A", LEFT, 1)
    fold = tried(start, "A", [orders, {**plot, "box": "A" * len(plot["box"])}])
    return write(fold, "B", resign=True)


def test_boxes_of_lost_secrets_stay_closed() -> None:
    from tests.gamefile.renewed import NEW, named, taken

    fold = write(taken(named(both_bound(), "A")), "B", resign=True)
    fold = compose(write(fold, "B"), NEW, Wish(lost=True), tool=TOOL).fold
    assert fold.owed == () and fold.machine.hidden.lost


# --- without the rules


def bare(entries: list[Entry]) -> str:
    try:
        replay_without_rules(entries)
    except FileRefused as refusal:
        return refusal.code
    return "good"


def test_without_the_rules_a_choice_is_held_to_what_was_sealed() -> None:
    fold, bound = write(both_bound(), "A"), both_bound()
    assert bare(list(fold.entries)) == "good" and replay_without_rules(fold.entries).told == 2
    due = fold.entries[-1].steps[0]
    for changed in ({**due, "order": LEFT}, {**due, "salt": "1" * 64}):
        assert bare([*bound.entries, forge(bound, "A", [changed])]) == "E-POLICY"
    twice = forge(bound, "A", [due, due])
    assert bare([*bound.entries, twice]) == "E-POLICY"


@pytest.mark.parametrize("found", [*files()], ids=lambda found: found[0])
def test_files_are_refused_by_their_class(found: tuple[str, str, list[Entry]]) -> None:
    _, expected, entries = found
    report = examine(format.write(entries), open_secret_toy)
    assert ([each.problem.code for each in report.findings] or ["good"])[0] == expected


def test_the_sample_tells_what_was_proven() -> None:
    report = examine(format.write(sample().entries), open_secret_toy)
    assert report.proven is not None
    told = "2 secret choices shown, each the one its author was bound to before"
    assert told in map(str, report.proven.sentences())
    alone = examine_without_rules(format.write(sample().entries))
    assert alone.proven is not None and told in map(str, alone.proven.sentences())
