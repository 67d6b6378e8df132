"""The list of rules, and where every value comes from."""

import re
from collections import Counter

WORD = re.compile(r"^(stated|derived|rebuilt)\b")


def test_every_rule_of_the_index_is_listed_once(plain):
    numbers = [rule["number"] for rule in plain["rulebook"]["rules"]]
    # 17.5.3 is in the first edition alone; parts of rules that say several things are ours.
    assert len(numbers) == len(set(numbers)) == 616 + 1 + 29


def test_odd_numbers_are_kept_as_they_are(plain):
    numbers = {rule["number"] for rule in plain["rulebook"]["rules"]}
    assert {"6.0.A.1", "11.3.5.2/a", "3.0.coastal", "RC.terrain", "CC.N14"} <= numbers


def test_what_is_not_kept_says_why(plain):
    rules = plain["rulebook"]["rules"]
    assert not [rule["number"] for rule in rules if rule["kind"] == "omitted" and "why" not in rule]
    assert Counter(rule["kind"] for rule in rules)["engine"] > 400


def test_rules_that_the_data_name_are_in_the_list(plain):
    numbers = {rule["number"] for rule in plain["rulebook"]["rules"]}

    def named(value):
        if isinstance(value, dict):
            yield from (v for k, v in value.items() if k in ("rule", "option"))
            for key, inner in value.items():
                if key != "provenance":
                    yield from named(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from named(inner)

    found = {rule for part, value in plain.items() if part != "rulebook" for rule in named(value)}
    assert found - numbers == set()


# ------------------------------------------------------------ provenance


def provenances(value):
    """Every text of every `provenance`, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "provenance":
                yield from texts(inner)
            else:
                yield from provenances(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from provenances(inner)


def texts(value):
    if isinstance(value, str):
        yield value
    else:
        for inner in value.values():
            yield from texts(inner)


def test_every_provenance_begins_with_one_of_three_words(plain):
    for part, value in plain.items():
        for text in provenances(value):
            assert WORD.match(text), (part, text)


def test_every_value_of_map_units_and_cards_says_where_it_comes_from(plain):
    silent = {"name", "side", "size", "north_limit"}  # names, and what an id says already
    for part, listed in (("map", "spaces"), ("units", "types"), ("cards", "cards")):
        common = plain[part]["provenance"]["given"]
        for entry in plain[part][listed]:
            own = entry.get("provenance", {})
            for key in set(entry) - {"provenance"} - silent - _limits(part):
                assert key in own or key in common or _by_other_name(part, key, own), (
                    part,
                    entry["id"],
                    key,
                )


def _limits(part):
    """The limits of a card have one provenance together."""
    limits = {
        "needs",
        "blocked_by",
        "only_phases",
        "not_before_turn",
        "rm_max",
        "control",
        "government",
        "source_joined_to",
    }
    return limits if part == "cards" else set()


def _by_other_name(part, key, own):
    known = {"reinforcement": "text", "vp": "vp_rm", "rm": "vp_rm"}
    return (part == "cards" and known.get(key) in own) or (part == "units" and key == "id")


def test_every_connection_table_row_and_scenario_says_where_it_comes_from(plain):
    assert all("provenance" in link for link in plain["map"]["connections"])
    for key, value in plain["tables"].items():
        assert list(provenances({key: value})), key
    for part, value in plain.items():
        if part.startswith("scenarios/"):
            own = set(value) - {"id", "title", "rule", "editions", "first_turn", "last_turn"}
            spoken = {key for key in own - {"provenance"} if value[key] not in ([], {})}
            assert spoken <= set(value["provenance"]), part


def test_there_are_no_fractions_anywhere(plain):
    """Strict YAML has none; a text that looks like one would be a slip."""

    def numbers(value, key=""):
        if isinstance(value, dict):
            for inner_key, inner in value.items():
                yield from numbers(inner, inner_key)
        elif isinstance(value, list):
            for inner in value:
                yield from numbers(inner, key)
        elif isinstance(value, str) and key not in ("rule", "number", "option", "by"):
            yield key, value

    for part, value in plain.items():
        fractions = [found for found in numbers(value) if re.fullmatch(r"-?\d+\.\d+", found[1])]
        assert fractions == [], part
