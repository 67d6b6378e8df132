"""pbem check: warnings with their place, and again with each change of the orders."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pbem.cli import check
from tests.cli.desk import Desk

KEY = ("--key", "ana.key")
WALK = (
    "play: {card: N1, for: event}",
    "activate: {move: [sevilla]}",
    "move: {units: [INF-15, N-POL-4, AFR-1], path: [sevilla, utrera]}",
)


def test_a_warning_stands_at_the_order_that_brings_it_about(desk: Desk) -> None:
    orders = desk.orders(*WALK)
    said = desk.done("check", "g2.json", orders, *KEY)
    assert (
        "orders.yaml:4:5: warning: Sevilla, a source, has no unit, and the enemy in Riotinto and "
        "Santa Olalla can take it [rule 10.1.9]\n"
    ) in said
    assert (
        "orders.yaml:3:5: warning: 1 operations point is not used, and could activate another "
        "space [rule 8.2.4]\n"
    ) in said
    assert said.count("warning:") == 2


def test_an_end_behind_what_begins_something_ends_that_at_once(desk: Desk) -> None:
    said = desk.done("check", "g2.json", desk.orders(*WALK[:2], "done"), *KEY)
    assert (
        "orders.yaml:4:5: warning: this ends what 'activate' begins, and nothing is done in it\n"
    ) in said
    assert "this ends" not in desk.done("check", "g2.json", desk.orders(*WALK, "done"), *KEY)


def test_for_programs(desk: Desk) -> None:
    orders = desk.orders(*WALK)
    _, told = json.loads(desk.done("check", "g2.json", orders, *KEY, "--json"))["warnings"]
    assert (told["code"], told["line"], told["column"]) == ("unwise", 4, 5)
    assert told["rule"] == "10.1.9" and told["file"] == "orders.yaml"


def test_quiet_orders_have_no_warning(desk: Desk) -> None:
    assert "warning" not in desk.done("check", "g2.json", desk.orders(*WALK[:1]), *KEY)


def test_orders_are_checked_again_when_they_change(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on where a file is wrong, is away, or has not changed."""
    desk.orders(*WALK[:1])
    texts: list[str | None] = [None, "orders: [\n", "orders:\n  - play: {card: N1, for: event}\n"]

    def wait(seconds: float) -> None:
        if not texts:
            raise KeyboardInterrupt
        text, path = texts.pop(0), Path("orders.yaml")
        if text is not None:
            path.write_text(text)
            os.utime(path, ns=(len(texts), len(texts)))

    monkeypatch.setattr(check.time, "sleep", wait)
    result = desk.pbem("check", "g2.json", "orders.yaml", *KEY, "--watch")
    assert result.out.count("--- orders.yaml, ") == 3 and result.out.count("1 order is legal") == 2
    assert "orders.yaml:" in result.err and result.err.endswith("stopped; nothing was written\n")


def test_a_watch_prints_for_people(desk: Desk) -> None:
    words = ("check", "g2.json", "orders.yaml", "--watch", "--json")
    assert "--watch is for people" in desk.pbem(*words).err


def test_a_form_in_a_file_names_its_schema(desk: Desk) -> None:
    desk.done("form", "g2.json", *KEY, "-o", "form.yaml")
    first = (desk.folder / "form.yaml").read_text().split("\n")[0]
    head, _, uri = first.partition("=file://")
    assert head == "# yaml-language-server: $schema"
    assert "orders" in json.loads(Path(uri).read_text())["properties"]
    assert "yaml-language-server" not in desk.done("form", "g2.json", *KEY)
