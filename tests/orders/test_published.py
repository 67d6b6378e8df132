"""The published schemas of order files."""

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from order_samples import VERBS
from test_written import ORDERS

from pbem.engine.codec import fields_of, to_written
from pbem.engine.policies import help
from pbem.games import GAMES
from pbem.messages import words
from pbem.orders.parse import parsed_in_part
from pbem.orders.published import orders_schema
from pbem.text.schema import schema_problems
from pbem.text.source import Source
from pbem.text.yamlsource import read
from tests.contract.playing import system

SCHEMAS = Path(__file__).parent.parent.parent / "schemas"
SAMPLE = orders_schema("orders of the sample game", VERBS)
VALIDATOR = Draft202012Validator(SAMPLE)


@settings(max_examples=100, deadline=None)
@given(st.lists(ORDERS, max_size=3))
def test_every_order_fits_the_schema(orders):
    written = [{order.verb: to_written(order)} for order in orders]
    text = json.dumps({"orders": written}, ensure_ascii=True)
    assert list(VALIDATOR.iter_errors(json.loads(text))) == []


def test_the_schema_is_itself_sound():
    VALIDATOR.check_schema(SAMPLE)


@pytest.mark.parametrize(
    "order, message",
    [
        ("play: {card: true}", "card must be a text or a whole number, not the truth value true"),
        ("play: {crd: N7, card: N1}", "play has no field 'crd'"),
        ("move: {units: [INF]}", "move needs the field 'path'"),
        ("rebuild: {unit: INF, pair: [1]}", "pair needs at least 2 entries"),
        ("pay: {}", "an entry of orders has no field 'pay'"),
    ],
)
def test_what_does_not_fit_is_told(order, message):
    problems = schema_problems(read(Source("f", f"orders: [{order}]")), SAMPLE)
    assert [str(problem.message) for problem in problems] == [message]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_published_schema_of_a_game_is_that_of_its_orders(game):
    verbs = __import__(f"pbem.games.{game}.orders", fromlist=["VERBS"]).VERBS
    schema = orders_schema(
        f"orders of {game}",
        verbs,
        help.schema(system(game).policies),
        system(game).waiting.schema(),
        seals_ahead=bool(system(game).policies.slots_ahead),
    )
    path = SCHEMAS / game / "orders.json"
    if os.environ.get("PBEM_GOLDEN") == "write":
        path.write_text(json.dumps(schema, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    stale = "the orders changed: PBEM_GOLDEN=write pytest tests/orders, or make golden"
    assert json.loads(path.read_text(encoding="utf-8")) == schema, stale


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_hint_speaks_of_what_the_program_writes(game):
    verbs = __import__(f"pbem.games.{game}.orders", fromlist=["VERBS"]).VERBS
    for verb, kind in verbs.items():
        fields = fields_of(kind).items()
        names = {name for name, field in fields if field.metadata.get("by_program")}
        for said in ("3", "nowhere", "[a, b]", "{xx: 1}", "{at: 1, xx: 2}", ""):
            file = Source("orders.yaml", f"orders:\n  - {verb}: {said}\n  - {verb} {said}\n")
            _, problems = parsed_in_part(file, verbs)
            told = " ".join(words(each.hint) for each in problems)
            assert not {*re.findall(r"\w+", told)} & names, (verb, said)
