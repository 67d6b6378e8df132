"""The closed shapes of an entry and of each kind of step, judged fast and by hand.

`schemas/entry.json` says the same as a JSON Schema; a test holds the two together. This module
exists because a cold command cannot afford to load a schema library for every mail.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.limits import CHOICE_BOX

MAX_STEPS = 200
MOST_LINES = 64
"""Of one `say`; an entry may have several."""
SHOWN = 40
"""Characters of a value that a refusal repeats."""
Check = Callable[[Any], bool]


_compiled = cache(re.compile)  # a pattern is compiled when first asked for: no file needs them all


_LEGAL: dict[Check, str] = {}
"""What a check lets pass, in words that follow "it must be"."""


def _told(check: Check, legal: str) -> Check:
    _LEGAL[check] = legal
    return check


def _text(pattern: str, legal: str) -> Check:
    return _told(
        lambda value: type(value) is str and _compiled(pattern).fullmatch(value) is not None, legal
    )


def _one_of(*words: str) -> Check:
    return _text("|".join(words), f"{', '.join(words[:-1])} or {words[-1]}")


def _hex(digits: int) -> Check:
    return _text(f"[0-9a-f]{{{digits}}}", f"{digits} hex digits, in small letters")


def _line_of(least: int, most: int) -> Check:
    return _text(f"[^\n]{{{least},{most}}}", f"a text of {least} to {most} characters in one line")


def _name_of(most: int) -> Check:
    return _text(
        f"[A-Za-z0-9_.-]{{1,{most}}}", f"a name of 1 to {most} letters, digits and the marks _ . -"
    )


def _integer(low: int, high: int) -> Check:
    return _told(
        lambda value: type(value) is int and low <= value <= high, f"a number from {low} to {high}"
    )


def _true(value: Any) -> bool:
    return value is True


def _list(item: Check, low: int, high: int) -> Check:
    return _told(
        lambda value: (
            type(value) is list and low <= len(value) <= high and all(item(one) for one in value)
        ),
        f"a list of {low} to {high}, each of them {_LEGAL[item]}",
    )


def _boolean(value: Any) -> bool:
    return type(value) is bool


def _object(value: Any) -> bool:
    return type(value) is dict


def _or_null(check: Check) -> Check:
    return _told(lambda value: value is None or check(value), f"null or {_LEGAL[check]}")


def _power_of_two(value: Any) -> bool:
    return type(value) is int and 1 <= value <= 1024 and value & (value - 1) == 0


def _one_verb(value: Any) -> bool:
    return type(value) is dict and len(value) == 1


def _sides(value: Any) -> bool:
    return type(value) is dict and set(value) == {"a", "b"} and all(map(_id, value.values()))


def _rules(value: Any) -> bool:
    return type(value) is dict and set(value) == {"ruleset", "data"} and _is_rules(value)


def _is_rules(value: Mapping[str, Any]) -> bool:
    return _ruleset(value["ruleset"]) and HASH(value["data"])


def _audits(value: Any) -> bool:
    return (
        type(value) is dict
        and set(value) == {"a", "b"}
        and all(each is None or each == "clean" for each in value.values())
    )


_told(_true, "true, or left out")
_told(_boolean, "true or false")
_told(_object, "an object")
_told(_power_of_two, "a power of two up to 1024")
_told(_one_verb, "an object with one member, the verb of an order")
_told(_sides, "an object with the names of two sides, a and b")
_told(_rules, "an object with ruleset (name/version) and data (64 hex digits)")
_told(_audits, 'an object with a and b, each "clean" or null')
HASH = _hex(64)
NONCE = _hex(32)
_id = _name_of(64)
_line = _text("(?s:.{0,4096})", "a text of at most 4096 characters")
_lines = _list(_line_of(0, 400), 1, MOST_LINES)
_number = _integer(1, 1 << 24)
_seq = _integer(0, 20_000)
_items = _list(_one_verb, 1, 256)
_ruleset = _text("[a-z0-9_.-]{1,64}/[0-9]{1,9}", "a name in small letters, / and a version number")
_slot = _name_of(32)
_deck = _text("[a-z][a-z0-9_]{0,31}", "a name of 1 to 32 small letters, digits and _")
_box = _text("[A-Za-z0-9+/]{16,4094}={0,2}", "base64 of 16 to 4096 characters")
_choice_box = _text(
    f"[A-Za-z0-9+/]{{{CHOICE_BOX}}}",
    f"base64 of {CHOICE_BOX // 4 * 3} bytes, {CHOICE_BOX} characters",
)
_cards = _list(_slot, 1, 512)


def _set_of_cards(value: Any) -> bool:
    return _cards(value) and len(set(value)) == len(value)


_told(_set_of_cards, "a list of 1 to 512 names of cards, none twice")


def _deck_named(value: Any) -> bool:
    return (
        type(value) is dict
        and set(value) == {"deck", "by", "cards"}
        and _deck(value["deck"])
        and value["by"] in ("A", "B")
        and _set_of_cards(value["cards"])
    )


_told(_deck_named, "an object with deck, by (A or B) and cards, none twice")


def _commitments(value: Any) -> bool:
    return type(value) is dict and all(_deck(key) and HASH(value[key]) for key in value)


_told(_commitments, "an object from decks to commitments of 64 hex digits")


OPTIONS_OF_THE_FILE: Mapping[str, str] = MappingProxyType(
    {"solo": "practice: one person on both seats", "seed": "what a practice game is made from"}
)
"""Options of the file itself; all others are rules, and which there are the game says."""
MOST_OPTIONS = 128
_option = _text("[A-Za-z0-9_]{1,64}", "letters, digits and _")
_seed = _line_of(1, 200)


def _options(value: Any) -> bool:
    """Whether each has a name; what they are worth is said one by one (`check_options`)."""
    return type(value) is dict and len(value) <= MOST_OPTIONS and all(map(_option, value))


_told(_options, f"an object of at most {MOST_OPTIONS} options, named by letters, digits and _")


def check_options(options: Mapping[str, Any]) -> None:
    """The one place that decides what an option's value may be. Raises FileRefused (E-SCHEMA)."""
    for name, value in options.items():
        if name == "seed":
            if not _seed(value):
                raise _wrong("option seed is a text of 1 to 200 characters in one line")
        elif value is not True:
            raise _wrong(
                f"option {name} is {json.dumps(value):.40}, but an option is either true or left "
                "out"
            )


