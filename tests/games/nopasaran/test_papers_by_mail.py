"""Sealed lists of ¡No Pasarán! by two keys: mails, what each sees, and what a cheat tries."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.session import Session
from pbem.engine.tags import is_tag
from pbem.gamefile import lists
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.format import write as write_out
from pbem.gamefile.journal import FactSaid, Ordered, PassedOver
from pbem.gamefile.prospect import prospect
from pbem.games.nopasaran.orders import Pick
from pbem.games.nopasaran.position import Mission, Position
from pbem.messages import words
from pbem.orders.parse import parse
from pbem.play.dry_run import dry_run
from pbem.play.practice import written
from pbem.play.prepare import first_legal
from pbem.play.story import story
from pbem.play.viewpoint import viewpoint
from pbem.problems import Refused
from pbem.render import log_text
from pbem.render.blocks import Reader
from pbem.text.source import Source
from tests.desk.conftest import Drawer
from tests.facedown.mails import audited
from tests.gamefile.cheating import Steps, audit, changed, refused, secrets
from tests.gamefile.players import KEYS, TOOL, tried
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.covered import NEXT, covered, until, write
from tests.games.nopasaran.covered import known as known_of
from tests.games.outgoing import Seat, holds, inside

MORNING = """orders:
  - assign: {R-Zap-1: R-12BI, R-105V: R-12BI}
  - fly: {R-R5: {reco: F12}, R-SB-1: {bomb: G12}}
"""
OTHERS = """orders:
  - assign: {N-Zap-III: N-R5, N-2Alh/6: N-R5}
  - fly: {N-Ju52-1: {bomb: G13}, N-Ro37: {reco: F14}}
"""
ATTACK = """  - activate: {formation: N-R5}
  - bombard: {target: G13, air: [N-Ju52-1]}
