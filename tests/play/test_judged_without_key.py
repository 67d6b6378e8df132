"""`check` and `form` of a sealed game without a key: cards are not known, all else is judged."""

import pytest

from pbem.orders.parse import parse
from pbem.play.dry_run import dry_run
from pbem.play.forms import present_form
from pbem.play.game import Game
from pbem.problems import Refused
from pbem.text.source import Source
from tests.play.by_mail import Mail

WITHOUT_A_KEY = "without --key your hand is not known, so its cards are not shown here"


@pytest.fixture(scope="module")
def dealt() -> tuple[Mail, Game]:
    """A Campaign with sealed hands, dealt, at the first round of the Nationalists."""
    mail = Mail("judged", {"A": [], "B": []}, sealed=True)
    return mail, mail.play()


ROUND = """
orders:
  - play: {card: N1, for: event}
  - activate: {attack: [sevilla, huelva]}
  - attack: {space: riotinto, units: {huelva: [CAV-7], sevilla: [INF-15]}, losses: [CAV]}
"""


def judged(game: Game, text: str, key: object = None) -> tuple[str, ...]:
    assert game.table is not None
    file = parse(Source("o.yaml", text), game.table.system.verbs)
    return tuple(map(str, dry_run(game, key, file).sentences()))  # type: ignore[arg-type]


def test_what_is_no_card_is_judged_and_cards_are_taken_as_held(dealt: tuple[Mail, Game]) -> None:
    _, game = dealt
    lines = judged(game, ROUND)
    assert lines[0].startswith("3 orders are legal")
    assert "without --key the hand is not known; with it, your cards are checked too" in lines


def test_another_slip_is_told_with_its_rule(dealt: tuple[Mail, Game]) -> None:
    _, game = dealt
    with pytest.raises(Refused) as refused:
        judged(game, ROUND.replace("attack: [sevilla, huelva]", "attack: [sevilla]"))
    assert [problem.rule for problem in refused.value.problems] == ["11.1.1"]


def test_the_standing_orders_are_judged_with_the_same_hand(dealt: tuple[Mail, Game]) -> None:
    _, game = dealt
    lines = judged(game, f"{ROUND}standing: {{combat_card: [N7], losses: [MIL]}}\n")
    assert any("N7 is assumed to be in it" in line for line in lines)
    with pytest.raises(Refused) as refused:
        judged(game, f"{ROUND}standing: {{combat_card: [R7], losses: [MIL]}}\n")
    assert "not one of your combat cards" in str(refused.value.problems[0].message)


def test_a_card_that_cannot_be_there_is_refused(dealt: tuple[Mail, Game]) -> None:
    """A card of a later phase is in no hand yet, whoever looks."""
    _, game = dealt
    with pytest.raises(Refused) as refused:
        judged(game, "orders:\n  - play: {card: N50, for: operations}\n")
    assert "N50" in str(refused.value.problems[0].message)


def test_with_a_key_nothing_is_taken_for_granted(dealt: tuple[Mail, Game]) -> None:
    mail, game = dealt
    lines = judged(game, ROUND, mail.keys[game.fold.pen or ""])
    assert not any("--key" in line for line in lines)


def test_the_form_says_that_cards_are_missing(dealt: tuple[Mail, Game]) -> None:
    mail, game = dealt
    assert WITHOUT_A_KEY in present_form(game, None)
    assert WITHOUT_A_KEY not in present_form(game, mail.keys[game.fold.pen or ""])


def test_an_open_card_is_not_told_without_a_key(dealt: tuple[Mail, Game]) -> None:
    """Of a hand that is not known nothing is offered, least of all that it holds no card."""
    mail, game = dealt
    told = {}
    for key in (None, mail.keys[game.fold.pen or ""]):
        with pytest.raises(Refused) as refused:
            judged(game, present_form(game, key), key)
        told[key is None] = refused.value.problems[0]
    assert str(told[True].message) == "fill in card" and "without --key" in str(told[True].hint)
    assert str(told[False].message).startswith("fill in card: N")
