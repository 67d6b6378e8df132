"""The shapes and the JSON Schema made of them say the same on good and on bad entries."""

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pbem.gamefile import negotiation, shapes
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.limits import CHOICE_SIZES, box_length
from tests.gamefile import facedown_vectors, make_schema
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import forge
from tests.gamefile.players import KEYS, TOOL, closed, opened, policy, sealed, write
from tests.gamefile.random_games import play
from tests.gamefile.renewed import NEW, audited, renewed
from tests.gamefile.sealed_game import sealed_game
from tests.gamefile.secret_toy import both_bound
from tests.gamefile.vanished import claimed, deputy, extension, result, ruled, seat, waiting

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "entry.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
RULES = {"ruleset": "toy/1", "data": "d" * 64}
OFFERS = (
    {"what": "draw"}, {"what": "void"}, {"what": "adjourn"}, {"what": "adjourn", "until": "May"},
    {"what": "takeback", "to": 3}, {"what": "takeback", "to": 3, "known_randomness": True},
    {"what": "upgrade", "old": RULES, "new": {**RULES, "data": "e" * 64}}, {"what": "renew"},
)  # fmt: skip


def agreed() -> list:
    """An entry of every kind that offers, answers, changes a key or closes a game."""
    fold = write(opened(), "A", {"pass": {}})
    offered = write(fold, "A", offer={"what": "takeback", "to": 3})
    upgrade = forge(offered, "B", [{"do": "upgrade", "old": RULES, "new": RULES}])
    new = type(KEYS["A"]).from_seed(b"\x09" * 32)
    fresh = renewed(sealed(), "A")
    audits = [audited(fresh, "A", key, lost=True) for key in (NEW, NEW.in_place_of(KEYS["A"]))]
    folds = [
        write(offered, "B", answer=True),
        negotiation.own_new_key(fold, KEYS["A"], new, tool=TOOL),
        closed(write(fold, "B", resign=True), "A"),
        fresh,
    ]
    offers = [forge(fold, "A", [{"do": "offer", **terms}]) for terms in OFFERS]
    shown = [each.entries[-2] for each in audits]
    return [*offers, upgrade, *(each.entries[-1] for each in folds), *shown]


def vanished():
    """A deputy, and rulings of a director."""
    fold = waiting(1)
    folds = [ruled(fold, "A", step(fold)) for step in (
        lambda fold: result(fold, "A"), lambda fold: extension(fold, 7),
        lambda fold: seat(fold, "B"),
    )]  # fmt: skip
    folds += [deputy(fold, "B"), claimed(fold, "A", 22)]
    return [*fold.entries[:1], *(each.entries[-1] for each in folds)]


GOOD = [
    *mini_game().entries,
    *play(3).entries,
    *sealed_game().entries,
    *facedown_vectors.sample().entries,
    write(write(sealed_game(), "A", resign=True), "B").entries[-1],
    write(mini_game(), "A", say=("a", "b"), claim_forfeit=True).entries[-1],
    write(mini_game(), "A", resign=True).entries[-1],
    write(mini_game(), "B", {"card": {"use": None}}, policies=(policy("x", card=None),)).entries[
        -1
    ],
    *write(both_bound(), "A").entries,
    *agreed(),
    *vanished(),
]
ODD = (
    None, True, 0, -1, 65, 1 << 40, "", "x", "ab" * 32, "ab" * 32 + "\n", "AB" * 32, "a" * 5000,
    [], [1], ["x"], ["x\n"], ["x"] * 300, [{}], [{"a": {}}], [{"a": {}, "b": {}}], {},
    [{"a": {}, "when": {}}], [{"a": {}, "when": 3}], [{"when": {}}],
    [{"a": {}, "b": {}, "when": {}}], {"a": {}, "when": {}}, {"when": {}}, {"a": 1},
    {"a": "x", "b": "y"}, {"a": "x\n", "b": "y"}, 3, 64, "A", "B", "A\n", "toy/1\n", "later",
    {"solo": True}, {"solo\n": True}, {"seed": "1\n"}, {"solo": 1}, ["x", "x"], ["x", "y"], RULES,
    {**RULES, "x": 1}, {"a": None, "b": "clean"}, {"n": "d" * 64}, {"n\n": "d" * 64}, "s" * 4096,
    *("A" * box_length(size) for size in CHOICE_SIZES), "A" * 86 + "==", "draw", "takeback", 1023,
    1024, 20_000, 20_001, 1 << 24,
)  # fmt: skip