"""


def seats(seed: str = "lists", *options: str) -> Seats:
    return Seats(seed, "jarama_pindoque", *options, is_open=False)


def morning(seed: str = "lists") -> Seats:
    """Both have written; the Nationalists activate, without a die."""
    table = seats(seed)
    for text in (MORNING, OTHERS, ""):
        table.mail(text)
    assert table.pen == "A" and table.orders_wanted
    return table


def position(table: Seats) -> Position:
    """As both know it."""
    found: Position = table.game.table.state.position  # type: ignore[union-attr]
    return found


def known(table: Seats, player: str) -> Position:
    """As a player knows it."""
    found: Position = prospect(table.fold, KEYS[player]).in_play.state.position
    return found


def honest(table: Seats, *orders: dict[str, Any]) -> Steps:
    """The steps that the program of whoever has the pen would write."""
    found = compose(table.fold, KEYS[table.pen], Wish(orders=orders), tool=TOOL,
                    fresh=table.nonce)  # fmt: skip
    return [dict(step) for step in found.entry.steps]


# ------------------------------------------------------------------- mails


@pytest.mark.rule("5", "5.1", "5.2.1")
def test_a_morning_costs_no_more_mails_than_in_the_open_game() -> None:
    table = seats()
    begun = len(table.fold.entries)
    table.mail(MORNING)
    first = table.fold.entries[-1].body
    orders = Source("orders.yaml", OTHERS)
    checked = dry_run(table.game, KEYS[table.pen], parse(orders, table.table.system.verbs))
    assert "told" in str(words(checked.stopped)) or "come to light" in words(checked.stopped)
    table.mail(OTHERS)
    assert not table.orders_wanted
    table.mail()
    assert [table.steps(at) for at in range(begun, begun + 3)] == [
        ["list_seal", "list_seal"], ["list_seal", "list_seal", "list_tell", "list_tell"],
        ["list_tell", "list_tell", "reveal"],
    ]  # fmt: skip
    assert table.orders_wanted, "the dice and the first activation are one mail"
    told = [[each["item"] for each in step["items"]] for entry in table.fold.entries
            for step in entry.steps if step["do"] == "list_tell"]  # fmt: skip
    assert told == [[], [["reco", "F14"]], [], [["reco", "F12"]]], "what is due is told, no more"
    for secret in ("R-Zap-1", "R-105V", "R-12BI", "R-SB-1", "bomb"):
        plain = secret.encode()
        for form in (plain, plain.hex().encode(), base64.b64encode(plain)[:-2]):
            assert form not in first, "nothing is seen of what was written"


@pytest.mark.rule("5.2.1")
def test_missions_may_be_written_behind_the_recovery() -> None:
    """A list has an entry of its own then, and all of it costs as many mails as in the open."""
    tables = [seats("later", "air_after_recovery"),
              Seats("later", "jarama_pindoque", "air_after_recovery")]  # fmt: skip
    counts = []
    for table in tables:
        begun = table.mails
        while table.table.state.agenda[-1].__class__.__name__ != "Activating":
            wanted = table.orders_wanted and table.table.decision is not None
            stage = table.table.decision.stage if wanted else ""  # type: ignore[union-attr]
            text = {"assign": "  - assign: none\n", "fly": "  - fly: none\n"}.get(stage, "")
            table.mail(f"orders:\n{text}" if text else "")
        counts.append(table.mails - begun)
    assert counts[0] == counts[1]


@pytest.mark.rule("5.1", "5.2.2.bomb")
def test_what_an_order_uses_is_told_in_front_of_it() -> None:
    table = morning()
    text = f"orders:\n{ATTACK}  - done\n"
    orders = parse(Source("orders.yaml", text), table.table.system.verbs)
    checked = words("\n".join(map(words, dry_run(table.game, KEYS["A"], orders).sentences())))
    assert "this mail tells your opponent of your lists: " in checked
    assert {"N-Zap-III: N-R5", "N-2Alh/6: N-R5"} <= set(
        checked.split("lists: ")[1].split("\n")[0].split("; ")
    ) and "bomb: G13" in checked
    assert "said openly" not in checked
    table.mail(text)
    kinds = table.steps()
    assert kinds[-4:] == ["list_tell", "list_tell", "orders", "reveal"]
    after = position(table)
    assert after.assigned == {"N-Zap-III": "N-R5", "N-2Alh/6": "N-R5"}
    assert after.missions["N-Ju52-1"] == Mission("bomb", "G13")
    assert after.cycle is not None and after.cycle.able >= {"N-Zap-III", "N-2Alh/6"}
    assert not {"R-Zap-1", "R-105V"} & after.assigned.keys(), "the others are told of nothing else"


@pytest.mark.rule("5.1")
def test_who_is_attacked_tells_in_the_head_and_the_attack_costs_no_further_mail() -> None:
    """R-AMarty/12 in G13 is of the formation to which a battery was assigned."""
    table = morning()
    attack = "  - attack: {hex: G13, from: {G12: [N-1TirIf/5]}, support: none, advance: none}\n"
    table.mail(f"orders:\n  - activate: {{formation: N-R5}}\n{attack}  - done\n")
    assert table.steps()[-1] == "reveal" and table.pen == "B", "a beacon is locked over it"
    charges = table.fold.machine.waits  # type: ignore[union-attr]
    table.mail()
    assert table.steps()[0] == "reveal" and "list_tell" in table.steps(), str(charges)
    told = [each["item"] for step in table.fold.entries[-1].steps if step["do"] == "list_tell"
            for each in step["items"]]  # fmt: skip
    assert told in ([["R-105V", "R-12BI"]], []), "and the sappers stay unknown"


@pytest.mark.rule("5.1", "6.6")
def test_a_list_is_written_from_yesterdays() -> None:
    table = morning()
    while position(table).day < 2:
        decision = table.table.decision if table.orders_wanted else None
        is_free = decision is not None and decision.stage == "activation"
        table.mail("orders:\n  - finish\n" if is_free else "orders:\n  - build: none\n"
                   if decision is not None and decision.stage == "works" else "")  # fmt: skip
    assert position(table).assigned == {}
    assert known(table, "B").seen("republican").assigned == {  # type: ignore[arg-type]
        "R-Zap-1": "R-12BI", "R-105V": "R-12BI",
    }  # fmt: skip
    while "list_seal" not in [owed.code for owed in table.fold.owed]:
        table.mail()
    mine = {"A": "  - assign: {N-2Alh/6: own}\n", "B": "  - assign: {R-105V: own}\n"}
    flies = "  - fly: none\n" if position(table).sky.flies else ""
    for _ in range(2):
        table.mail(f"orders:\n{mine[table.pen]}{flies}")
    for player, left in (("A", {"N-Zap-III": "N-R5"}), ("B", {"R-Zap-1": "R-12BI"})):
        side = "nationalist" if player == "A" else "republican"
        assert known(table, player).seen(side).assigned == left  # type: ignore[arg-type]


PLAN = """standing:
  activations:
    - [{activate: {unit: N-Zap-III}}, done]
    - [{activate: {formation: N-R5}}, {bombard: {target: G13, guns: [N-Art75-III]}}, done]
