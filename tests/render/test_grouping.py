"""What is told in one breath, and what is left alone."""

from __future__ import annotations

import pytest

from pbem.engine.narration import Told, aside, both, together
from pbem.messages import Message, Thing, say, sentence
from pbem.render.grouping import grouped
from pbem.render.log import Line
from pbem.value import replace

REDUCED = say("reduced")


def foot(number: int, *, is_reduced: bool = False) -> Thing:
    return Thing(f"FOOT-{number}", "Foot", state=REDUCED if is_reduced else None)


CORPS = Thing("N-NAVARRA", "Navarra A.C.", is_only=True)


def advances(*units: Thing, to: str = "Riotinto") -> Told:
    return together("units", "{units} advances into {space}", "{units} advance into {space}",
                    units=units, space=to)  # fmt: skip


def reduced(*units: Thing) -> Told:
    told = together("units", "{units} is reduced", "{units} are reduced", units=units)
    return replace(told, then=(both("{units} is eliminated", "{units} is reduced, then eliminated",
                                    "{units} are reduced, then eliminated"),))  # fmt: skip


def eliminated(*units: Thing) -> Told:
    return together("units", "{units} is eliminated", "{units} are eliminated", units=units)


def taken(space: str, by: str = "Reds") -> Told:
    return together("spaces", "the {side} take control of {spaces}",
                    "the {side} take control of {spaces}", side=by, spaces=(space,))  # fmt: skip


SPENT = aside(say("{points} spent, {left} left", points="½ REP point", left=2))


@pytest.mark.parametrize(
    ("told", "in_one_breath"),
    [
        ([advances(foot(1)), advances(foot(2))], ["Foot FOOT-1 and FOOT-2 advance into Riotinto."]),
        (
            [advances(foot(1, is_reduced=True)), advances(foot(2)), advances(CORPS)],
            ["Foot FOOT-1 (reduced), FOOT-2 and Navarra A.C. (N-NAVARRA) advance into Riotinto."],
        ),
        (
            [advances(foot(1), foot(2)), advances(CORPS, foot(3))],
            ["Foot FOOT-1, FOOT-2, Navarra A.C. (N-NAVARRA) and Foot FOOT-3 advance into "
             "Riotinto."],
        ),
        (
            [advances(foot(1)), advances(foot(2), to="Zafra")],
            ["Foot FOOT-1 advances into Riotinto.", "Foot FOOT-2 advances into Zafra."],
        ),
        (
            [advances(foot(1)), advances(foot(1))],
            ["Foot FOOT-1 advances into Riotinto.", "Foot FOOT-1 advances into Riotinto."],
        ),
        ([reduced(foot(1)), eliminated(foot(2))],
         ["Foot FOOT-1 is reduced.", "Foot FOOT-2 is eliminated."]),
        ([reduced(foot(1)), eliminated(foot(1)), reduced(foot(2))],
         ["Foot FOOT-1 is reduced, then eliminated.", "Foot FOOT-2 is reduced."]),
        ([reduced(foot(1)), eliminated(foot(1)), reduced(foot(2)), eliminated(foot(2))],
         ["Foot FOOT-1 and FOOT-2 are reduced, then eliminated."]),
        ([eliminated(foot(1)), reduced(foot(1))],
         ["Foot FOOT-1 is eliminated.", "Foot FOOT-1 is reduced."]),
        ([taken("Zafra"), taken("Santa Olalla")],
         ["The Reds take control of Zafra and Santa Olalla."]),
        ([taken("Zafra"), taken("Zafra", by="Blues")],
         ["The Reds take control of Zafra.", "The Blues take control of Zafra."]),
        ([SPENT, reduced(foot(1))], ["Foot FOOT-1 is reduced (½ REP point spent, 2 left)."]),
        ([SPENT, SPENT, say("the sky is grey")],
         ["The sky is grey (½ REP point spent, 2 left; ½ REP point spent, 2 left)."]),
        ([SPENT], ["½ REP point spent, 2 left."]),
        ([say("the rain falls"), say("the rain falls")],
         ["The rain falls.", "The rain falls."]),
    ],
)  # fmt: skip
def test_lines_that_say_the_same_are_told_together(
    told: list[Message], in_one_breath: list[str]
) -> None:
    assert [sentence(line.text) for line in grouped(map(Line, told))] == in_one_breath


def test_only_facts_that_follow_each_other_are_joined() -> None:
    lines = (
        Line(reduced(foot(1))),
        Line(say("the Blues owe an answer"), "note"),
        Line(reduced(foot(2))),
        Line("Foot FOOT-3 is reduced.", "say"),
        Line(SPENT),
        Line("attack: {space: hill}", "order"),
        Line(reduced(foot(4))),
    )
    assert grouped(lines) == lines


def test_grouping_again_changes_nothing() -> None:
    lines = grouped(Line(advances(foot(number))) for number in range(4))
    assert [sentence(line.text) for line in lines] == [
        "Foot FOOT-0, FOOT-1, FOOT-2 and FOOT-3 advance into Riotinto."
    ]
    assert grouped(lines) == lines
