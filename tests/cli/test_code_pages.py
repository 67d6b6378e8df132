"""Output in another code page: what cannot be printed is replaced, and no command ends by it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.cli.group import run as command
from tests.cli.desk import Desk

PAGES = ("cp437", "cp1250", "cp932", "ascii")
PBEM = Path(__file__).parents[2] / "pbem"
COMMANDS = (
    ("games",), ("rules", "crusade"), ("status", "solo.json"), ("status", "solo.json", "--json"),
    ("show", "solo.json"), ("show", "solo.json", "malaga"), ("show", "solo.json", "--json"),
    ("show", "solo.json", "--digest"), ("log", "g4.json"), ("log", "g4.json", "--format", "html"),
    ("log", "g4.json", "--json"), ("log", "g4.json", "--format", "markdown"),
    ("summary", "g4.json", "--turn", "1", "--format", "bbcode"),
    ("summary", "g4.json", "--turn", "1", "--format", "html"),
    ("summary", "g4.json", "--turn", "1", "--json"), ("luck", "g4.json"),
    ("luck", "g4.json", "--json"), ("dice", "g4.json"), ("cards", "crusade"),
    ("cards", "crusade", "N14", "--json"), ("form", "g4.json", "--key", "ana.key"),
    ("form", "g4.json", "--key", "beto.key", "-o", "-"), ("verify", "g4.json"),
    ("mail", "g4.json", "-o", "-"), ("data", "crusade"), ("show", "solo.json", "nowhere—"),
    ("check", "solo.json", "odd.yaml"), ("check", "solo.json", "odd.yaml", "--json"),
    ("status", "señal—.json"), ("status", b"\xff.json"), ("--help",), ("show", "--help"),
)  # fmt: skip


class Printed(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


def run(desk: Desk, encoding: str, *words: str | bytes) -> Printed:
    """A command whose streams have this code page, called in this process."""
    out, err = (TextIOWrapper(BytesIO(), encoding) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(desk.folder)
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(), encoding))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            command([os.fsdecode(each) for each in words])
    for stream in (out, err):
        stream.flush()
    assert isinstance(left.value.code, int)
    return Printed(left.value.code, *(each.buffer.getvalue() for each in (out, err)))


@pytest.mark.parametrize("page", PAGES)
def test_a_process_prints_the_same(today: Desk, page: str) -> None:
    code = "from pbem.cli import main; main()"
    env = {**os.environ, "PYTHONIOENCODING": page, "PYTHONUTF8": "0"}
    for words in (("show", "solo.json"), ("status", b"\xff.json")):
        done = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=today.folder, env=env, capture_output=True,
            timeout=120, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == run(today, page, *words)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_no_command_ends_by_its_code_page(
    desk: Desk, page: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_LANG", language)
    (desk.folder / "odd.yaml").write_text("orders:\n  - atacar…: ½ «Málaga» → 東\n", "utf-8")
    for words in COMMANDS:
        done = run(desk, page, *words)
        assert done.returncode in (0, 1, 2, 3), (words, done)
        assert b"bug" not in done.stderr and b"Traceback" not in done.stderr, (words, done)
        if "--help" not in words and "html" not in words:
            done.stdout.decode(page), done.stderr.decode(page)
        if "--json" in words:
            json.loads(done.stdout or done.stderr)


def test_json_loses_nothing(desk: Desk) -> None:
    for words in (("show", "solo.json", "--json"), ("log", "g4.json", "--json")):
        plain, coded = (run(desk, page, *words).stdout.decode(page) for page in ("utf-8", "ascii"))
        assert json.loads(plain) == json.loads(coded)
        assert coded.isascii()
    assert "\\u00" in run(desk, "cp437", "show", "solo.json", "--json").stdout.decode()


def test_a_page_is_utf8_as_it_says(desk: Desk) -> None:
    words = "log", "solo.json", "--format", "html"
    assert run(desk, "cp437", *words).stdout == run(desk, "utf-8", *words).stdout


def test_a_board_keeps_its_columns(desk: Desk) -> None:
    plain, coded = (
        run(desk, page, "show", "solo.json").stdout.decode(page) for page in ("utf-8", "ascii")
    )
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in coded.splitlines()]
    assert "Cordoba" in coded and "Córdoba" in plain


def test_what_is_written_to_a_file_is_utf8(desk: Desk) -> None:
    assert run(desk, "cp437", "show", "solo.json", "--svg", "a.svg").returncode == 0
    assert run(desk, "utf-8", "show", "solo.json", "--svg", "b.svg").returncode == 0
    assert (desk.folder / "a.svg").read_bytes() == (desk.folder / "b.svg").read_bytes()


def test_every_question_is_asked_in_letters_of_the_terminal() -> None:
    """click prints what it is given past our streams: what it asks goes through `asking`."""
    for path in PBEM.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert "click.echo(" not in source, path
        for asked in re.finditer(r"click\.(?:prompt|confirm)\(\s*([\w.]+)", source):
            assert asked[1] == "report.asking", path
