"""One card of a pile is one in Spanish, too."""

from __future__ import annotations

import pytest

from pbem.cli.languages import language
from pbem.games.crusade.position import Deck
from pbem.games.crusade.summary import piles
from pbem.messages import words


@pytest.mark.parametrize(
    "cards, told",
    [
        (("N1",), "0 por robar, 1 descartada (N1 encima), 1 retirada"),
        (("N2", "N1"), "0 por robar, 2 descartadas (N1 encima), 2 retiradas"),
    ],
)
def test_piles_are_counted_in_spanish(cards: tuple[str, ...], told: str) -> None:
    assert words(piles(Deck(discards=cards, removed=cards)), language("es")) == told
