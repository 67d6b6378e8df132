"""Orders as players write them: with printed names where the ids of a game say nothing.

The way back is bind.py: what is spelt here reads back as the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.choices import Amount, Choice, Example, OneOf, Some, SomeOf
from pbem.engine.model import Decision, Option, Order
from pbem.engine.naming import Spell, respelt, spelt_field
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.orders.fields import Names


def spelt(order: Order, names: Names) -> Order:
    """The order with printed names where players write these."""
    return respelt(order, names.spelt) if names.by_name else order


def unspelt(order: Order, names: Names) -> Order:
    """The order of `spelt` with ids again."""
    return respelt(order, lambda kind, name: names.find(kind, name) or name)


def spelt_decision(decision: Decision, names: Names, spell: Spell | None = None) -> Decision:
    """The question with its choices as players write them, or as `spell` writes them."""
    if spell is None and not names.by_name:
        return decision
    spell = spell or names.spelt
    options = tuple(_option(option, spell) for option in decision.options)
    return replace(decision, options=options, default=respelt(decision.default, spell))


def noting(names: Names, met: dict[str, str]) -> Spell:
    """Spells like `names`, and records in `met` the meaning of each letter it uses."""

    def spell(kind: str, name: str) -> str:
        printed = names.known(kind).get(name, "") if kind in names.by_letter else ""
        if printed not in ("", name):
            met[name] = printed
        return names.spelt(kind, name)

    return spell


def _option(option: Option, spell: Spell) -> Option:
    examples = option.examples
    kind = option.order
    choices = {name: _choice(kind, name, each, spell) for name, each in option.fields.items()}
    if examples is None:
        return replace(option, fields=choices)

    def examples_spelt(some: Some) -> list[Example]:
        return [_example(each, spell) for each in examples(some)]

    return replace(option, fields=choices, examples=examples_spelt)


def _example(example: Example, spell: Spell) -> Example:
    kind = type(example.order)
    others = {
        name: tuple(spelt_field(kind, name, each, spell) for each in values)
        for name, values in example.others.items()
    }
    return replace(example, order=respelt(example.order, spell), others=others)


def _choice(kind: type, name: str, choice: Choice, spell: Spell) -> Choice:
    if isinstance(choice, Amount):
        return choice
    values = tuple(spelt_field(kind, name, each, spell) for each in choice.values)
    made: OneOf | SomeOf = replace(choice, values=values)
    return made
