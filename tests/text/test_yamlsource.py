"""Strict YAML: what is read, what is refused, and that both parsers agree."""

import random

import pytest

from pbem.problems import Refused
from pbem.text.source import Source, render_all
from pbem.text.yamlsource import examine_all, read

PARSERS = pytest.mark.parametrize("pure", [False, True], ids=["libyaml", "pure"])

SAMPLE = """\
# a comment
orders:
  - play: {card: N7, for: operations}
  - attack: {space: mérida, units: {caceres: [INF, "MIL-NAV"]}}
    losses: [MIL-NAV, INF]   # ranked
standing:
  combat_card: none
  note: |
    two
    lines
  'quoted': "a: b"
"""


def value(text, pure=False):
    document, problems = examine_all(Source("f", text), pure=pure)
    assert problems == (), render_all(problems)
    return document.value


def codes(text, pure=False):
    return [problem.code for problem in examine_all(Source("f", text), pure=pure)[1]]


@PARSERS
@pytest.mark.parametrize(
    "written, read_as",
    [
        ("NO", "NO"),
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("y", "y"),
        ("True", "True"),
        ("12:30", "12:30"),
        ("010", "010"),
        ("1_000", "1_000"),
        ("0x1f", "0x1f"),
        ("1e3", "1e3"),
        ("1.5", "1.5"),
        ("+1", "+1"),
        ("-0", "-0"),
        ("1936-07-18", "1936-07-18"),
        ("=", "="),
        (".inf", ".inf"),
        ("NULL", "NULL"),
        ("1234567890", "1234567890"),
        ("'7'", "7"),
        ('"null"', "null"),
        ("'true'", "true"),
        ("“merida”", "“merida”"),
        ("９", "９"),
        ("7", 7),
        ("-7", -7),
        ("0", 0),
        ("123456789", 123456789),
        ("null", None),
        ("~", None),
        ("", None),
        ("true", True),
        ("false", False),
        ("Mérida", "Mérida"),
        ("a#b", "a#b"),
        ("a:b", "a:b"),
        ("9999999999999999", "9" * 16),
    ],
)
def test_scalars(written, read_as, pure):
    found = value(f"key: {written}\n", pure)["key"]
    assert found == read_as and type(found) is type(read_as)


@PARSERS
@pytest.mark.parametrize("key", ["1", "NO", "true", "null", "12:30"])
def test_keys_are_always_text(key, pure):
    assert value(f"{key}: x", pure) == {key: "x"}


@PARSERS
@pytest.mark.parametrize(
    "text, code",
    [
        ("a: &x 1", "yaml-anchor"),
        ("a: &x [1]", "yaml-anchor"),
        ("&x a: 1", "yaml-anchor"),
        ("a: *x", "yaml-alias"),
        ("a: !!int 1", "yaml-tag"),
        ("a: !!python/object/apply:os.system [ls]", "yaml-tag"),
        ("a: ! 1", "yaml-tag"),
        ("<<: {a: 1}", "yaml-merge"),
        ("'<<': {a: 1}", "yaml-merge"),
        ("a: 1\nb: 2\na: 3", "yaml-doubled-key"),
        ("{a: 1, 'a': 2}", "yaml-doubled-key"),
        ("a: 1\n---\nb: 2", "yaml-documents"),
        ("? [a]\n: 1", "yaml-key"),
        ("? {a: b}\n: 1", "yaml-key"),
        ("'': 1", "yaml-key"),
        ("%YAML 1.1\n---\na: 1", "yaml-directive"),
        ("[" * 200 + "]" * 200, "yaml-depth"),
        ("[" * 60000, "yaml-depth"),
        ("{a: " * 100, "yaml-depth"),
        ("- " * 100, "yaml-depth"),
        ("a: é\r\n" + "b: " + "[{a: " * 600, "yaml-depth"),
        ("a:\n\t- b", "yaml-tab"),
        ("a: 'b\tc'", "yaml-tab"),
        ("a: b # c\td", "yaml-tab"),
        ("a: \x00", "yaml-control"),
        ("a: \x1b[31m", "yaml-control"),
        ("a: b\x85c", "yaml-control"),
        ("a: b\u2028c", "yaml-control"),
        ("a:\n\xa0 b: c", "yaml-space"),
        ("a: [", "yaml-syntax"),
        ("a: [b?c]", "yaml-syntax"),
        ("{a:[b]}", "yaml-syntax"),
        ("a: 'b", "yaml-syntax"),
        ('a: "\\q"', "yaml-syntax"),
        ("a: @b", "yaml-syntax"),
        ("a: b: c", "yaml-syntax"),
        ("a: b\n c: d", "yaml-syntax"),
        ("a: 1\n  b: 2", "yaml-syntax"),
        ("a: -", "yaml-syntax"),
    ],
)
def test_what_is_refused(text, code, pure):
    assert codes(text, pure) == [code]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# only a comment",
        "a",
        "- a",
        "---\na: 1\n",
        "a: 1\n...\n",
        "[]",
        "{}",
        "a: 😀\nb: [日本, x]",
    ],
)
def test_both_parsers_read_the_same(text):
    found = [examine_all(Source("f", text), pure=pure) for pure in (False, True)]
    assert found[0] == found[1] and found[0][1] == ()


