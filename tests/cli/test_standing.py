"""standing.yaml beside a game: said once, sealed with each mail that needs it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from pbem.cli import choices
from pbem.cli.request import Request
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies import answering, reading, sealing
from pbem.engine.policies.table import PolicyTable
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import StandingPolicy
from pbem.gamefile.secrets import Secrets
from pbem.games.crusade.advice import CrusadeAdvice
from pbem.games.crusade.policies.table import TABLE
from pbem.messages import Said
from pbem.play import standing
from pbem.play.systems import opened
from tests.cli.desk import Desk

ROUND = ("play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}", "done")


@pytest.fixture
def home(desk: Desk) -> Desk:
    """g2.json asks Ana for her first round, and she has said what she always says."""
    desk.write("standing.yaml", "standing:\n  combat_card: none\n  losses: [MIL, POL]\n")
    desk.orders(*ROUND)
    return desk


def sealed(desk: Desk, name: str) -> list[str]:
    """The slots of the policies in the last entry of a file."""
    entry = json.loads((desk.folder / name).read_text())["entries"][-1]
    return [step["slot"] for step in entry["payload"]["steps"] if step["do"] == "policy"]


def test_check_says_what_they_answer(home: Desk) -> None:
    said = home.done("check", "g2.json", "orders.yaml", "--key", "ana.key")
    assert (
        "the standing orders of standing.yaml are sealed with it: combat_card, losses\n"
        "standing.yaml names no game, so it counts for every game next to it; the line game: "
        f'"{fingerprint(home)}" keeps it to this one\n'
        "your standing orders answer losses\n"
        "  what you left out is answered by default: cards (none is used), cancel_retreat (never), "
        "retreat (into supply, away from enemies), forced (a reduced unit first)\n"
        "  you are still asked for: turn_end\n"
    ) in said


def fingerprint(home: Desk) -> str:
    return str(json.loads(home.done("verify", "g2.json", "--json"))["fingerprint"])


def test_they_are_shown_before_anything_is_signed(home: Desk) -> None:
    """The file may have come with a mail."""
    shown = (
        "your standing orders, as standing.yaml has them:\n"
        "  standing:\n    combat_card: none\n    losses: [MIL, POL]\n"
        "nothing was signed"
    )
    ana = ("turn", "g2.json", "--orders", "orders.yaml", "--key", "ana.key")
    assert shown in home.done(*ana)
    home.orders("play: {card: R11, for: event}", name="event.yaml")
    assert shown in home.done("turn", "g3.json", "--orders", "event.yaml", "--key", "beto.key")
    home.orders(*ROUND, name="own.yaml")
    with (home.folder / "own.yaml").open("a") as own:
        own.write("standing: {losses: [INF]}\n")
    assert "your standing orders, as" not in home.done(*ana[:3], "own.yaml", *ana[4:])
    home.write("standing.yaml", 'game: "0000 0000 0000 0000 0000"\nstanding: {losses: [MIL]}\n')
    assert "your standing orders, as" not in home.pbem(*ana).out


def test_apply_tells_which_parts_of_which_file_it_sealed(home: Desk) -> None:
    said = "note: the standing orders of standing.yaml are sealed with it: combat_card, losses\n"
    name = f'game: "{fingerprint(home)}"'
    text = (home.folder / "standing.yaml").read_text()
    home.write("standing.yaml", f"{name}\n{text}")
    told = home.done("check", "g2.json", "orders.yaml", "--key", "ana.key")
    assert said.removeprefix("note: ") in told and "names no game" not in told
    home.write("standing.yaml", text)
    told = home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    assert said in told and f"the line {name} keeps it to this one" in told


def test_a_turn_tells_each_note_once(home: Desk) -> None:
    """It has told them before it signs; `apply` tells them when it has signed."""
    turn = home.done("turn", "g2.json", "--orders", "orders.yaml", "--key", "ana.key", "--yes")
    assert turn.count("standing orders of standing.yaml are sealed with it") == 1
    assert turn.count("standing.yaml names no game") == 1


def test_what_is_said_openly_is_not_told_as_sealed(home: Desk) -> None:
    """Nor is what is in force already told as sent again."""
    both = "standing:\n  combat_card: none\n  turn_end: {discard: []}\n"
    home.write("standing.yaml", f"{both}  own: {{losses: [MIL]}}\n")
    told = home.done("check", "g2.json", "orders.yaml", "--key", "ana.key")
    assert "standing orders of standing.yaml are sealed with it: combat_card, turn_end\n" in told
    assert "of the standing orders of standing.yaml these are said openly with it: own\n" in told
    home.orders(*ROUND[:2])
    home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    told = home.done("log", "a.json")
    (line,) = [line for line in told.split("\n") if "standing orders" in line]
    assert line.endswith("seals standing orders, and gives others openly: {losses: [MIL]}.")
    home.write("standing.yaml", f"{both.replace('[]', '[N5]')}  own: {{losses: [MIL]}}\n")
    home.orders("done", name="done.yaml")
    told = home.done("check", "a.json", "done.yaml", "--key", "ana.key")
    assert "standing orders of standing.yaml are sealed with it: turn_end\n" in told
    assert "said openly with it" not in told


def test_check_says_it_of_orders_that_have_their_own(home: Desk) -> None:
    home.write("orders.yaml", "orders:\n  - play: {card: N1, for: event}\n"
               "standing: {losses: [MIL], cancel_retreat: ask}\n")  # fmt: skip
    (home.folder / "standing.yaml").unlink()
    said = home.done("check", "g2.json", "orders.yaml", "--key", "ana.key")
    assert "your standing orders answer losses\n" in said
    assert "  you are still asked for: cancel_retreat, turn_end\n" in said
    assert "sealed with it" not in said


def test_what_is_in_force_is_not_sealed_again(home: Desk) -> None:
    """The round goes on with a second mail: the same orders need no second seal."""
    home.orders(*ROUND[:2])
    home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    assert sealed(home, "a.json") == ["standing"]
    told = home.done("status", "a.json", "--key", "ana.key")
    assert "your standing orders answer losses\n" in told
    home.orders("done", name="done.yaml")
    said = home.done("apply", "a.json", "done.yaml", "--key", "ana.key", "-o", "b.json")
    assert sealed(home, "b.json") == [] and "are sealed with it" not in said


def test_what_they_will_do_is_told_wherever_they_are_written(
    home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the file of the orders, next to the game, or in force: of each slot the latest, in the
    order in which they are asked. It is not told of orders that lapse, or wait for dice.
    """

    def behind(advice: Any, state: Any, order: Order, parts: Any) -> tuple[str, ...]:
        slots = "".join(f", {part['slot']} {part['doc']['losses']}" for part in parts)
        return (f"behind {order.verb}{slots}",)

    def told(file: str) -> list[str]:
        said = home.done("check", file, "orders.yaml", "--key", "ana.key")
        return re.findall(r"^orders.yaml:(\d+:\d+: behind .*)$", said, re.M)

    monkeypatch.setattr(CrusadeAdvice, "behind", behind)
    home.write("standing.yaml", "standing: {losses: [MIL]}\n")
    one = "attack: {space: riotinto, units: {huelva: [CAV]}, losses: [CAV]}"
    home.orders(*ROUND[:2], f"{one}\n    when: {{control: {{madrid: nationalist}}}}", one,
                one.replace("huelva: [CAV]", "sevilla: [INF]").replace("CAV", "INF"))  # fmt: skip
    verbs = ("2:5: behind play", "3:5: behind activate", "6:5: behind attack")
    assert told("g2.json") == [f"{verb}, standing ['MIL']" for verb in verbs]
    home.write("standing.yaml", "standing: {losses: [MIL], own: {losses: [INF]}}\n")
    home.orders(*ROUND[:2])
    home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    (home.folder / "standing.yaml").unlink()
    home.orders("done")
    assert told("a.json") == ["2:5: behind done, own ['INF'], standing ['MIL']"]
    home.write("standing.yaml", "standing: {losses: [POL]}\n")
    assert told("a.json") == ["2:5: behind done, own ['INF'], standing ['POL']"]
    with (home.folder / "orders.yaml").open("a") as orders:
        orders.write("standing:\n  losses: [CAV]\n  slots: {south: {losses: [POL]}}\n")
    slots = "own ['INF'], south ['POL'], standing ['CAV']"
    assert told("a.json") == [f"2:5: behind done, {slots}"]
    with (home.folder / "orders.yaml").open("a") as orders:
        orders.write("  own: none\n")
    assert told("a.json") == ["2:5: behind done, south ['POL'], standing ['CAV']"]