"""


@pytest.mark.rule("5.1")
def test_a_sealed_plan_is_followed_by_the_question_for_what_it_uses() -> None:
    """Nothing could be told in front of it: its orders are not in the file yet. One that the list
    of its author contradicts comes to nothing.
    """
    table = seats()
    table.mail(MORNING)
    table.mail(OTHERS + PLAN)
    for _ in range(3):
        table.mail()
        if position(table).cycle or position(table).activated:
            break
    kinds = [kind for at in range(len(table.fold.entries)) for kind in table.steps(at)]
    assert "unseal" in kinds and kinds.index("unseal") < len(kinds) - kinds[::-1].index("list_tell")
    after = position(table)
    assert "N-R5" in after.activated
    assert after.assigned == {"N-Zap-III": "N-R5", "N-2Alh/6": "N-R5"}
    assert "N-Zap-III" not in after.activated
    fold = compose(
        table.fold, KEYS[table.pen], Wish(resign=True), tool=TOOL, fresh=table.nonce
    ).fold
    assert set(audited(fold).machine.hidden.audited) == {"A", "B"}


@pytest.mark.rule("5.1", "6.6")
def test_a_counter_face_down_is_assigned_by_its_name() -> None:
    """On the list it goes by its tag, and its player reads its name."""
    fold = until(covered(11), "B", "assign", NEXT + 1)
    position = known_of(fold, "B")
    assert is_tag(position.down.tag("R-105V", position.hexes))
    orders = {"assign": {"to": [["R-105V", "R-12BI"]]}}, {"fly": {"missions": []}}
    fold = write(fold, "B", *orders)
    assert known_of(fold, "B").seen("republican").assigned == {"R-105V": "R-12BI"}  # type: ignore[arg-type]
    assert known_of(fold, "A").seen("republican").assigned == {}  # type: ignore[arg-type]


@pytest.mark.rule("5.1")
def test_each_has_a_story_of_what_they_wrote() -> None:
    table = morning()
    told = {}
    for player in ("A", "B", ""):
        view = viewpoint(table.game, KEYS[player]) if player else viewpoint(table.game, None)
        told[player] = log_text.text(story(table.game, viewer=view), Reader(width=400))
    assert "(N-Zap-III) to Regimiento 5 (III Brigada) (N-R5)" in told["A"]
    assert "R-105V" not in told["A"] and "N-Zap-III" not in told["B"]
    assert "(R-105V) to XII Brigada Internacional (R-12BI)" in told["B"]
    assert "N-Zap-III" not in told[""] and "R-105V" not in told[""] and "bomb" not in told[""]


@pytest.mark.rule("5.1", "5.2.1")
def test_nothing_that_leaves_a_desk_or_is_seen_at_the_other_tells_of_a_list(tmp_path: Path) -> None:
    """Until a line is told: neither who acts with whom, nor what will be bombed."""
    raw = write_out(morning().fold.entries[:-1])  # the Nationalist player wrote last
    own, other = Seat(tmp_path / "A", "A"), Seat(tmp_path / "B", "B")
    for desk in (own, other):
        desk.holds(raw)
    leaves = [own.looks(0, *look, "game.json", sides=()).raw for look in (
        ("show", "--digest"), ("verify",), ("show", "--svg", "made"), ("log",), ("summary",),
    )]  # fmt: skip
    told, _, content = own.looks(0, "mail", "game.json", "-o", "made", sides=()).raw.partition(
        b"Subject: "
    )
    leaves += [told, *inside(b"Subject: " + content)]
    leaves += [other.looks(0, *look, "game.json", sides=()).raw for look in (
        ("status",), ("status", "--json"), ("show", "--json"), ("log", "--json"),
    )]  # fmt: skip
    for who, to in (("N-Zap-III", "N-R5"), ("N-2Alh/6", "N-R5"), ("bomb", "G13")):
        ways = [f'"{who}","{to}"', f'"{who}": "{to}"',
                *(f"{who}{between}{to}" for between in (": ", " to ", " a ")),
                *(f"{who}){between}Regimiento" for between in (" to ", " a ")),
                "bombing, Pindoque"]  # fmt: skip
        assert not [each[:80] for each in leaves if holds(b" ".join(each.split()), ways)], who
    lines = own.looks(0, "log", "game.json", "--key", "own.key", sides=()).raw
    told = b" ".join(lines.split())
    assert all(holds(told, [each]) for each in ("N-Zap-III) to Regimiento", "bombing, Pindoque"))


# ------------------------------------------------------------------- cheats


def spoilt(tell: dict[str, Any], **change: Any) -> dict[str, Any]:
    return {**tell, "items": [{**tell["items"][0], **change}, *tell["items"][1:]]}


def test_a_told_line_is_the_one_that_was_sealed() -> None:
    """Not another, not at another place, not twice, and not of the other list."""
    table = morning()
    steps = honest(table, {"activate": {"formation": "N-R5"}}, {"done": {}})
    (tell,) = [step for step in steps if step["do"] == "list_tell"]
    at = tell["items"][0]["at"]
    beside = (at + 1) % 32
    for wrong, why in (
        (spoilt(tell, item=["N-Esc-III", "N-R5"]), f"item {at} is not what was sealed in the list"),
        (spoilt(tell, at=beside), f"item {beside} is not what was sealed in the list"),
        ({**tell, "items": [*tell["items"], tell["items"][0]]},
         f"item {at} of the list was told before"),
        ({**tell, "slot": "assign_r", "seq": 3}, "player A has sealed no list assign_r/3"),
    ):  # fmt: skip
        found = refused(table.fold, "A", changed(steps, "list_tell", lambda _, w=wrong: w))  # type: ignore[misc]
        assert (found.code, words(found.message)) == ("E-POLICY", why)


def test_an_order_that_needs_a_line_is_refused_without_it() -> None:
    table = morning()
    bombs = {"bombard": {"target": "G13", "air": ["N-Ju52-1"]}}
    orders = [{"activate": {"formation": "N-R5"}}, bombs]
    steps = [step for step in honest(table, *orders) if step["do"] != "list_tell"]
    found = refused(table.fold, "A", steps)
    assert found.code == "E-ORDER"
    assert "has no bombing mission on" in words(found.causes[0].message)


def test_a_list_has_the_size_of_the_question_and_is_sealed_before_the_other_is_told() -> None:
    table = seats()
    table.mail(MORNING)
    orders = [{"assign": {"to": [["N-Zap-III", "N-R5"]]}}, {"fly": {"missions": []}}]
    steps = honest(table, *orders)
    assert [step["do"] for step in steps] == ["list_seal", "list_seal", "list_tell", "list_tell"]
    wrong = changed(steps, "list_seal", lambda step: {**step, "size": 16})
    found = refused(table.fold, "A", wrong)
    assert (found.code, words(found.message)) == (
        "E-POLICY", "the list assign_n with 32 places is asked for",
    )  # fmt: skip
    turned = [steps[2], *steps[:2], steps[3]]
    assert refused(table.fold, "A", turned).code == "E-POLICY", "nothing is told before both stand"
    table.mail(OTHERS)
    late = [steps[0], *honest(table)]
    assert refused(table.fold, "B", late).code in ("E-TURN", "E-POLICY"), "nor written behind it"


def forged(table: Seats, name: str, lines: list[Any]) -> Steps:
    """The steps of a morning in which a list has these lines."""
    steps = honest(table, {"assign": {"to": []}}, {"fly": {"missions": []}})
    size = 32 if name.startswith("assign") else 4
    every = [*lines, *[None] * (size - len(lines))]
    sealed = lists.seal(secrets(table.fold, table.pen).game, name, len(table.fold.entries), every)

    def change(step: dict[str, Any]) -> dict[str, Any]:
        if step["do"] == "list_seal" and step["slot"] == name:
            return {**step, "c": sealed.c, "box": sealed.box}
        return step

    return [change(step) for step in steps if step["do"] == "list_seal"]


@pytest.mark.parametrize(
    ("name", "lines", "why"),
    [
        ("assign_r", [["R-105V", "R-12BI"], ["R-105V", "R-17B"]], "assigns nothing"),
        ("assign_r", [["R-AMarty/12", "R-17B"]], "is of another division"),
        ("assign_r", [["r/1/0", "R-12BI"]], "assigns nothing"),
        ("air_r", [None, None, ["bomb", "G12"]], "does not fly this mission"),
    ],
)  # fmt: skip
def test_a_list_that_could_not_be_written_is_found_by_the_audit(
    name: str, lines: list[Any], why: str
) -> None:
    """Twice the same unit, against the limits, by a tag that nobody has: at the first telling."""
    table = seats()
    fold = tried(table.fold, "B", forged(table, name, lines))
    nothing = Wish(orders=({"assign": {"to": []}}, {"fly": {"missions": []}}))
    fold = compose(fold, KEYS["A"], nothing, tool=TOOL, fresh=table.nonce).fold
    place = len(fold.entries)
    tell = {"do": "list_tell", "items": []}
    fold = tried(fold, "B", [{**tell, "slot": each, "seq": place - 2} for each in (
        "assign_r", "air_r")])  # fmt: skip
    fold = compose(fold, KEYS["A"], Wish(resign=True), tool=TOOL, fresh=table.nonce).fold
    found = refused(fold, "B", [audit(fold, "B")])
    assert (found.code, found.by, found.entry) == ("E-AUDIT", "B", place)
    assert why in words(found.causes[0].message)


def test_what_was_due_with_an_order_and_not_told_is_found_by_the_audit() -> None:
    table = morning()
    orders = [{"activate": {"formation": "N-R5"}}, {"done": {}}]
    silent = [step for step in honest(table, *orders) if step["do"] != "list_tell"]
    fold = tried(table.fold, "A", silent)
    place = len(fold.entries) - 1
    fold = compose(fold, KEYS[str(fold.pen)], Wish(resign=True), tool=TOOL, fresh=table.nonce).fold
    while fold.pen != "A":
        fold = compose(fold, KEYS[str(fold.pen)], Wish(), tool=TOOL, fresh=table.nonce).fold
    found = refused(fold, "A", [audit(fold, "A")])
    assert (found.code, found.by, found.entry) == ("E-AUDIT", "A", place)
    assert "of the list assign_n" in words(found.causes[0].message)


def picking() -> Seats:
    """Asked to pick what a report from the air shows."""
    for number in range(20):
        table = seats(f"pick {number}", "secret_set_up")
        for _ in range(9):
            asked = table.table.decision if table.orders_wanted else None
            if asked is not None and asked.stage == "pick":
                return table
            source = written(table.game, KEYS[table.pen])
            text = source.text if source else ""
            table.mail(re.sub(r"reco: (\w+)\}", r"reco: \1, picks: ask}", text))
    raise AssertionError("no report leaves anything to pick")


def test_who_picks_calls_counters_as_the_question_does() -> None:
    """By hex and number: nobody sees more of them than that."""
    table = picking()
    offered = first_legal(table.table, table.table.names_of(table.pen, Pick), Pick)
    assert "[a counter in " in offered
    board = Session(Drawer(table.game, KEYS[table.pen]))
    (field,) = board.begin("pick")["fields"]
    taken = board.choose(None, "unit", field["chips"][0]["value"])
    assert [chip["words"] for chip in field["chips"]] == [offered.partition("units: ")[2][:-1]]
    assert (taken["line"], taken["legal"]) == (offered, True)
    wrong = offered.replace("a counter", "one counter")
    with pytest.raises(Refused, match="no unit is named 'one counter in"):
        table.mail(f"orders:\n  - {wrong}\n")
    table.mail(f"orders:\n  - {offered}\n")
    assert "> pick: {units: {" in log_text.text(story(table.game), Reader(width=200))


@pytest.mark.rule("7.3.4", "21")
@pytest.mark.parametrize(("points", "comes"), [("<=20", Ordered), (">=21", PassedOver)])
def test_what_waits_for_a_report_in_the_same_mail_costs_no_further_one(
    points: str, comes: type
) -> None:
    """The report, the defenders and the attack are all in the next mail of who is looked at."""
    look = {"scout": {"unit": "N-Cab-1", "hex": "G14"}}
    fight = {"attack": {"hex": "G14", "from": [["H13", ["N-Cab-1"]]], "advance": "none"},
             "when": {"seen": [["G14", {"points": points}]]}}  # fmt: skip
    fold = write(covered(), "A", {"activate": {"formation": "N-CAB"}}, look, fight, {"done": {}})
    fold = write(fold, "B")
    (report,) = [each.order for each in fold.journal[-1] if isinstance(each, FactSaid)]
    assert report["report"]["hexes"][0][1]["points"] == 6
    (told,) = [each for each in fold.told() if isinstance(each, (Ordered, PassedOver))
               and "attack" in each.given.read.plain]  # fmt: skip
    assert isinstance(told, comes)
    assert any(step["do"] == "open" for step in fold.entries[-1].steps) is (comes is Ordered)
