"""5.2 by two keys: what is honest passes, to the audit; what a changed program tries is found.

Each row of the table of cheats that this game has: refused at once with its class, or found by the
audit. The cheat signs whatever it likes; its digests are right.
"""

from __future__ import annotations

import gzip
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pbem.cli.languages import language
from pbem.engine.codec import to_plain
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import write as written_out
from pbem.gamefile.journal import Ordered, PolicyFailed, Rolled
from pbem.gamefile.prospect import prospect
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.verify import examine_without_rules
from pbem.games.ctv.options import HISTORICAL
from pbem.games.ctv.orders import Arrange, Attack, Done, Move, Order, SetUp
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import combat, movement, setup, stacking
from pbem.games.ctv.stages.setup import SettingUp
from pbem.games.ctv.tables import HEADQUARTERS, ITALIAN, NATIONALIST, REPUBLICAN
from pbem.messages import words
from pbem.play.game import opening, tool, with_fold
from pbem.play.order_lines import said
from pbem.play.practice import written
from pbem.play.table import spelled
from pbem.value import replace
from tests.conftest import FUZZ
from tests.gamefile.players import KEYS, tried
from tests.gamefile.renewed import NEW, renewed, signing
from tests.gamefile.stacked import Stacking, stacker
from tests.games.ctv.by_mail import LIBRARY, Seats
from tests.games.ctv.table import tag_of
from tests.games.ctv.test_mails_of_a_turn import set_up
from tests.games.debts import told_before_an_offer
from tests.replays import covered

Steps = list[dict[str, Any]]
POLICIES = """standing:
  support: {hq: nearest, air: 1}
  losses: [reduced]
  own: {advance: all, breakthrough: advance}
"""


@cache
def ready() -> Fold:
    """Both have set up; the Nationalist, player A, moves."""
    seats = Seats("one", covered=True)
    set_up(seats, ahead=False)
    assert seats.side == NATIONALIST and seats.pen == "A"
    return seats.fold


def write(fold: Fold, player: str, *orders: Order | dict[str, Any], **wish: Any) -> Fold:
    """The fold after the next entry of a player, as their program writes it."""
    plain = tuple(
        order if isinstance(order, dict) else {order.verb: to_plain(order)} for order in orders
    )
    return compose(
        fold, KEYS[player], Wish(orders=plain, **wish), tool=tool(), fresh=b"\x22" * 16
    ).fold


def known(fold: Fold, player: str) -> Position:
    """The position as a player knows it."""
    position: Position = prospect(fold, KEYS[player]).in_play.state.position  # type: ignore[attr-defined]
    return position


def steps_of(fold: Fold) -> Steps:
    return [dict(step) for step in fold.entries[-1].steps]


def without(steps: Steps, *kinds: str) -> Steps:
    return [step for step in steps if step["do"] not in kinds]


def refused(fold: Fold, player: str, steps: Steps) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        tried(fold, player, steps)
    return caught.value


def head(fold: Fold, player: str) -> Steps:
    """What the player owes first of all, as their program pays it."""
    draft = prospect(fold, KEYS[player]).draft
    assert draft is not None
    return [dict(step) for step in draft.steps]


def given(*orders: dict[str, Any]) -> dict[str, Any]:
    return {"do": "orders", "list": list(orders)}


def secrets(fold: Fold, player: str) -> Secrets:
    return Secrets.in_game(fold.machine, KEYS[player], player)


def shown(fold: Fold, player: str, unit: str) -> dict[str, Any]:
    """The step that shows a unit."""
    slot = tag_of(known(fold, player), unit)
    return secrets(fold, player).open(fold.machine.hidden.decks, slot)


def hidden_of(position: Position) -> list[str]:
    """The Nationalists that lie covered on the map."""
    return [position.face(tag) for tag in position.covered_on_map(NATIONALIST)]


