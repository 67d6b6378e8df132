"""Games with hidden hands and sealed policies by mail, played at random to the clean audits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.engine.codec import to_plain
from pbem.engine.policies import reading, sealing
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.journal import Answered, Opened, PolicyFailed, Unsealed
from pbem.gamefile.prospect import prospect
from pbem.play.game import tool
from pbem.play.table import Table
from tests.bots import legal_samples
from tests.conftest import FUZZ
from tests.play.by_mail import nonce_of
from tests.play.test_sealed_by_mail import Sealed, played_to_the_audits

MAILS = 60


class ByPolicy(Sealed):
    """Both give orders at random, and with most mails policies that use the cards they hold."""

    def mail(self, **wish: object) -> None:
        player = self.fold.pen
        assert player is not None
        if self.fold.phase != "running" or wish:
            super().mail(**wish)
            return
        key = self.keys[player]
        ahead = prospect(self.fold, key)
        table, orders, policies = ahead.in_play, (), ()
        assert isinstance(table, Table)
        if ahead.orders_wanted:
            policies = self.policies(table, player)
            orders = tuple(self.orders(table, player))
        wanted = Wish(orders=orders, policies=policies)
        self.fold = compose(self.fold, key, wanted, tool=tool(), fresh=nonce_of("accept")).fold

    def orders(self, table: Table, player: str) -> Iterator[dict[str, Any]]:
        """What they say as long as they alone are asked, and no dice are needed."""
        asked = table.round()
        while table.decision is not None and table.round() == asked:
            if table.player_of(table.decision.side) != player:
                return
            order = next(legal_samples(table.state, self.rng))
            yield {order.verb: to_plain(order)}
            table = table.take(order)

    def policies(self, table: Table, player: str) -> tuple[Mapping[str, Any], ...]:
        game, position, side = table.system, table.state.position, table.seats[player]
        said: dict[str, Any] = {"cancel_retreat": "always", "turn_end": {"markers": ["madrid"]}}
        for card in position.hand_cards(side):
            for each in ({"combat_card": [card]}, {"turn_end": {"discard": [card]}}):
                if self.rng.random() < 0.5 and not reading.faults(
                    game.policies, position, side, each
                ):
                    said |= each
        return sealing.parts(game.policies, position, side, said)


@pytest.mark.parametrize("seed", range(1 if FUZZ == 1 else 3))
def test_a_game_by_policies_from_proposal_to_audit(seed: int) -> None:
    scenario = ("campaign", "war_of_the_columns", "two_years_of_war")[seed]
    again = played_to_the_audits(ByPolicy(f"policies {seed}", scenario), MAILS)
    told = Counter(type(each) for entry in again.journal for each in entry)
    assert told[Answered] and told[Unsealed] and told[Opened]
    assert not told[PolicyFailed]
    said = [each.order for entry in again.journal for each in entry if type(each) is Answered]
    by_card = [order for order in said if "discard" in order or order.get("combat_card")]
    assert by_card or scenario == "two_years_of_war", "no policy has used a card of a hidden hand"
