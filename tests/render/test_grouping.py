"""What is told in one breath, and what is left alone."""

from __future__ import annotations

import pytest

from pbem.render.grouping import grouped, plural_verb
from pbem.render.log import Line


@pytest.mark.parametrize(
    ("told", "together"),
    [
        (
            ["Infantry INF-1 advances into Riotinto.", "Infantry INF-2 advances into Riotinto."],
            ["Infantry INF-1 and INF-2 advance into Riotinto."],
        ),
        (
            [
                "Infantry INF-1 (reduced) advances into Riotinto.",
                "Infantry INF-2 advances into Riotinto.",
                "Navarra A.C. (N-NAVARRA) advances into Riotinto.",
            ],
            ["Infantry INF-1 (reduced), INF-2 and Navarra A.C. (N-NAVARRA) advance into Riotinto."],
        ),
        (
            ["VIII A.C. (R-VIII) is reduced.", "IX A.C. (R-IX, reduced) is eliminated."],
            ["VIII A.C. (R-VIII) is reduced.", "IX A.C. (R-IX, reduced) is eliminated."],
        ),
        (
            ["Police POL-1 is reduced.", "Police POL-1 is eliminated.", "Police POL-2 is reduced."],
            ["Police POL-1 is reduced, then eliminated.", "Police POL-2 is reduced."],
        ),
        (
            ["The Reds take control of Zafra.", "The Reds take control of Santa Olalla."],
            ["The Reds take control of Zafra and Santa Olalla."],
        ),
        (
            ["The Reds take control of Zafra.", "The Blues take control of Zafra."],
            ["The Reds take control of Zafra.", "The Blues take control of Zafra."],
        ),
        (
            ["Police POL-1 retreats to Zafra.", "Police POL-2 retreats to Llerena."],
            ["Police POL-1 retreats to Zafra.", "Police POL-2 retreats to Llerena."],
        ),
        (
            ["(½ REP point spent, 2 left)", "Police POL-1 is back at full strength."],
            ["Police POL-1 is back at full strength (½ REP point spent, 2 left)."],
        ),
        (["(nothing follows)"], ["(nothing follows)"]),
        (
            ["The works in Zafra come off the map.", "The works in Oviedo come off the map."],
            ["The works in Zafra come off the map.", "The works in Oviedo come off the map."],
        ),
        (
            ["Unspent REP points lapse.", "Unspent NAT points lapse."],
            ["Unspent REP points lapse.", "Unspent NAT points lapse."],
        ),
        (
            [
                "The Reds fire with strength 4 on column 4: die 1, Loss Number 1.",
                "The Blues fire with strength 4 on column 4: die 2, Loss Number 1.",
            ],
            [
                "The Reds fire with strength 4 on column 4: die 1, Loss Number 1.",
                "The Blues fire with strength 4 on column 4: die 2, Loss Number 1.",
            ],
        ),
        (
            ["Police POL-1 is reduced.", "Police POL-1 is reduced."],
            ["Police POL-1 is reduced, then reduced."],
        ),
        (["", "", "x"], ["", "", "x"]),
    ],
)
def test_lines_that_say_the_same_are_told_together(told: list[str], together: list[str]) -> None:
    assert [line.text for line in grouped(map(Line, told))] == together


def test_only_facts_that_follow_each_other_are_joined() -> None:
    lines = (
        Line("Police POL-1 is reduced."),
        Line("The Blues owe an answer.", "note"),
        Line("Police POL-2 is reduced."),
        Line("Police POL-3 is reduced.", "say"),
    )
    assert grouped(lines) == lines


def test_grouping_again_changes_nothing() -> None:
    lines = grouped(Line(f"Horse HORSE-{number} rides to the Ford.") for number in range(4))
    assert [line.text for line in lines] == [
        "Horse HORSE-0, HORSE-1, HORSE-2 and HORSE-3 ride to the Ford."
    ]
    assert grouped(lines) == lines


@pytest.mark.parametrize(
    ("one", "many"),
    [("is", "are"), ("has", "have"), ("goes", "go"), ("crosses", "cross"), ("marches", "march"),
     ("loses", "lose"), ("takes", "take")],
)  # fmt: skip
def test_verbs_for_several(one: str, many: str) -> None:
    assert plural_verb(one) == many