def test_an_alias_bomb_costs_nothing():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]\n"
        for a, b in zip("abcdefghij", "bcdefghijk", strict=True)
    )
    assert set(codes(bomb)) == {"yaml-anchor", "yaml-alias"}


def test_several_problems_are_found_in_one_pass():
    assert codes("a: &x 1\nb: !y 2\nb: 3\n<<: 4\n") == [
        "yaml-anchor",
        "yaml-tag",
        "yaml-doubled-key",
        "yaml-merge",
    ]


def test_reading_stops_with_all_problems_in_one_refusal():
    with pytest.raises(Refused) as refused:
        read(Source("f", "a: &x 1\na: 2\n"))
    assert len(refused.value.problems) == 2


@PARSERS
@pytest.mark.parametrize(
    "path, line, text",
    [
        (("orders",), 3, "-"),
        (("orders", 0), 3, "play"),
        (("orders", 0, "play", "card"), 3, "N7"),
        (("orders", 1, "attack", "space"), 4, "mérida"),
        (("orders", 1, "attack", "units", "caceres"), 4, '[INF, "MIL-NAV"]'),
        (("orders", 1, "attack", "units", "caceres", 1), 4, '"MIL-NAV"'),
        (("orders", 1, "losses", 0), 5, "MIL-NAV"),
        (("orders", 1, "losses", 7), 5, "[MIL-NAV, INF]"),  # not there: the nearest around it
        (("orders", 1, "losses", 0, "x"), 5, "MIL-NAV"),
        (("standing", "combat_card"), 7, "none"),
    ],
)
def test_every_value_has_its_place(path, line, text, pure):
    document, _ = examine_all(Source("f", SAMPLE), pure=pure)
    span = document.span(path)
    assert span.line == line and span.excerpt[span.column - 1 :].startswith(text)
    if span.end_column and len(text) > 5:
        assert span.excerpt[span.column - 1 : span.end_column - 1] == text


def test_every_key_has_its_place():
    document = read(Source("f", SAMPLE))
    span = document.key_span(("orders", 1, "attack", "units"))
    assert span.excerpt[span.column - 1 : span.end_column - 1] == "units"
    entry = ("orders", 1, "losses", 1)
    assert document.key_span(entry) == document.span(entry)


def test_every_value_has_a_path():
    document = read(Source("f", SAMPLE))
    paths = list(document.paths())
    assert paths[:3] == [(), ("orders",), ("orders", 0)]
    assert ("standing", "quoted") in paths and len(paths) == len(set(paths)) == 20


def spoilt(seed):
    """The sample with one to three characters lost, added, or everything after them gone."""
    chance = random.Random(seed)
    letters = list(SAMPLE)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(letters)) if letters else 0
        way = chance.random()
        if way < 0.3:
            del letters[place : place + 1]
        elif way < 0.4:
            del letters[place:]
        else:
            letters.insert(place, chance.choice("{}[]:,-&*!|>%@`\"'#\n  =~0a\\"))
    return "".join(letters)


@pytest.mark.parametrize("start", range(0, 1000, 250))
def test_both_parsers_agree_on_spoilt_files(start):
    for seed in range(start, start + 250):
        text = spoilt(seed)
        fast, slow = (examine_all(Source("f", text), pure=pure) for pure in (False, True))
        assert bool(fast[1]) == bool(slow[1]), text
        if not fast[1]:
            assert fast == slow, text
        for problem in (*fast[1], *slow[1]):
            assert (
                problem.span.line >= 1 and str(problem.message) and "{" not in str(problem.hint)[:1]
            )


def test_the_words_are_the_same_for_both_parsers():
    for text in (
        "a: [b",
        "a: {b: c",
        "a: 'b",
        "a: @b",
        "a: b: c",
        "a:\n - b\n c: d",
        "a: b]\n]",
        "a\nb: c",
        "a: [b, ",
        "a: }",
        "x: *",
        "x: &",
        "{a: b c: d}",
        "a: |x\n  b",
    ):
        fast, slow = (examine_all(Source("f", text), pure=pure)[1] for pure in (False, True))
        assert render_all(fast) == render_all(slow)


def test_a_large_data_file_is_read():
    rows = "".join(f"  - {{id: space_{n}, links: [a, b], note: 'text'}}\n" for n in range(5000))
    document = read(Source.decode("map.yaml", b"spaces:\n" + rows.encode(), limit=1 << 20))
    assert document.value["spaces"][4999]["id"] == "space_4999"