def march_under_cover(position: Position, *, too_far: bool) -> tuple[str, tuple[str, ...]]:
    """A covered unit and a path to a hex of its side, too far for it but not for all, or not."""
    seen = position.seen(NATIONALIST)
    for unit in hidden_of(position):
        fastest = next(one for one in hidden_of(position) if seen.printed(one).is_motorised)
        ready = seen.but(places={**seen.places, fastest: seen.places[unit]})
        far, own = movement.reachable(ready, fastest), movement.reachable(seen, unit)
        for hex, path in far.items() if too_far else own.items():
            is_under = any(seen.at(one) == hex for one in position.on_map(NATIONALIST))
            is_quiet = all(seen.control[each] == NATIONALIST for each in path)
            if is_under and is_quiet and (hex not in own) == too_far and unit != fastest:
                return unit, path
    raise AssertionError("nobody could go there")


# ------------------------------------------------------------------- what is honest


def practised(seats: Seats) -> None:
    """The next mail of a practice player, with standing orders for what they are not asked."""
    source = written(seats.game, KEYS[seats.pen])
    text = source.text if source else ""
    if seats.asked in ("movement", "set-up") and "standing:" not in text:
        text += POLICIES + ("  basques: show\n" if seats.side != NATIONALIST else "")
    seats.mail(text)


@pytest.mark.parametrize("seed", range(FUZZ))
def test_a_whole_game_is_verified_and_audited(seed: int) -> None:
    """The stored one; in a long run others of two practice players as well."""
    fold = covered.stored()
    if seed:
        seats = Seats(f"one {seed}", covered=True)
        while seats.fold.phase != "over":
            practised(seats)
        while seats.fold.pen is not None and len(seats.fold.machine.hidden.audited) < 2:
            seats.mail()
        fold = seats.fold
        assert seats.mails < 40
    assert not any(isinstance(each, PolicyFailed) for each in fold.told())
    assert not fold.is_provisional and set(fold.machine.hidden.audited) == {"A", "B"}
    data = written_out(fold.entries)
    assert len(gzip.compress(data)) < 150_000
    assert not examine_without_rules(data).findings
    assert seed == 0 or replay(fold.entries, opening(LIBRARY)).machine.post() == fold.machine.post()


@pytest.mark.parametrize("at", [8, 15])
def test_a_practice_player_goes_on_where_much_lies_covered(at: int) -> None:
    seats = Seats.__new__(Seats)
    seats.covered, seats.nonce = True, b"\x22" * 16
    entries = covered.stored().entries[: at + 1]
    seats.game = with_fold(replay(entries, opening(LIBRARY)), library=LIBRARY)
    assert len(known(seats.fold, seats.pen).covered_on_map("nationalist")) > 4  # type: ignore[arg-type]
    practised(seats)
    assert len(seats.fold.entries) == at + 2 and "orders" in seats.steps()


def test_a_log_tells_a_set_up_by_hexes_without_tags_and_loses_nobody() -> None:
    fold = ready()
    (placed,) = [each for each in fold.told() if isinstance(each, Ordered)
                 and each.by == "A" and "place" in each.read.plain]  # fmt: skip
    told, plain = said(placed.before, placed.read.plain), placed.read.plain["place"]["units"]
    present = placed.before.state.position.down.present
    hexes = dict[str, list[str]]()
    for unit, hex in plain:
        hexes.setdefault(hex, []).append("" if "/" in present(unit) else present(unit))
    assert {1, 2} < {there.count("") for there in hexes.values()}
    for hex, there in hexes.items():
        known = [unit for unit in there if unit]
        number = len(there) - len(known)
        line = [*known, *({0: [], 1: ["covered"]}.get(number, [f"covered ({number})"]))]
        text = "[" + ", ".join(line) + "]" if len(line) > 1 else line[0]
        assert f"{hex}: {text}" in told
    assert "n/1/" not in told and len(told) < 1000, "it had more than twice as many characters"


# ------------------------------------------------------------------- first decks


