"""The six words of a game: as many bits as they say, and words that can be told apart."""

from __future__ import annotations

from collections import Counter
from math import log2
from pathlib import Path

from pbem.gamefile.fingerprint_words import SPOKEN, WORDS, game_words, word
from pbem.gamefile.keys import game_fingerprint

LIST = tuple(map(word, range(WORDS)))
PUBLISHED = Path(__file__).parents[2] / "schemas" / "words.txt"


def test_each_word_is_another():
    words = LIST
    assert len(words) == len(set(words)) == WORDS == 16**3
    assert all(word.isalpha() and word.isascii() and 4 <= len(word) <= 6 for word in words)
    assert not any(word == 2 * word[: len(word) // 2] for word in words)


def test_no_two_words_sound_alike_to_speakers_of_spanish_and_english():
    """Neither b beside v, s beside z or c, k beside c or q, nor letters that one of them drops."""
    assert set("".join(LIST)) == set("aeioupbtdkgfsmnlrch")
    assert all("c" not in word.replace("ch", "") for word in LIST)
    assert all("h" not in word.replace("ch", "") for word in LIST)


def test_every_digit_of_the_first_eighteen_counts():
    game = "0123456789abcdef" * 4
    words = game_words(game)
    assert words == game_words(game) and len(words.split()) == SPOKEN
    for at in range(64):
        other = game_words(game[:at] + ("0" if game[at] != "0" else "1") + game[at + 1 :])
        changed = [one != two for one, two in zip(words.split(), other.split(), strict=True)]
        assert changed == [at // 3 == number for number in range(SPOKEN)]


def test_whoever_makes_both_games_finds_no_two_that_agree_in_all_that_is_compared():
    """Two ids of 2^bits that agree are found after 2^(bits / 2) tries."""
    digits = 10 ** len(game_fingerprint("0" * 64).replace(" ", ""))
    assert log2(digits) / 2 < 34 and log2(WORDS**SPOKEN) / 2 == 36, "each alone is too little"
    assert log2(digits * WORDS**SPOKEN) / 2 > 60
    assert 12 * SPOKEN + 67 <= 256, "they show different bits of the id"
    page = (PUBLISHED.parent / "protocol.md").read_text("utf-8")
    assert "twenty digits and six words, both" in page and "six words;" not in page


def test_the_words_are_equally_likely():
    found = Counter(game_words(f"{number:03x}" + "0" * 61).split()[0] for number in range(WORDS))
    assert set(found.values()) == {1} and len(found) == WORDS


def test_the_published_list_is_this_one():
    assert PUBLISHED.read_text("ascii").split("\n") == [*LIST, ""]
