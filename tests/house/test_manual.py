"""The man pages say what --help says, roff reads them, and a shell finds the completion."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from pbem.cli.commands import pbem
from pbem.cli.request import COMMANDS
from tests.house import manual

SHARE = manual.FOLDER.parents[1]


def test_the_pages_are_those_of_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert manual.main(check=True) == 0, capsys.readouterr().out
    assert {path.name for path in manual.FOLDER.iterdir()} == {
        "pbem.1", *(f"pbem-{name}.1" for name in COMMANDS)
    }  # fmt: skip


def test_a_page_has_the_help_its_options_and_an_example_to_copy() -> None:
    page = manual.pages()["pbem-key.1"]
    assert ".SS pbem key export\n" in page and ".B \\-\\-paper\n" in page
    assert ".nf\n.B pbem key restore \\-\\-out ana.key \\-\\-name Ana\n.fi\n" in page
    assert "\n\n" not in page and ".PP\n.PP\n" not in page


def test_no_text_can_be_taken_for_a_request_of_roff() -> None:
    @click.command(help="'tis .5 of C:\\n, not -x or a-b.\n\n.so /etc/passwd ¡No!")
    def command() -> None: ...

    assert list(manual._told(command)) == [
        "\\&'tis .5 of C:\\en, not \\-x or a-b.", ".PP", "\\&.so /etc/passwd \\[u00A1]No!"
    ]  # fmt: skip


@pytest.mark.skipif(not shutil.which("groff"), reason="no groff is here")
def test_roff_has_nothing_to_say_against_them() -> None:
    read = subprocess.run(
        ["groff", "-man", "-ww", "-z", *sorted(manual.FOLDER.iterdir())],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (read.returncode, read.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash is here")
def test_bash_completes_by_the_file_of_the_wheel(tmp_path: Path) -> None:
    """As bash-completion loads it, the first time that Tab is pressed behind `pbem`."""
    program = tmp_path / "pbem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = (
        'source "$1"; complete -p pbem\n'
        "COMP_WORDS=(pbem prove); COMP_CWORD=1; _pbem_completion pbem; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["bash", "-c", script, "bash", str(SHARE / "bash-completion" / "completions" / "pbem")],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "complete -o nosort -F _pbem_completion pbem", "prove-fork"
    ], done.stderr  # fmt: skip


@pytest.mark.parametrize(
    "shell", ["zsh/site-functions/_pbem", "fish/vendor_completions.d/pbem.fish"]
)
def test_other_shells_ask_click_in_their_own_words(shell: str) -> None:
    from click.shell_completion import get_completion_class

    name = shell.partition("/")[0]
    found = get_completion_class(name)
    assert found is not None
    text = (SHARE / shell).read_text(encoding="utf-8")
    assert f"_PBEM_COMPLETE={name}_source pbem" in text
    if name == "zsh":
        function = found(pbem, {}, "pbem", "_PBEM_COMPLETE").func_name
        assert text.startswith("#compdef pbem\n") and text.endswith(f'{function} "$@"\n')
