"""The man pages, made of what `--help` knows: pbem.1, and one a command.

They are committed, so that a wheel is built without the program it holds; no version and no date is
in them, so that they change only with the help.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from pbem.cli.commands import pbem
from pbem.cli.exits import Exit
from pbem.cli.request import COMMANDS, SECTIONS

FOLDER = Path(__file__).resolve().parents[2] / "pbem" / "share" / "man" / "man1"
EXAMPLE = "Example: "
ENDS = {
    Exit.DONE: "done",
    Exit.PROBLEMS: "the orders, the data or the key have problems, or it is not your turn",
    Exit.USAGE: "the command was called wrongly, or names what does not exist",
    Exit.UNVERIFIED: "the game file does not verify",
    Exit.BUG: "a bug in pbem",
}
COMPLETED = (
    "Tab completes commands, options, scenarios, sides, and the files of games. Where a shell does "
    "not find the files for it that came with pbem, one line in its own settings does the same:"
)
SHELLS = {
    "bash": ("~/.bashrc", 'eval "$(_PBEM_COMPLETE=bash_source pbem)"'),
    "zsh": ("~/.zshrc", 'eval "$(_PBEM_COMPLETE=zsh_source pbem)"'),
    "fish": ("~/.config/fish/config.fish", "_PBEM_COMPLETE=fish_source pbem | source"),
}
FILES = {
    "pbem.toml": "what a folder knows about its owner; pbem init writes it",
    "standing.yaml": "your standing orders, next to the game",
    "~/.config/pbem": "your contacts and own settings, and what you have seen and signed",
    "~/.cache/pbem": "what can be computed again; it may be removed at any time",
}


def pages() -> dict[str, str]:
    """The text of each page, by the name of its file."""
    found = {"pbem.1": _whole()}
    for name, line in COMMANDS.items():
        above = click.Context(pbem, info_name="pbem", **pbem.context_settings)
        command = pbem.get_command(above, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=above)
        found[f"pbem-{name}.1"] = _one(name, line, context)
    return found


def _whole() -> str:
    lines = [*_begun("pbem", "a referee for board wargames played by e-mail")]
    lines += [".SH SYNOPSIS", _bold("pbem"), _italic("COMMAND [OPTIONS] [ARGS]...")]
    lines += [".SH DESCRIPTION", *_told(pbem), ".SH COMMANDS"]
    for title, commands in SECTIONS.items():
        lines.append(f".SS {_plain(title)}")
        for name, line in commands.items():
            lines += [".TP", f".BR pbem\\-{_literal(name)} (1)", _plain(line)]
    lines.append(".SH OPTIONS")
    lines += _options(click.Context(pbem, info_name="pbem"))
    lines.append(".SH EXIT STATUS")
    for code, meaning in ENDS.items():
        lines += [".TP", _bold(str(int(code))), _plain(meaning)]
    lines += [".SH COMPLETION", _plain(COMPLETED)]
    for shell, (file, line) in SHELLS.items():
        lines += [".TP", _plain(f"{shell}, in {file}"), _bold(line)]
    lines.append(".SH FILES")
    for name, meaning in FILES.items():
        lines += [".TP", ".I " + _literal(name), _plain(meaning)]
    return "\n".join(lines) + "\n"


def _one(name: str, line: str, context: click.Context) -> str:
    command = context.command
    lines = [*_begun(f"pbem-{name}", line[0].lower() + line[1:])]
    lines += [".SH SYNOPSIS", *_called(context), ".SH DESCRIPTION", *_told(command)]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for word, each in command.commands.items():
            below = click.Context(each, info_name=word, parent=context)
            lines += [f".SS {_literal(below.command_path)}", *_called(below), ".PP", *_told(each)]
            lines += _options(below)
    lines += [".SH OPTIONS", *_options(context), ".SH SEE ALSO", ".BR pbem (1)"]
    return "\n".join(lines) + "\n"


def _begun(name: str, line: str) -> list[str]:
    title = _literal(name.upper())
    return [
        ".\\\" Made by 'make texts' of what --help knows: change it there.",
        f'.TH {title} 1 "" "pbem" "pbem"', ".SH NAME", f"{_literal(name)} \\- {_plain(line)}",
    ]  # fmt: skip


def _called(context: click.Context) -> Iterator[str]:
    yield _bold(context.command_path)
    yield _italic(" ".join(context.command.collect_usage_pieces(context)))


def _told(command: click.Command) -> Iterator[str]:
    """The paragraphs of a command's help; an example stands on a line of its own."""
    for at, paragraph in enumerate(re.split(r"\n\s*\n", (command.help or "").strip())):
        before, *examples = " ".join(paragraph.replace("\b", " ").split()).split(EXAMPLE)
        if before:
            yield from (".PP", _plain(before.strip())) if at else (_plain(before.strip()),)
        for each in examples:
            yield from (".PP", "Example:", ".PP", ".RS 4", ".nf", _bold(each.strip()), ".fi", ".RE")


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.params:
        record = parameter.get_help_record(context)
        if record and isinstance(parameter, click.Option):
            yield from (".TP", _bold(record[0]), _plain(record[1]))
    # click makes this one itself, by the context that asks first
    yield from (".TP", _bold("-h, --help"), "Show this message and exit.")


def _bold(text: str) -> str:
    return f".B {_literal(text)}"


def _italic(text: str) -> str:
    return f".I {_literal(text)}"


def _literal(text: str) -> str:
    """What may be typed: its hyphens are those of the keyboard."""
    return _escaped(text).replace("-", "\\-").replace('"', "\\(dq")


def _plain(text: str) -> str:
    """Words to read, on one line that roff fills; options in them keep their hyphens."""
    told = re.sub(r"(?<![\w-])--?\w[\w-]*", lambda found: _literal(found[0]), _escaped(text))
    return "\\&" + told if told[:1] in (".", "'") else told


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e")
    return "".join(each if each.isascii() else f"\\[u{ord(each):04X}]" for each in text)


def main(check: bool) -> int:
    """Writes the pages, or with `check` only says which are stale."""
    wanted = pages()
    there = {path.name: path for path in FOLDER.iterdir()}
    lost = sorted(there.keys() - wanted.keys())
    stale = [
        name for name, text in wanted.items()
        if name not in there or there[name].read_text(encoding="utf-8") != text
    ]  # fmt: skip
    for name in (*lost, *stale):
        if check:
            print(f"{name} is stale: run make texts")
        elif name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            there[name].unlink()
    if not (lost or stale):
        print("man pages: up to date")
    return 1 if check and (lost or stale) else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