def plain(entry):
    return {
        "payload": copy.deepcopy(entry.payload),
        "sig": entry.sig,
        "sum": entry.sum,
    }


def ours(value) -> bool:
    return fits(shapes.check_envelope, value) and fits(shapes.check_payload, value["payload"])


def theirs(value) -> bool:
    return VALIDATOR.is_valid(value)


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)
    kinds = SCHEMA["$defs"]["step"]["properties"]["do"]["enum"]
    assert sorted(kinds) == sorted(shapes.STEPS)


def test_the_published_schema_is_made_of_the_shapes(capsys):
    assert make_schema.main(check=True) == 0
    assert json.loads(make_schema.text()) == SCHEMA == make_schema.schema()


def test_no_object_of_the_format_may_hold_more_than_it_says():
    """Open are what a game fills: orders, scopes, documents, results; and options and decks."""
    open_to = {
        "list",
        "answers",
        "order",
        "when",
        "scope",
        "doc",
        "result",
        "options",
        "commitments",
    }

    def closed(part, name: str) -> None:
        if isinstance(part, dict):
            if part.get("type") == "object" and name not in {*open_to, "step"}:
                assert part["additionalProperties"] is False, name
            for key, inside in part.items():
                closed(inside, name if key in ("items", "oneOf") else key)
        for inside in part if isinstance(part, list) else ():
            closed(inside, name)

    closed(SCHEMA, "entry")


@pytest.mark.parametrize("entry", GOOD[:20], ids=lambda entry: f"{entry.seq}{entry.by}")
def test_both_accept_what_was_composed(entry):
    assert ours(plain(entry)) and theirs(plain(entry))


def test_both_accept_every_composed_step():
    assert {step["do"] for entry in GOOD for step in entry.steps} >= set(shapes.STEPS) - {"anchor"}
    for entry in GOOD:
        assert ours(plain(entry)) and theirs(plain(entry))


def schema_of(part: str) -> Draft202012Validator:
    """What the schema says of a part of an entry: a kind of step, or `step`, any of them."""
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": SCHEMA["$defs"]})


def good_steps():
    """A step of each kind and each set of members."""
    found = {}
    for entry in GOOD:
        for step in entry.steps:
            found.setdefault((step["do"], step.get("what"), *sorted(step)), step)
    return found.values()


def spoilt(good, where=lambda value: value):
    """Each member missing, of odd values, and one too many."""
    for name in where(good):
        for odd in ODD:
            value = copy.deepcopy(good)
            where(value)[name] = odd
            yield value
        value = copy.deepcopy(good)
        del where(value)[name]
        yield value
    value = copy.deepcopy(good)
    where(value)["extra"] = 1
    yield value


BROKEN = (None, True, False, -1, 1 << 40, "", "x\n", [], {})


def spoilt_within(good):
    """Each member, and the first of what is within it, of another type or size, or missing."""

    def places(value, path):
        names = list(value) if isinstance(value, dict) else []
        for name in range(min(len(value), 1)) if isinstance(value, list) else names:
            yield path, name
            yield from places(value[name], (*path, name))

    for path, name in places(good, ()):
        for broken in (*BROKEN, ...):
            value = copy.deepcopy(good)
            inside = value
            for each in path:
                inside = inside[each]
            if broken is ...:
                del inside[name]
            else:
                inside[name] = broken
            yield value


def fits(check, value) -> bool:
    try:
        check(value)
    except FileRefused:
        return False
    return True


def test_the_kind_of_a_step_picks_what_is_said_of_it():
    assert SCHEMA["$defs"]["step"]["allOf"] == [
        {
            "if": {"properties": {"do": {"const": kind}}, "required": ["do"]},
            "then": {"$ref": f"#/$defs/{kind}"},
        }
        for kind in shapes.STEPS
    ]


def test_both_agree_on_spoilt_steps():
    count = refused = 0
    for good in good_steps():
        kind, any_kind = schema_of(good["do"]), schema_of("step")
        for step in (*spoilt(good), *spoilt_within(good)):
            count += 1
            judged = fits(shapes.check_step, step)
            refused += not judged
            same = step.get("do") == good["do"]
            assert judged == (kind if same else any_kind).is_valid(step), step
    assert count > 4000 and refused > 3500, (count, refused)


