"""How a refusal cites the protocol: not as if it were a rule of the game."""

import pytest

from pbem.gamefile.errors import FileRefused
from pbem.text.source import render


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("R7", "[protocol R7]"),
        ("T3", "[protocol T3]"),
        ("sealed lists", "[protocol, sealed lists]"),
        ("mixing", "[protocol, mixing]"),
        ("7.1", "[rule 7.1]"),
        ("", ""),
    ],
)
def test_a_citation_says_whether_it_is_of_the_protocol(rule: str, told: str) -> None:
    (problem,) = FileRefused("E-DECK", "so it is", rule=rule).problems
    assert render(problem) == f"so it is {told}".rstrip()