def given_before(home: Desk, own: str) -> None:
    """a.json: Ana has sealed these with half of her round, and has no file of them."""
    (home.folder / "standing.yaml").unlink()
    home.orders(*ROUND[:2])
    with (home.folder / "orders.yaml").open("a") as orders:
        orders.write(f"standing: {own}\n")
    home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")


def read_back(home: Desk, name: str) -> list[str]:
    """What Ana has sealed, as she reads it: slot and document."""
    said = home.done("status", name, "--key", "ana.key").split("\n")
    told = [line for line in said if line.startswith("your sealed orders ")]
    assert told
    return sorted(re.sub(r" \(entry \d+\)", "", line) for line in told)


MANY = (
    "{losses: [MIL], retreat: ask, cards: [{card: N7}], forced: {R47: [reduced]}, "
    "slots: {north: {losses: [INF]}}, turn_end: {discard: [N14]}}"
)


def test_a_form_has_the_last_ones_and_seals_the_same(
    home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if they had been opened since, and would have to be sealed again."""
    given_before(home, MANY)
    before = read_back(home, "a.json")
    with monkeypatch.context() as opened_since:
        opened_since.setattr(standing, "not_in_force", lambda parts, *rest: parts)
        home.done("form", "a.json", "--key", "ana.key", "-o", "form.yaml")
    text = (home.folder / "form.yaml").read_text()
    assert (
        "\n# your last standing orders; what is not in a comment is sealed with these orders\n"
        "standing:\n"
        "  cards: [{card: N7}]\n"
        "  losses: [MIL]\n"
        "  forced: {R47: [reduced]}\n"
        "  retreat: ask\n"
        "  slots: {north: {losses: [INF]}}\n"
        "  turn_end: {discard: [N14]}\n"
    ) in text
    assert "# standing:" not in text
    home.write("form.yaml", text.replace("  - ...   # fill in", "  - done  # filled in"))
    home.done("apply", "a.json", "form.yaml", "--key", "ana.key", "-o", "b.json")
    assert sealed(home, "b.json") == ["standing", "north", "turn_end"]
    assert read_back(home, "b.json") == before


def test_what_is_in_force_stands_in_comments(home: Desk) -> None:
    given_before(home, MANY)
    said = home.done("form", "a.json", "--key", "ana.key")
    spanish = home.done("form", "a.json", "--key", "ana.key", "--lang", "es")
    assert "\n# tus últimas órdenes permanentes\n# standing:\n#   # siguen en vigor" in spanish
    assert (
        "\n# your last standing orders\n"
        "# standing:\n"
        "#   # still in force, and sealed:\n"
        "#   cards: [{card: N7}]\n"
    ) in said
    assert "\nstanding:" not in said
    pytest.importorskip("uvicorn", reason="the extra `board` is not installed")
    from pbem.cli.board_desk import Desk as BoardDesk
    from pbem.desk.session import Session

    asked = Request(game_file=home.folder / "a.json", key_file=home.folder / "ana.key")
    board = BoardDesk(asked)
    assert "\n# your last standing orders\n" in Session(board).form()
    board.close()
    assert "your last" not in home.done("form", "a.json")
    home.write("standing.yaml", "standing: {losses: [MIL]}\n")
    assert "your last" not in home.done("form", "a.json", "--key", "ana.key")
    home.write("standing.yaml", 'game: "0000 0000 0000 0000 0000"\nstanding: {losses: [MIL]}\n')
    assert "your last" in home.pbem("form", "a.json", "--key", "ana.key").out


def test_what_is_no_longer_possible_stands_in_a_comment_with_its_reason(
    home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_before(home, "{losses: [MIL], slots: {north: {losses: [INF], retreat: ask}}}")
    faults = reading.faults

    def judged(
        table: PolicyTable, position: Any, side: Side, written: Any
    ) -> tuple[Violation, ...]:
        inside = written.get("slots", {}).get("north", {})
        gone = Violation("no INF is left", ("slots", "north", "losses", 0))
        return (gone,) if "losses" in inside else faults(table, position, side, written)

    monkeypatch.setattr(reading, "faults", judged)
    monkeypatch.setattr(standing, "not_in_force", lambda parts, *rest: parts)
    assert (
        "standing:\n"
        "  losses: [MIL]\n"
        "  slots: {north: {retreat: ask}}\n"
        "  # no INF is left:\n"
        "  # slots: {north: {losses: [INF]}}\n"
    ) in home.done("form", "a.json", "--key", "ana.key")


def test_what_no_policy_can_say_stands_in_a_comment(
    home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed program has sealed it: it does not stand in the way of the next orders."""
    parts = sealing.parts
    with monkeypatch.context() as changed:
        changed.setattr("pbem.gamefile.draft.check_document", lambda *given: None)
        changed.setattr(sealing, "parts", lambda *given: tuple(
            {**each, "doc": {"cards": 5, "forced": ["{x"]}} for each in parts(*given)
        ))  # fmt: skip
        given_before(home, "{losses: [MIL]}")
    said = home.done("form", "a.json", "--key", "ana.key")
    assert (
        "# your last standing orders\n# standing:\n"
        "#   # a clause must name a slot:\n"
        "#   standing: {cards: 5, forced: ['{x']}\n"
    ) in said
    assert "\nstanding:" not in said


def test_status_shows_what_is_sealed_as_it_was_written(home: Desk) -> None:
    own = "{forced: {R47: [reduced]}}"
    given_before(home, own)
    assert read_back(home, "a.json") == [f"your sealed orders standing: {own}"]


def test_a_box_that_cannot_be_read_hides_no_other(
    home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_before(home, "{losses: [MIL], slots: {north: {losses: [INF]}}}")
    read = Secrets.read

    def broken(secrets: Secrets, sealed: StandingPolicy) -> dict[str, Any]:
        if sealed.slot == "north":
            raise FileRefused("E-POLICY", "cannot be read")
        return read(secrets, sealed)

    monkeypatch.setattr(Secrets, "read", broken)
    told = home.done("status", "a.json", "--key", "ana.key")
    assert "your sealed orders standing (entry 3): {losses: [MIL]}\n" in told
    assert "your sealed orders north (entry 3) cannot be read: a broken program made them" in told
    form = home.done("form", "a.json", "--key", "ana.key")
    assert "#   losses: [MIL]\n" in form and "north" not in form.partition("standing:")[2]
    home.write("standing.yaml", "standing: {losses: [MIL], slots: {north: {losses: [INF]}}}\n")
    home.orders("done")
    home.done("apply", "a.json", "orders.yaml", "--key", "ana.key", "-o", "b.json")
    assert sealed(home, "b.json") == ["north"], "it is sealed anew, and no other"


def test_what_has_changed_is_sealed_anew(home: Desk) -> None:
    home.orders(*ROUND[:2])
    home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    home.write("standing.yaml", "standing: {losses: [INF]}\n")
    home.orders("done", name="done.yaml")
    home.done("apply", "a.json", "done.yaml", "--key", "ana.key", "-o", "b.json")
    assert sealed(home, "b.json") == ["standing"]


def test_a_mail_without_orders_seals_them_too(home: Desk) -> None:
    """Beto rolls in g3, and has said nothing yet."""
    home.write("standing.yaml", "standing: {losses: [MIL]}\n")
    home.done("apply", "g3.json", "--key", "beto.key", "-o", "b.json")
    assert sealed(home, "b.json") == ["standing"]


@pytest.mark.parametrize(
    "text, said",
    [
        ("standing: {losses: [MIL, XYZ]}\n", "standing.yaml:1:26: "),
        ("standing: {guerrilla: []}\n", "standing.yaml:1:12: standing orders have no field "
         "'guerrilla'"),
        ("standing: {}\norders: []\n", "standing.yaml:2:1: standing.yaml has standing orders only, "
         "and no orders"),
        ("standing: {}\nsay: hello\n", "standing.yaml:2:1: standing.yaml has standing orders only"),
        ("losses: [MIL]\n", "standing.yaml:1:1: standing.yaml has no line 'standing:'"),
        ("", "standing.yaml: standing.yaml has no line 'standing:'\n      hint: begin with a line"),
        ("standing:\nlosses: [MIL]\n", "standing.yaml:2:1: 'losses' is not below the line "),
        ("standing: [\n", "standing.yaml:"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_them_is_placed_and_nothing_is_signed(
    home: Desk, text: str, said: str
) -> None:
    home.write("standing.yaml", text)
    for words in (("check", "g2.json", "orders.yaml"), ("apply", "g2.json", "orders.yaml")):
        assert said in home.refused(1, *words, "--key", "ana.key")


def test_those_of_the_orders_are_sealed_behind_them_and_in_their_own_slot_alone(
    home: Desk,
) -> None:
    """So what is said beside the orders comes first, and nothing of the file is lost."""
    text = (home.folder / "orders.yaml").read_text()
    home.write("orders.yaml", f"{text}standing: {{slots: {{north: {{losses: [INF]}}}}}}\n")
    home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    assert sealed(home, "a.json") == ["standing", "north"]


def test_those_of_another_game_are_left_alone(home: Desk) -> None:
    home.write("standing.yaml", 'game: "0000 0000 0000 0000 0000"\nstanding: {losses: [XYZ]}\n')
    note = (
        "note: standing.yaml is not used here: it is for game 0000 0000 0000 0000 0000, and this "
        f"is {fingerprint(home)}\n"
    )
    for words in (("check", "g2.json", "orders.yaml"), ("form", "g2.json", "-o", "-")):
        assert note in home.pbem(*words, "--key", "ana.key").err
    sent = home.pbem("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    assert sent.code == 0 and note in sent.err
    assert sealed(home, "a.json") == []


def test_a_practice_game_has_nobody_to_seal_them_for(home: Desk) -> None:
    home.done("apply", "solo.json", "orders.yaml", "-o", "s.json")
    assert sealed(home, "s.json") == []


# --- what becomes of each question ---------------------------------------------------------------


def outlook(*parts: dict[str, Any]) -> dict[str, Sequence[str]]:
    state = opened("crusade").system.setup("campaign", frozenset())
    found = answering.outlook(TABLE, state.position, Side("nationalist"), parts)
    told = {"said": found.said, "usual": found.usual, "asked": found.asked}
    return {name: tuple(map(str, each)) for name, each in told.items()}


def part(doc: Any, slot: str = "standing", **scope: Any) -> dict[str, Any]:
    return {"slot": slot, "scope": scope or None, "until": None, "doc": doc}


def test_a_policy_for_some_questions_leaves_the_others() -> None:
    found = outlook(part({"losses": ["MIL"]}, only=["losses"]))
    assert found["said"] == ("losses",) and found["usual"] == ()
    assert "retreat" in found["asked"] and "cards" in found["asked"]


def test_a_policy_for_some_combats_is_not_always_there() -> None:
    found = outlook(part({"losses": ["MIL"]}, when=[{"space": ["madrid"]}]))
    assert (
        "losses (not always)" in found["said"]
        and "cancel_retreat (never; not always)" in found["usual"]
    )
    whole = outlook(part({"losses": ["MIL"]}, "n", when=[{"space": ["madrid"]}]), part({}))
    assert "losses" in whole["said"] and "cancel_retreat (never)" in whole["usual"]


def test_the_end_of_a_turn_has_a_slot_of_its_own() -> None:
    assert "turn_end" in outlook(part({}))["asked"]
    found = outlook(part({"discard": []}, "turn_end", only=["discard", "surplus"]))
    assert found["said"] == ("discard",) and found["usual"] == ("surplus (the first)",)
    assert "markers" in found["asked"] and "turn_end" not in found["asked"]


def test_what_was_withdrawn_answers_nothing() -> None:
    assert not outlook(part(None))["said"] and not outlook(part(None))["usual"]


# --- whose file it is -----------------------------------------------------------------------------


def test_a_file_that_was_read_for_another_game_is_told_so_first(home: Desk) -> None:
    """Words of another game, unit by unit, say nothing of the mistake."""
    words = "standing:\n  losses: [XYZ, DURRUTI]\n  combat_card: none\n"
    home.write("standing.yaml", words)
    ana = ("g2.json", "orders.yaml", "--key", "ana.key")
    for command in ("check", "apply"):
        told = home.refused(1, command, *ana)
        assert told.startswith(
            "standing.yaml:1:1: standing.yaml has no line 'game:', so it was read for this game, "
            "Crusade and Revolution: Campaign, as for every other next to it\n"
        )
        assert f"those of this one are {fingerprint(home)}\n" in told and "'XYZ'" in told
    (home.folder / "solo.json").rename(home.folder / ".solo.json")
    alone = home.refused(1, "check", *ana)
    assert "has no line 'game:'" not in alone and "'XYZ'" in alone, "no other game lies here"
    (home.folder / ".solo.json").rename(home.folder / "solo.json")
    home.write("standing.yaml", f'game: "{fingerprint(home)}"\n{words}')
    assert "has no line 'game:'" not in home.refused(1, "check", *ana)


def test_words_of_another_game_system_are_told_as_that_alone(home: Desk) -> None:
    home.write("standing.yaml", "standing:\n  trade: never\n  losses: [reduced]\n")
    told = home.refused(1, "check", "g2.json", "orders.yaml", "--key", "ana.key")
    assert told == (
        "standing.yaml:2:3: standing.yaml was read for this game of Crusade and Revolution, and "
        "its words are those of Corpo Truppe Volontarie: Santander 1937\n"
        "    2 |   trade: never\n      |   ^^^^^\n"
        '      hint: say in it which game it is for: game: "..." with the twenty digits that pbem '
        "status shows\n"
    )
    home.write(
        "standing.yaml",
        "standing:\n  trade: never\n  losses: [MIL]\n  turn_end: none\n  combat_card: none\n",
    )
    told = home.refused(1, "check", "g2.json", "orders.yaml", "--key", "ana.key")
    assert "its words are those" not in told and "'trade'" in told, "most are of this game"
    home.write("standing.yaml", "standing:\n  losses: [XYZ]\n")
    told = home.refused(1, "check", "g2.json", "orders.yaml", "--key", "ana.key")
    assert told.index("no line 'game:'") < told.index("XYZ")


def test_apply_tells_standing_orders_before_it_signs_them(home: Desk) -> None:
    told = home.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    before, _, after = told.partition("your standing orders, as standing.yaml has them:\n")
    assert not before and after.startswith("  standing:\n    combat_card: none\n    losses: [MIL")


def test_apply_asks_before_the_first_of_a_game_in_a_terminal(
    home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, asked = [False, True], list[str]()

    def agreed(question: Said, **_: Any) -> bool:
        asked.append(str(question))
        return answers.pop(0)

    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(choices, "agreed", agreed)
    ana = ("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "a.json")
    result = home.pbem(*ana)
    assert result.code == 1 and not (home.folder / "a.json").exists()
    assert "standing.yaml: nothing was signed: these standing orders would be" in result.err
    home.done(*ana)
    assert sealed(home, "a.json") and asked == ["Seal these standing orders?"] * 2