def test_both_agree_on_spoilt_payloads_and_entries():
    entry = plain(GOOD[4])
    for value in [*spoilt(entry, lambda value: value["payload"]), *spoilt(entry)]:
        assert ours(value) == theirs(value), value


def test_each_form_takes_what_its_schema_says_and_no_more():
    """They are made anew: those of the format were made when it was loaded."""
    one_line = {"not": {"pattern": "\\n"}}
    word = shapes._text("[ab]{2}", "two letters")
    for check, good, bad, schema in (
        (word, ["ab"], ["a", "abc", "ab\n", 7, ["ab"]],
         {"type": "string", "pattern": "^[ab]{2}$", **one_line}),
        (shapes._hex(2), ["0f"], ["0", "0f0", "0f0f", "0F", "0g", "f\n", 15, ["0", "f"]],
         {"type": "string", "pattern": "^[0-9a-f]{2}$", **one_line}),
        (shapes._hex(2, 6), ["0f", "00ffaa"], ["0", "0f0", "0f0f", "0f0f0", "0f0f0f0", "0g", "0F"],
         {"type": "string", "pattern": "^[0-9a-f]{2}([0-9a-f]{4})?$", **one_line}),
        (shapes._one_of("x", "y"), ["x", "y"], ["z", "xy", 1, []], {"enum": ["x", "y"]}),
        (shapes._line_of(2, 3), ["ab", "abc"], ["a", "abcd", "a\n", [1, 2]],
         {"type": "string", "minLength": 2, "maxLength": 3, **one_line}),
        (shapes._integer(1, 3), [1, 3], [0, 4, "2", True, None],
         {"type": "integer", "minimum": 1, "maximum": 3}),
        (shapes._list(word, 1, 2), [["ab"], ["ab", "ba"]], [[], ["ab"] * 3, ["ab", "x"], {"ab": 1}],
         {"type": "array", "minItems": 1, "maxItems": 2, "items": word}),
        (shapes._or_null(word), ["ab", None], ["x", 0], {"oneOf": [word, {"type": "null"}]}),
        (shapes._members_of("a word", a=word), [{"a": "ab"}],
         [{}, {"a": "x"}, {"a": "ab", "b": 1}, ["a"], "a"], shapes.closed({"a": word}, {})),
    ):  # fmt: skip
        assert [*map(check, good), *map(check, bad)] == [True] * len(good) + [False] * len(bad)
        assert shapes.SCHEMAS[check] == schema


def test_a_request_has_what_the_entry_needs_and_no_more():
    request = {"game": "a" * 64, "seq": 7, "new_pub": "b" * 64, "proof": "A" * 86 + "=="}
    assert fits(shapes.check_request, request)
    for name in request:
        assert not fits(shapes.check_request, {**request, name: None})
        assert not fits(shapes.check_request, {k: v for k, v in request.items() if k != name})
    assert not fits(shapes.check_request, {**request, "by": "A"})


def test_odd_entries_have_the_class_that_helps():
    def code(value) -> str:
        with pytest.raises(FileRefused) as caught:
            shapes.check_envelope(value)
            shapes.check_payload(value["payload"])
        return caught.value.code

    entry = plain(GOOD[4])
    assert code({**entry, "extra": 1}) == "E-SCHEMA"
    assert code({**entry, "payload": {**entry["payload"], "v": 2}}) == "E-VERSION"
    for odd in ({"v": "2"}, {"v": None}, {"steps": []}, {"steps": {}}, {"steps": [5]}):
        assert code({**entry, "payload": {**entry["payload"], **odd}}) == "E-SCHEMA", odd
    steps = [{"do": "teleport", "to": "A"}]
    assert code({**entry, "payload": {**entry["payload"], "steps": steps}}) == "E-VERSION"
    many = [{"do": "resign"}] * 2049
    assert code({**entry, "payload": {**entry["payload"], "steps": many}}) == "E-LIMIT"
    shapes.check_payload({**entry["payload"], "steps": many[1:]})
    assert KEYS  # the sample is signed with the two known keys
