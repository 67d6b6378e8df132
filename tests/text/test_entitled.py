"""Ids in a message have their titles beside them, but for those that stand where one types."""

from __future__ import annotations

import pytest

from pbem.messages import Said, a_few, either, say
from pbem.text.entitled import entitled

TITLES = {"N-CTV": "the CTV", "N5": "Naval Support"}


@pytest.mark.parametrize(("said", "told"), [
    (say("{unit} is not yours", unit="N-CTV"), "the CTV (N-CTV) is not yours"),
    (say("{unit} is not yours", unit="INF-1"), "INF-1 is not yours"),
    (say("no unit is named {unit}", unit="'N-CTV'"), "no unit is named 'N-CTV'"),
    (say("you hold {cards}", cards="N5, N7"), "you hold Naval Support (N5), N7"),
    (say("you hold {cards}", cards=("N7", "N5")), "you hold N7 and Naval Support (N5)"),
    (say("{why}", why=either(("N7", "N5"))), "N7 or Naval Support (N5)"),
    (say("it may be {units}", units=a_few(("N-CTV", *"abcdef"))),
     "it may be the CTV (N-CTV), a, b, c, d, e and 1 more"),
    (say("{card} ({title}) is used", card="N5", title=say("Naval Support")),
     "N5 (Naval Support) is used"),
    (say("write point: {unit}", unit="N-CTV"), "write point: N-CTV"),
    ("N5, INF-1", "Naval Support (N5), INF-1"), ("leave it out", "leave it out"), ("", ""),
    (a_few(()), ""),
])  # fmt: skip
def test_what_a_player_types_is_told_by_its_name(said: Said, told: str) -> None:
    assert str(entitled(said, lambda name: TITLES.get(name, ""))) == told
