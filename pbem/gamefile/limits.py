"""Limits on the content of one entry, and on everything a player writes: the same for both.

They count what is in the entry itself, never time or memory, so every program draws the same line;
readers refuse by them, and writers before they write. Honest play stays far below: no entry of the
stored Campaign game has eight orders or 1 KB.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.gamefile.canonical import encoded
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import WHEN
from pbem.messages import Said, say

SHARE = 12 << 20
"""Bytes of a file that one player's entries may take, as they are stored."""
WORDS = 4096
"""Bytes of all lines of `say` in an entry, each as ASCII JSON."""
OPTIONS = 2048
ORDERS = 1024
ORDERS_BYTES = 64 << 10
"""The most bytes of all orders in an entry, and of all orders that wait for a player."""
WHEN_BYTES = 1024
"""The most bytes of the condition of one order."""
CLAUSES = 64
"""The most objects in the scope and the document of a policy."""
SCOPE_BYTES = 1024
DOCUMENT_BYTES = 3000
CHOICE_SIZES = (512, 2048)
"""The bytes in the box of a secret choice, whatever it holds; the question says which of the two.
"""
CHOICE_BYTES = CHOICE_SIZES[-1]
LIST_BYTES = 46
"""The bytes in the box of a sealed list for each of its places, whatever the list holds."""
LIST_SIZES = (2, 4, 8, 16, 32, 64)
GROUPS = 64
"""The most groups of tags in one mix."""
TRIAL_CARDS = 1 << 17
"""The most cards in all trial layouts of all decks of a proposal."""


def choice_size(room: int) -> int:
    """The bytes of the box of a secret choice for which the game says that no answer has more than
    `room`; 0 if it does not say.
    """
    return next((size for size in CHOICE_SIZES if 0 < room <= size), CHOICE_BYTES)


def box_length(size: int) -> int:
    """The letters of a box of so many bytes: base64 of them and of the tag of AES-SIV."""
    return (size + 16 + 2) // 3 * 4


Step = dict[str, Any]
_LISTS = {"orders": "list", "react": "answers", "post_choice": "answers"}


def check_content(by: str, steps: Sequence[Step], size: int) -> None:
    """Refuses steps of player `by` that have more content than an entry may (E-LIMIT).

    `size` is that of the whole entry in bytes. Where that is within a limit, so are its parts.
    """
    said = [line for step in steps if step["do"] == "say" for line in step["text"]]
    check_words(by, said)
    orders = [order for step in steps for order in step.get(_LISTS.get(step["do"], ""), ())]
    check_orders(by, orders, is_small=size <= ORDERS_BYTES)
    for order in orders:
        if WHEN in order:
            check_when(by, order[WHEN])
    for step in steps:
        if step["do"] in ("policy", "unseal"):
            check_document(by, step.get("scope"), step.get("until"), step.get("doc"))
        elif step["do"] == "tell":
            _check_choice(by, step)
        elif step["do"] == "propose":
            _check_proposal(by, step)


def check_words(by: str, said: Sequence[str]) -> None:
    """Refuses more lines of words than an entry may say (E-LIMIT)."""
    if written(said) > WORDS:
        raise _beyond(
            by,
            say("says more than {words} bytes, as they are stored", words=WORDS),
            say("write the rest in the e-mail itself"),
        )


def check_orders(by: str, orders: Sequence[Any], *, is_small: bool = False) -> None:
    """Refuses more orders than an entry may give (E-LIMIT); with `is_small` their bytes fit."""
    if len(orders) > ORDERS:
        raise _beyond(by, say("gives more than {orders} orders in one entry", orders=ORDERS))
    if not is_small and len(encoded(orders)) > ORDERS_BYTES:
        raise _beyond(
            by,
            say(
                "gives more than {orders_bytes} KiB of orders in one entry",
                orders_bytes=ORDERS_BYTES >> 10,
            ),
        )


def check_when(by: str, when: Any) -> None:
    """Refuses what one order waits for, if it is too long (E-LIMIT)."""
    if len(encoded(when)) > WHEN_BYTES:
        raise _beyond(
            by,
            say("has an order with a when of more than {when_bytes} bytes", when_bytes=WHEN_BYTES),
        )


def check_waiting(by: str, given: Sequence[Any], waiting: Sequence[Any]) -> None:
    """Refuses more orders than may wait for one player (E-LIMIT): each entry's `post` has them.

    Those of one entry are within these limits alone (`check_content`).
    """
    if not waiting:
        return
    orders = [*given, *waiting]
    if len(orders) > ORDERS:
        raise _beyond(by, say("has more than {orders} orders waiting", orders=ORDERS))
    if len(encoded(orders)) > ORDERS_BYTES:
        kibibytes = ORDERS_BYTES >> 10
        raise _beyond(
            by, say("has more than {orders_bytes} KiB of orders waiting", orders_bytes=kibibytes)
        )


def check_share(by: str, stored: int) -> None:
    """Refuses an entry that makes the stored entries of a player larger than their share
    (E-LIMIT).
    """
    if stored > SHARE:
        raise _beyond(by, say("has written more than {share} MiB in all", share=SHARE >> 20))


def check_document(by: str, scope: Any, until: str | None, doc: Any) -> None:
    """Refuses standing orders that are too long to be judged at every question (E-LIMIT)."""
    shorter = say("split them over several slots")
    if len(encoded([scope, until])) > SCOPE_BYTES:
        raise _beyond(
            by,
            say(
                "has standing orders with a scope longer than {scope_bytes} bytes",
                scope_bytes=SCOPE_BYTES,
            ),
            shorter,
        )
    if len(encoded(doc)) > DOCUMENT_BYTES:
        raise _beyond(
            by,
            say(
                "has standing orders longer than {document_bytes} bytes",
                document_bytes=DOCUMENT_BYTES,
            ),
            shorter,
        )
    clauses = sum(1 for each in (scope, doc) for inner in _inside(each) if type(inner) is dict)
    if clauses > CLAUSES:
        raise _beyond(
            by,
            say("has standing orders with more than {clauses} clauses", clauses=CLAUSES),
            shorter,
        )


def written(lines: Sequence[str]) -> int:
    """The bytes of lines as a file has them: each an ASCII text of JSON, its marks included."""
    return sum(map(len, map(json.dumps, lines)))


def _check_choice(by: str, step: Step) -> None:
    if len(encoded(step["order"])) > CHOICE_BYTES:
        raise _beyond(
            by, say("shows a choice of more than {choice_bytes} bytes", choice_bytes=CHOICE_BYTES)
        )


def _check_proposal(by: str, step: Step) -> None:
    if len(encoded(step["options"])) > OPTIONS:
        raise _beyond(by, say("has options of more than {options} bytes", options=OPTIONS))
    cards = sum(len(deck["cards"]) for deck in step["decks"])
    if step["m"] * cards > TRIAL_CARDS:
        raise _beyond(
            by,
            say("asks for more than {trial_cards} cards in trial layouts", trial_cards=TRIAL_CARDS),
        )


def _inside(value: Any) -> Iterator[Any]:
    """Everything inside a value, at any depth, without the value itself."""
    items = value.values() if type(value) is dict else value if type(value) is list else ()
    for item in items:
        yield item
        yield from _inside(item)


def _beyond(by: str, what: Said, hint: Said = "") -> FileRefused:
    return FileRefused("E-LIMIT", say("player {by} {what}", by=by, what=what), hint=hint)