# Per kind: the members that must be there, then those that may.
STEPS: Mapping[str, tuple[Mapping[str, Check], Mapping[str, Check]]] = MappingProxyType(
    {
        "propose": (
            {
                "pub_a": HASH, "pub_b": HASH, "nonce": NONCE, "data": HASH, "scenario": _id,
                "ruleset": _ruleset,
                "options": _options, "sides": _sides,
                "chain_len": _integer(64, 65_536), "m": _power_of_two,
                "decks": _list(_deck_named, 0, 8),
            },
            {"match": _line_of(1, 100), "umpire": HASH, "spare": HASH},
        ),
        "accept": (
            {
                "proposal": HASH, "pub": HASH, "nonce": NONCE, "anchor": HASH, "data": HASH,
                "decks": _commitments,
            },
            {"spare": HASH},
        ),
        "start": ({"anchor": HASH, "decks": _commitments}, {}),
        "anchor": ({"q": _number, "anchor": HASH}, {}),
        "reveal": ({"n": _number, "x": HASH}, {"void": _true}),
        "orders": ({"list": _items}, {}),
        "react": ({"answers": _items}, {}),
        "post_choice": ({"answers": _items}, {}),
        "policy": (
            {"slot": _slot, "scope": _or_null(_object), "until": _or_null(_line)},
            {"doc": _or_null(_object), "c": HASH, "box": _box},
        ),
        "unseal": ({"slot": _slot, "seq": _seq, "doc": _object, "salt": HASH}, {}),
        "seal": ({"c": HASH, "box": _choice_box}, {}),
        "tell": ({"order": _one_verb, "salt": HASH}, {}),
        "deck_commit": ({"deck": _deck, "epoch": _number, "cards": _set_of_cards, "c": HASH}, {}),
        "deck_reply": (
            {
                "deck": _deck, "epoch": _number, "t": _integer(0, 1023),
                "siblings": _list(HASH, 0, 10), "leaves": _list(HASH, 1, 512),
            },
            {},
        ),
        "open": (
            {
                "deck": _deck, "epoch": _number, "pos": _integer(0, 511), "card": _slot,
                "nonce": HASH,
            },
            {},
        ),
        "say": ({"text": _lines}, {}),
        "offer": (
            {"what": _one_of("draw", "takeback", "upgrade", "adjourn", "void", "renew")},
            {
                "to": _seq, "known_randomness": _true, "old": _rules, "new": _rules,
                "until": _line_of(1, 160),
            },
        ),
        "answer": ({"offer": HASH, "yes": _boolean}, {}),
        "takeback": ({"to": _seq}, {}),
        "upgrade": ({"old": _rules, "new": _rules}, {}),
        "renew": ({"anchor": HASH}, {}),
        "rotate": (
            {
                "new_pub": HASH,
                "proof": _text("[A-Za-z0-9+/]{86}==", "base64 of 64 bytes, 88 characters"),
                "signed_by": _one_of("old", "spare", "opponent"),
            },
            {},
        ),
        "close": ({"result": _object, "audits": _audits}, {}),
        "resign": ({}, {}),
        "audit": ({"gsec": HASH}, {"earlier": _list(_or_null(HASH), 1, 8)}),
        "claim_forfeit": ({"since": HASH, "owed": _list(_line_of(1, 160), 1, 64)}, {}),
    }
)  # fmt: skip

# What an offer of one kind must say, and what it may; of the others it has no member.
OFFERS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = MappingProxyType(
    {
        "draw": (frozenset(), frozenset()),
        "takeback": (frozenset({"to"}), frozenset({"known_randomness"})),
        "upgrade": (frozenset({"old", "new"}), frozenset()),
        "adjourn": (frozenset(), frozenset({"until"})),
        "void": (frozenset(), frozenset()),
        "renew": (frozenset(), frozenset()),
    }
)

