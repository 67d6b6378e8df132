"""Names as people write them."""

import pytest

from pbem.board.names import NamedUnit, Vocabulary, fold, slug

WORDS = Vocabulary(
    printed={
        "space": {
            "merida": "Mérida",
            "santa_olalla": "Santa Olalla",
            "san_a": "X Y",
            "san_b": "xy",
        },
        "unit": {"INF-1": "Infantry 1", "INF-2": "Infantry 2", "INF-3": "Infantry 3"},
    },
    aliases={"space": {"emerita": "merida"}},
    counters=(
        NamedUnit("INF-1", "INF", "merida", "full"),
        NamedUnit("INF-2", "INF", "merida", "reduced"),
        NamedUnit("INF-3", "INF", "merida", "full"),
        NamedUnit("INF-4", "INF", "sevilla", "full"),
    ),
)


@pytest.mark.parametrize(
    "found, expected",
    [
        (fold("¡Mérida!"), "merida"),
        (fold("MIL-NAV"), "milnav"),
        (fold(""), ""),
        (slug("Santa Olalla"), "santa_olalla"),
        (slug("L'Hospitalet  (Ñ)"), "l_hospitalet_n"),
        (WORDS.find("space", "merida"), "merida"),
        (WORDS.find("space", "MÉRIDA"), "merida"),
        (WORDS.find("space", "Emérita"), "merida"),
        (WORDS.find("space", "Santa-Olalla"), "santa_olalla"),
        (WORDS.find("space", "xy"), None),  # two spaces could be meant
        (WORDS.find("space", "nowhere"), None),
        (WORDS.find("space", ""), None),
        (WORDS.find("card", "N1"), None),
        (WORDS.known("unit")["INF-1"], "Infantry 1"),
        (WORDS.known("card"), {}),
        (WORDS.fitting("unit", "inf", "merida"), (("INF-1", "INF-3"), ("INF-2",))),
        (WORDS.fitting("unit", "INF", "sevilla"), (("INF-4",),)),
        (WORDS.fitting("unit", "INF"), (("INF-1", "INF-3"), ("INF-2",), ("INF-4",))),
        (WORDS.fitting("unit", "POL", "merida"), ()),
        (WORDS.fitting("space", "INF", "merida"), ()),
    ],
)
def test_names(found, expected):
    assert found == expected


def test_the_tag_of_another_counter_stands_in_the_way_of_no_name() -> None:
    """n/2/0 without its strokes is N-20 without its own."""
    names = Vocabulary(printed={"unit": {"n/1/6": "N-20", "n/2/0": "N-Cab"}})
    assert [names.find("unit", each) for each in ("N-20", "n/2/0", "N-Cab", "n20")] == [
        "n/1/6", "n/2/0", "n/2/0", "n/1/6",
    ]  # fmt: skip