def twice(position: Position, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The Nationalist deck with its strongest counter in place of its weakest, too."""
    printed = map(position.printed, cards)
    strength = {each.id: each.full.attack if each.full else 0 for each in printed}
    weakest, strongest = min(cards, key=strength.__getitem__), max(cards, key=strength.__getitem__)
    is_theirs = cards[0].startswith("N-")
    return tuple(strongest if is_theirs and each == weakest else each for each in cards)


def stacked(trial: int) -> tuple[type[Secrets], Fold]:
    """The secrets of a program of A that lays such a deck in one trial, and its game as soon as it
    has answered the challenge.
    """
    cheat = stacker(Stacking(frozenset({trial}), partial(twice, known(ready(), "A"))))
    seats = Seats("one", covered=True)
    with patch("pbem.gamefile.draft.Secrets", cheat):
        while not is_answered_for(seats.fold):
            decision = seats.table.decision if seats.asked == "set-up" else None
            seats.say(*([decision.default] if decision else []))
    return cheat, seats.fold


def is_answered_for(fold: Fold) -> bool:
    """Whether A has shown all other layouts of the first deck."""
    return any(each.leaves for each in fold.machine.hidden.decks if each.name == "n/1")


def test_a_first_deck_with_its_strongest_counter_twice_is_found() -> None:
    """At the reply, but for one trial of 64; then the result is provisional, up to the audit."""
    (bound,) = (each for each in ready().machine.hidden.decks if each.name == "n/1")
    assert bound.trial is not None
    with pytest.raises(FileRefused) as caught:
        stacked((bound.trial + 1) % 64)
    assert caught.value.code == "E-DECK"
    assert "deck n is not what its owner is bound to" in words(caught.value.message)
    cheat, fold = stacked(bound.trial)
    over = write(fold, "B", resign=True)
    assert over.is_provisional
    audit = {"do": "audit", "gsec": cheat("A", secrets(over, "A").game).game.hex()}
    found = refused(over, "A", [audit])
    assert found.code == "E-AUDIT"
    assert "deck n/1 was not made from the secret" in words(found.message)


# ------------------------------------------------------------------- set-up


def unlawful() -> tuple[Fold, str]:
    """A covered Italian has been set up outside the Italian sector, where others may stand."""
    seats = Seats("one", [HISTORICAL], covered=True)
    while not (seats.asked == "set-up" and seats.side == NATIONALIST):
        if seats.asked == "set-up":
            assert seats.table.decision is not None
            seats.say(seats.table.decision.default)
        else:
            seats.mail()
    assert seats.pen == "A" and seats.table.decision is not None
    fold, position = seats.fold, seats.table.state.position
    steps = steps_of(write(fold, "A", seats.table.decision.default))
    (orders,) = [step["list"] for step in steps if step["do"] == "orders"]
    units = dict(orders[0]["place"]["units"])
    opened = {step["card"] for step in steps if step["do"] == "open"}
    nation = {tag: position.printed(position.face(tag)).nation for tag in units
              if position.face(tag) not in opened}  # fmt: skip
    tag = min(tag for tag in nation if nation[tag] == ITALIAN)
    other = min(each for each in nation if not setup.is_italian_ground(position, units[each]))
    units[tag], units[other] = units[other], units[tag]
    orders[0]["place"]["units"] = [[each, units[each]] for each in units]
    return tried(fold, "A", steps), position.face(tag)


def test_a_unit_set_up_where_its_own_limit_forbids_is_found_when_it_is_shown() -> None:
    fold, unit = unlawful()
    while not (fold.pen == "A" and fold.in_play.decision and fold.locked is None):
        fold = write(fold, str(fold.pen))
    found = refused(fold, "A", [*head(fold, "A"), shown(fold, "A", unit)])
    assert found.code == "E-PIECE" and unit in words(found.message)


def test_a_unit_set_up_where_its_own_limit_forbids_is_found_by_the_audit() -> None:
    fold, _ = unlawful()
    fold = write(fold, "B", resign=True)
    audit = {"do": "audit", "gsec": secrets(fold, "A").game.hex()}
    found = refused(fold, "A", [audit])
    assert found.code == "E-AUDIT" and any(each.rule == "15.2" for each in found.causes)


@cache
def asked_to_set_up() -> Seats:
    """The Republican, player B, is asked for the first set-up."""
    seats = Seats("six", covered=True)
    while seats.asked != "set-up":
        seats.mail()
    assert seats.side == REPUBLICAN and seats.pen == "B"
    return seats


@pytest.mark.rule("4.2")
def test_a_third_covered_brigade_far_from_the_basque_line_is_found_by_the_audit() -> None:
    """Each of the three by itself may be one of the two that stand anywhere."""
    seats = asked_to_set_up()
    proposed = seats.table.decision.default  # type: ignore[union-attr]
    assert isinstance(proposed, SetUp)
    two = {"R-158": "1714", "R-159": "1812"}
    tops = ("R-HQ-53", "R-HQ-52", "R-HQ-51", "R-HQ-54")
    order = replace(proposed, units={**proposed.units, **two}, top=tops)
    steps = steps_of(write(seats.fold, "B", order))
    (orders,) = [step["list"] for step in steps if step["do"] == "orders"]
    tags = {seats.table.state.position.face(tag): tag for tag, _ in orders[0]["place"]["units"]}
    units = dict(orders[0]["place"]["units"])
    third, other = tags["R-160"], tags["R-174"]
    units[third], units[other] = units[other], units[third]
    orders[0]["place"]["units"] = [[tag, units[tag]] for tag in units]
    with pytest.raises(FileRefused, match="not legal"):
        write(seats.fold, "B", *orders)
    fold = write(tried(seats.fold, "B", steps), "A", resign=True)
    audit = {"do": "audit", "gsec": secrets(fold, "B").game.hex()}
    found = refused(fold, "B", [audit])
    assert found.code == "E-AUDIT" and {each.rule for each in found.causes} == {"4.2"}


# ------------------------------------------------------------------- the Basque surrender

UNDER = {"1419": "R-HQ-51 R-159 R-160", "1518": "R-HQ-XIV R-157 R-161",
         "1617": "R-HQ-48 R-163 R-164", "1716": "R-HQ-49 R-162 R-165",
         "1714": "R-172 R-HQ-53 R-158"}  # fmt: skip
"""All Basque brigades of the front line, under others."""


@cache
def wavering(said: str) -> Fold:
    """The Republican, player B, who has said in the set-up what is shown, ends the first turn in
    which no brigade near the line is in view.
    """
    seats = asked_to_set_up()
    proposed = seats.table.decision.default  # type: ignore[union-attr]
    assert isinstance(proposed, SetUp)
    units = {unit: hex for hex, names in UNDER.items() for unit in names.split()}
    order = replace(
        proposed, units={**proposed.units, **units}, columns=("1617",), trenches=(),
        top=tuple(names.split()[0] for names in UNDER.values()),
    )  # fmt: skip
    fold = seats.fold
    seats = Seats.__new__(Seats)
    seats.covered, seats.nonce = True, b"\x22" * 16
    seats.game = with_fold(fold, library=LIBRARY)
    seats.say(order, more=f"standing:\n  basques: {said}\n")
    while seats.asked != "movement":
        if seats.asked != "set-up":
            seats.mail()
        elif seats.table.state.agenda[-1] == SettingUp(REPUBLICAN, setup.RESERVE):
            seats.say(SetUp({}))
        else:
            seats.say(seats.table.decision.default)  # type: ignore[union-attr]
    assert not {"50"} & seats.table.state.position.front, "or Basques would be seen"
    seats.say(Done(), Done())
    assert seats.pen == "B"
    return seats.fold


@pytest.mark.rule("13.2")
def test_the_brigade_that_standing_orders_show_is_shown_before_the_die_and_no_other_is() -> None:
    """The die is in sight by then: neither is it withheld, nor shown by who has said nothing."""
    fold = wavering("show")
    honest = write(fold, "B", Done(), Done())
    steps = steps_of(honest)
    (brigade,) = [step for step in steps if step["do"] == "open"]
    found = refused(fold, "B", without(steps, "open"))
    assert found.code == "E-CARD" and "is owed first" in words(found.message)
    assert not any(isinstance(each, Rolled) and each.what == "surrender" for each in honest.told())
    fold = wavering("hide")
    steps = steps_of(write(fold, "B", Done(), Done()))
    assert "open" not in [step["do"] for step in steps]
    assert refused(fold, "B", [*steps[:1], brigade, *steps[1:]]).code == "E-POLICY"


@pytest.mark.rule("13.3")
def test_a_covered_brigade_that_lays_down_no_arms_is_found_by_the_audit() -> None:
    fold = wavering("hide")
    while (asked := prospect(fold, KEYS[str(fold.pen)]).in_play.decision).stage != "surrender":  # type: ignore[attr-defined]
        fold = write(fold, str(fold.pen), Done(), Done())
    steps = steps_of(write(fold, "B", asked.default))  # type: ignore[attr-defined]
    *shown, last = [step for step in steps if step["do"] == "open"]
    assert len(shown) == 8
    units = steps[-1]["answers"][0]["uncover"]["units"]
    units.remove(tag_of(known(fold, "B"), last["card"]))
    found = refused(fold, "B", without(steps, "open"))
    assert found.code == "E-ORDER"
    forged = tried(fold, "B", [step for step in steps if step is not last])
    assert forged.pen == "B", "where battalions go on is still to be said"
    forged = write(forged, "B", resign=True)
    audit = {"do": "audit", "gsec": secrets(forged, "B").game.hex()}
    while forged.pen != "B":
        forged = write(forged, "A")
    found = refused(forged, "B", [audit])
    assert found.code == "E-AUDIT" and {each.rule for each in found.causes} == {"13.3"}


# ------------------------------------------------------------------- marches


def far() -> tuple[Fold, str]:
    """A covered unit has marched farther than it can; another could have."""
    fold = ready()
    position = known(fold, "A")
    unit, path = march_under_cover(position, too_far=True)
    forged = {"move": {"units": [tag_of(position, unit)], "path": list(path), "top": []}}
    return tried(fold, "A", [*head(fold, "A"), given(forged, {"done": {}}, {"done": {}})]), unit


def test_the_own_program_refuses_a_march_that_is_too_far() -> None:
    unit, path = march_under_cover(known(ready(), "A"), too_far=True)
    with pytest.raises(FileRefused, match="not legal"):
        write(ready(), "A", Move((unit,), path), Done(), Done())


def test_it_is_found_when_the_unit_shows_its_face() -> None:
    fold, unit = far()
    while not (fold.pen == "A" and fold.in_play.decision and fold.locked is None):
        asked = prospect(fold, KEYS[str(fold.pen)])
        orders = (Done(), Done()) if asked.orders_wanted and fold.pen == "B" else ()
        fold = write(fold, str(fold.pen), *orders)
    found = refused(fold, "A", [*head(fold, "A"), shown(fold, "A", unit)])
    assert found.code == "E-PIECE" and "cannot have done" in words(found.message)


def test_it_is_found_by_the_audit_if_the_unit_is_never_shown() -> None:
    fold, _ = far()
    last = len(fold.entries) - 1
    fold = write(fold, "B", resign=True)
    with pytest.raises(FileRefused) as caught:
        write(fold, "A")
    assert caught.value.code == "E-AUDIT" and caught.value.entry == last
    audit = {"do": "audit", "gsec": secrets(fold, "A").game.hex()}
    assert refused(fold, "A", [audit]).code == "E-AUDIT"


def test_what_only_counts_of_covered_counters_tell_is_found_by_the_audit() -> None:
    """Two headquarters in one hex: everybody else sees two counters that may be anything."""
    fold = ready()
    position = known(fold, "A")
    seen = position.seen(NATIONALIST)
    for unit in hidden_of(position):
        if seen.printed(unit).type != HEADQUARTERS:
            continue
        for hex in seen.board.graph.neighbours(seen.at(unit)):
            others = [one for one in seen.units_at(hex, NATIONALIST)
                      if seen.printed(one).type == HEADQUARTERS]  # fmt: skip
            order = {"move": {"units": [tag_of(position, unit)], "path": [hex], "top": []}}
            if others and others[0] in hidden_of(position):
                orders = given(order, {"done": {}}, {"done": {}})
                try:
                    forged = tried(fold, "A", [*head(fold, "A"), orders])
                except FileRefused:
                    continue
                forged = write(forged, "B", resign=True)
                audit = {"do": "audit", "gsec": secrets(forged, "A").game.hex()}
                assert refused(forged, "A", [audit]).code == "E-AUDIT"
                return
    raise AssertionError("no two headquarters lie next to each other")


def crowding() -> list[dict[str, Any]]:
    """Orders that crowd a hex with covered counters and then attack from it."""
    table: Any = prospect(ready(), KEYS["A"]).in_play
    position = table.state.position
    for hex in combat.targets(position, NATIONALIST):
        for near, able in combat.able_against(position, NATIONALIST, hex).items():
            found, now = list[Any](), table
            for unit in (*position.on_map(NATIONALIST), *hidden_of(position)):
                here = now.state.position
                is_tops = len(here.units_at(near)) > 1
                path = movement.reachable(here.seen(NATIONALIST), unit).get(near)
                order = path and spelled(Move((unit,), path))
                if not order or is_tops != (unit not in here.places) or not now.allows(order):
                    continue
                if not now.shows("A", now.worded("A", order)):
                    found.append(now.worded("A", order))
                    now = now.submit(found[-1])
            here = now.state.position
            is_seen = stacking.is_overstacked(here, near, NATIONALIST)
            is_crowded = stacking.is_overstacked(here.seen(NATIONALIST), near, NATIONALIST)
            if is_crowded and not is_seen and len(here.units_at(near)) > 1:
                fight = {"hex": hex, "units": [[near, [able[0]]]], "support": "none"}
                moves = [each.plain for each in found]
                return [*moves, {"done": {}}, {"attack": fight}, {"done": {}}]
    raise AssertionError("no hex could be crowded")


def test_an_attack_that_hides_what_crowds_its_hex_is_found_by_the_audit() -> None:
    """It would not be halved, and nobody else can know. The own program shows who does it."""
    orders = crowding()
    honest = write(ready(), "A", *orders)
    assert "open" in [step["do"] for step in steps_of(honest)]
    fold = tried(ready(), "A", without(steps_of(honest), "open"))
    fold = write(fold, "B", resign=True)
    audit = {"do": "audit", "gsec": secrets(fold, "A").game.hex()}
    found = refused(fold, "A", [audit])
    assert found.code == "E-AUDIT"
    assert ["not open" in words(each.message) for each in found.causes] == [True]


def test_orders_for_a_tag_that_is_not_yours_and_for_a_name_that_lies_covered() -> None:
    fold = ready()
    position = known(fold, "A")
    theirs = position.covered_on_map("republican")[0]  # type: ignore[arg-type]
    for unit in (theirs, hidden_of(position)[0]):
        order = {"move": {"units": [unit], "path": ["2010"], "top": []}}
        assert refused(fold, "A", [*head(fold, "A"), given(order)]).code == "E-ORDER"


# ------------------------------------------------------------------- showings


@cache
def attacked() -> tuple[Fold, Fold]:
    """An attack on a hex with covered counters: before and behind the mail."""
    fold = ready()
    position = known(fold, "A")
    for hex in combat.targets(position, NATIONALIST):
        able = combat.able_against(position.seen(NATIONALIST), NATIONALIST, hex)
        if not position.covers.get(hex):
            continue
        for near, units in able.items():
            covered = [unit for unit in units if unit in hidden_of(position)][:1]
            if covered:
                order = Attack(hex, {near: tuple(covered)}, support="none")
                return fold, write(fold, "A", Done(), order, Done())
    raise AssertionError("nobody could attack")


def test_who_attacks_is_shown_with_the_attack() -> None:
    before, fold = attacked()
    steps = steps_of(fold)
    assert "open" in [step["do"] for step in steps] and fold.locked is not None
    assert refused(before, "A", without(steps, "open")).code == "E-ORDER"


def test_who_is_attacked_is_shown_in_the_head_of_the_next_mail() -> None:
    _, fold = attacked()
    after = write(fold, "B")
    steps = steps_of(after)
    kinds = [step["do"] for step in steps]
    assert kinds[0] == "reveal" and kinds[1] == "open"
    left_out = refused(fold, "B", without(steps, "open"))
    assert left_out.code == "E-CARD" and "a covered counter in " in words(left_out.message)
    told = words(left_out.message, language("es"))
    assert "una ficha tapada de " in told and told.endswith("esto es un paso unseal")
    assert refused(fold, "B", steps[:1]).code == "E-CARD"
    at = kinds.index("open")
    other = next(card for card in known(fold, "B").board.covered["republican"]  # type: ignore[index]
                 if card != steps[at]["card"])  # fmt: skip
    wrong = [*steps[:at], {**steps[at], "card": other}, *steps[at + 1 :]]
    assert refused(fold, "B", wrong).code == "E-OPEN"


def test_one_counter_under_two_tags_cannot_be_shown() -> None:
    fold = ready()
    position = known(fold, "A")
    one, two = hidden_of(position)[:2]
    lie = {**shown(fold, "A", one), "pos": int(tag_of(position, two).split("/")[2])}
    assert refused(fold, "A", [*head(fold, "A"), lie]).code == "E-OPEN"


def test_a_covered_counter_is_shown_only_by_its_owner_and_in_play() -> None:
    fold = ready()
    theirs = known(fold, "A").covered_on_map("republican")[0]  # type: ignore[arg-type]
    step = secrets(fold, "B").open(fold.machine.hidden.decks, theirs)
    assert refused(fold, "A", [*head(fold, "A"), step]).code == "E-CARD"


# ------------------------------------------------------------------- a lost key


def test_new_secrets_put_covered_counters_back_where_they_lay() -> None:
    before = ready()
    there = {unit: before.in_play.state.position.places[tag_of(known(before, "A"), unit)]
             for unit in hidden_of(known(before, "A"))}  # type: ignore[attr-defined]  # fmt: skip
    fold = renewed(before, "A", NEW)
    with signing(A=NEW):
        while fold.pen != "A" or fold.in_play.decision is None:
            fold = write(fold, str(fold.pen))
        assert fold.in_play.decision.stage == "arrange"
        fold = write(fold, "A", Arrange(there))
        position = prospect(fold, NEW).in_play.state.position
        now = {position.face(tag): position.places[tag]
               for tag in position.covered_on_map(NATIONALIST)}  # fmt: skip
        assert now == there, "on the word of their owner"
        assert not examine_without_rules(written_out(fold.entries)).findings


def test_nobody_is_shown_before_it_is_said_where_they_lie() -> None:
    before = ready()
    seen = known(before, "A")
    there = {unit: seen.places[tag_of(seen, unit)] for unit in hidden_of(seen)}
    hex, near, unit = next(
        (hex, near, unit)
        for hex in combat.targets(seen, NATIONALIST)
        for near, units in combat.able_against(seen.seen(NATIONALIST), NATIONALIST, hex).items()
        for unit in units
        if unit in there
    )
    fold = renewed(before, "A", NEW)
    with signing(A=NEW):
        while fold.pen != "A" or fold.in_play.decision is None:
            fold = write(fold, str(fold.pen))
        owed, face = head(fold, "A"), shown(fold, "A", unit)
        arranged = {"arrange": {"units": sorted(
            [tag_of(known(fold, "A"), each), at] for each, at in there.items())}}  # fmt: skip
        cheat = refused(fold, "A", [*owed, face, given(arranged)])
        assert cheat.code == "E-PIECE" and "it is not said yet where it lies" in words(
            cheat.message
        )
        attack = Attack(hex, {near: (unit,)}, support="none")
        fold = write(fold, "A", Arrange(there), Done(), attack, Done())
        kinds = [step["do"] for step in steps_of(fold)]
        assert kinds.index("orders") < kinds.index("open") < kinds.index("orders", 3)
        assert fold.in_play.state.position.places[unit] == near


def test_what_is_still_to_be_shown_and_proven_is_told_before_new_secrets_are_offered(
    tmp_path: Path,
) -> None:
    """Of who is attacked, and of what was said of the counters beside an attack given ahead."""
    fights = (("1714", "1815", "N-LIT-1"), ("1419", "1420", "N-NII-2"))
    attacks = (Attack(hex, {near: (unit,)}, support="none") for hex, near, unit in fights)
    fold = write(ready(), "A", Done(), *attacks, Done())
    assert told_before_an_offer(tmp_path / "A", fold, "B") == [
        "new secrets let the Republican player out of this, unless they still have the old ones:",
        "  their value of beacon 4, and with it the dice that wait for it",
        "  show a covered counter in 1714",
        *(f"  their sealed standing orders {slot} of entry 7, which end"
          for slot in ("basques", "standing")),
    ]  # fmt: skip
    said = (
        "  la verdad de lo que dijo antes de fichas que ahora están en {}: no sobreapilaban su "
        "hexágono, y ninguna era un cuartel general que mueve la columna de un ataque"
    )
    fold = write(write(fold, "B"), "B", Done(), Done())
    assert told_before_an_offer(tmp_path / "B", fold, "A")[-2:] == [
        said.format(where) for where in ("1519", "Valmaseda (1619)")
    ]