_PAYLOAD: Mapping[str, Check] = MappingProxyType(
    {
        "game": HASH, "seq": _seq, "prev": HASH, "by": _one_of("A", "B"),
        "post": HASH, "tool": _text("[ -~]{1,64}", "1 to 64 characters of ASCII"),
    }
)  # fmt: skip
_PAYLOAD_MAY: Mapping[str, Check] = MappingProxyType(
    {"time": _text("[ -~]{1,40}", "1 to 40 characters of ASCII")}
)
_ENVELOPE = frozenset({"payload", "id", "sig", "sum"})
_SUM = _hex(16)


def check_envelope(value: Any) -> None:
    """Refuses what is not payload, id, sig and sum; the signature's text is judged elsewhere.

    Raises FileRefused: E-SCHEMA.
    """
    if type(value) is not dict:
        raise _wrong("an entry is an object with payload, id, sig and sum")
    _members(value, _ENVELOPE, frozenset(), "an entry")
    if not HASH(value["id"]) or not _SUM(value["sum"]):
        raise FileRefused("E-DAMAGED", "its checksums were damaged", hint="ask for the file again")
    sig = value["sig"]
    parts = sig if type(sig) is list else [sig]
    if any(type(part) is not str for part in parts) or (parts is sig and len(sig) != 2):
        raise _wrong("sig is one text, or two")


def check_payload(payload: Any) -> None:
    """Refuses a payload that does not have the members, and steps of the kinds, of version 1.

    Raises FileRefused: E-SCHEMA, E-VERSION for what a newer program may know, E-LIMIT.
    """
    if type(payload) is not dict:
        raise _wrong("payload is not an object")
    version = payload.get("v")
    if type(version) is int and version != 1:
        raise FileRefused("E-VERSION", f"is of version {version} and needs a newer pbem")
    _members(payload, {"v", "steps", *_PAYLOAD}, _PAYLOAD_MAY, "payload")
    if type(version) is not int:
        raise _wrong("member 'v' of payload is not a number")
    _values(payload, _PAYLOAD, _PAYLOAD_MAY, "payload")
    steps = payload["steps"]
    if type(steps) is not list or not steps:
        raise _wrong("steps is a list of at least one step")
    if len(steps) > MAX_STEPS:
        raise FileRefused("E-LIMIT", f"has more than {MAX_STEPS} steps")
    for number, step in enumerate(steps):
        try:
            check_step(step)
        except FileRefused as refused:
            raise refused.placed(step=number) from None


def check_step(step: Any) -> None:
    """Refuses a step that is of no known kind, or whose members are not those of its kind.

    Raises FileRefused: E-SCHEMA, E-VERSION.
    """
    if type(step) is not dict or type(step.get("do")) is not str:
        raise _wrong("a step is an object whose member 'do' names its kind")
    kind = step["do"]
    if kind not in STEPS:
        raise FileRefused("E-VERSION", f"step kind {kind!a:.40} is unknown and needs a newer pbem")
    must, may = STEPS[kind]
    _members(step, {"do", *must}, may, kind)
    _values(step, must, may, kind)
    if kind == "propose":
        check_options(step["options"])
    if kind == "offer":
        needed, possible = OFFERS[step["what"]]
        _members(step, {"do", "what", *needed}, possible, f"an offer of {step['what']}")


def check_request(request: Mapping[str, Any]) -> None:
    """Refuses a request for a new key whose members are not what the entry needs (E-SCHEMA)."""
    entry, step = dict(_PAYLOAD), dict(STEPS["rotate"][0])
    must = {name: entry.get(name) or step[name] for name in ("game", "seq", "new_pub", "proof")}
    _members(request, must, (), "the request")
    _values(request, must, {}, "the request")


def _members(value: Mapping[str, Any], must: Any, may: Any, where: str) -> None:
    missing = [name for name in must if name not in value]
    if missing:
        raise _wrong(f"{where} has no member {min(missing)!r}")
    extra = [name for name in value if name not in must and name not in may]
    if extra:
        raise _wrong(f"{where} has a member {min(extra)!a:.60} that does not belong there")


def _values(
    value: Mapping[str, Any], must: Mapping[str, Check], may: Mapping[str, Check], where: str
) -> None:
    for name, check in must.items():
        if not check(value[name]):
            raise _ill_formed(name, where, value[name], check)
    for name, check in may.items():
        if name in value and not check(value[name]):
            raise _ill_formed(name, where, value[name], check)


def _ill_formed(name: str, where: str, given: Any, check: Check) -> FileRefused:
    shown = json.dumps(given)
    shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
    return _wrong(f"member {name!r} of {where} is {shown}, but it must be {_LEGAL[check]}")


def _wrong(message: str) -> FileRefused:
    return FileRefused("E-SCHEMA", message)
