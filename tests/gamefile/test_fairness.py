"""Dice and draws are even; `make bench` asks the same of a million faces and ten thousand deals."""

from collections import Counter

from tests.bench.fairness import Spread, spread, spreads


def test_dice_draws_and_layouts_are_even(fuzz):
    for each in spreads(60_000 * fuzz, 1_200 * fuzz):
        assert each.is_even, each.line()


def test_an_uneven_die_is_seen():
    """The remainder of a byte by 6 would be: that is the bias which passing over words avoids."""
    biased = [byte % 6 for byte in range(256)] * 4000
    assert not spread("a biased die", biased, 6).is_even
    assert Counter(biased)[0] > Counter(biased)[5]
    assert not spread("a die too even for chance", [*range(6)] * 1000, 6).is_even
    assert not spread("a face that never falls", [*range(5)] * 40, 6).is_even


def test_the_probability_is_that_of_the_tables():
    for chi, freedom, wanted in ((11.07, 5, 0.05), (15.086, 5, 0.01), (49.8, 35, 0.05)):
        assert abs(Spread("", 0, chi, freedom).probability - wanted) < 0.003
