"""The days of a turn, in words: what they share is said once."""

import pytest

from pbem.cli.languages import language
from pbem.engine.days import days
from pbem.messages import words


@pytest.mark.parametrize(
    ("first", "last", "english", "spanish"),
    [
        ("1936-10-18", "1936-10-22", "18 to 22 October 1936", "del 18 al 22 de octubre de 1936"),
        ("1936-10-28", "1936-11-01", "28 October to 1 November 1936",
         "del 28 de octubre al 1 de noviembre de 1936"),
        ("1936-12-29", "1937-01-02", "29 December 1936 to 2 January 1937",
         "del 29 de diciembre de 1936 al 2 de enero de 1937"),
        ("1937-08-14", "1937-08-14", "14 August 1937", "14 de agosto de 1937"),
    ],
)  # fmt: skip
def test_days_as_they_are_said(first: str, last: str, english: str, spanish: str) -> None:
    assert words(days(first, last)) == english
    assert words(days(first, last), language("es")) == spanish
