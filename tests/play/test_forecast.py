"""What a round costs in mails is told before it is sent, and is what it then costs."""

from __future__ import annotations

from pathlib import Path

from pbem.gamefile.prospect import prospect
from pbem.orders.parse import parse
from pbem.play.answer import answer
from pbem.play.dry_run import dry_run
from pbem.play.forecast import present_forecast, standing_advice
from pbem.play.game import Game
from pbem.play.snapshot import read_game
from pbem.text.source import Source
from tests.play.by_mail import Mail, side_files

FOLDER = Path(__file__).parents[2] / "examples" / "chapter24"
HEAD = """orders:
  - play: {card: N1, for: event}
  - activate: {attack: [sevilla, huelva]}
  - attack: {space: riotinto, units: {huelva: [CAV-7], sevilla: [INF-15, N-POL-4]}}
"""
LOSSES = "    losses: [POL, CAV, INF]\n"
ADVANCE = "    advance: {units: [INF-15], to: riotinto}\n"
DONE = "  - done\n"
STANDING = """standing:
  combat_card: none
  losses: [MIL]
  cancel_retreat: never
  retreat: toward_supply
"""


def begun(*, with_standing: bool = False) -> Mail:
    """A Campaign at the first Nationalist round; with standing orders of the Republicans."""
    mail = Mail("mails", side_files(FOLDER), sealed=True)
    for player in "BA":
        sent = answer(read_game(mail.raw), mail.keys[player], None, fresh=mail.fresh)
        mail.raw = sent.game.bytes()
    orders = Source("s.yaml", STANDING) if with_standing else None
    game = read_game(mail.raw)
    if game.fold.pen == "B":
        mail.raw = answer(game, mail.keys["B"], orders, fresh=mail.fresh).game.bytes()
    return mail


def costs(mail: Mail, text: str) -> tuple[int, tuple[str, ...]]:
    game = read_game(mail.raw)
    file = parse(Source("o.yaml", text), game.opened.system.verbs)
    found = dry_run(game, mail.keys["A"], file).forecast
    assert found is not None
    return found.count, tuple(map(str, found.costs))


def test_each_thing_left_open_costs_two_mails() -> None:
    """Against one militia there is never a choice of losses; the Army of Africa could go on."""
    mail = begun()
    count, told = costs(mail, HEAD)
    assert count == 5 == costs(mail, HEAD + LOSSES)[0]
    assert told[0].startswith("the Republican player, asked to choose combat cards")
    assert told[0].endswith("(they have no standing orders for this)")
    assert told[1] == "your advance into Riotinto (write advance: {...} in the attack)"
    count, told = costs(mail, HEAD + LOSSES + ADVANCE)
    assert count == 5
    assert told[1].startswith("whether you attack again (add the attack, or done, after")
    assert costs(mail, HEAD + LOSSES + ADVANCE + DONE)[0] == 3


def test_who_is_asked_has_read_the_orders_behind_the_question() -> None:
    """Of which one that only says "nothing further" tells them nothing."""
    mail = begun()
    once, twice = (
        HEAD + LOSSES + ADVANCE,
        "  - attack: {space: riotinto, units: {sevilla: [AFR-1]}}\n",
    )
    assert costs(mail, once + DONE)[1][0].endswith("for this)")
    read = "for this); they read your later orders before they answer"
    assert costs(mail, once + twice)[1][0].endswith(read)


def test_without_dice_nothing_is_said() -> None:
    game = read_game(begun().raw)
    file = parse(
        Source("o.yaml", "orders:\n  - play: {card: N1, for: event}\n"), game.opened.system.verbs
    )
    assert dry_run(game, begun().keys["A"], file).forecast is None


def test_standing_advice_names_the_slots_of_the_other() -> None:
    game = read_game(begun().raw)
    (own,) = standing_advice(game, "A")
    assert str(own) == (
        "you have no standing orders in force: each question to you in the round of your opponent "
        "costs two more mails (the form for your own round shows how to write them)"
    )


def test_a_slot_without_a_name_of_its_own_is_not_named() -> None:
    game = read_game(begun(with_standing=True).raw)
    told, _ = standing_advice(game, "A")
    assert str(told) == "the Republican player has standing orders in force"


def test_the_orders_sent_are_judged_from_the_file(tmp_path: Path) -> None:
    mail = begun()
    game = read_game(mail.raw)
    sent = answer(game, mail.keys["A"], Source("o.yaml", HEAD + LOSSES), fresh=mail.fresh)
    later = present_forecast(sent.game, "A")
    assert later is not None and later.count == 5
    assert prospect(sent.game.fold, mail.keys["B"]).orders_wanted
    assert isinstance(sent.game, Game)
