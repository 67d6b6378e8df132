"""The file pbem.toml: read strictly, and written once."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from pbem.cli import files
from pbem.gamedata import folders
from pbem.gamedata.folders import SETTINGS_FILE
from pbem.gamefile.contacts import proper
from pbem.mail.eml import address
from pbem.messages import LANGUAGES, Either, Language, Said, either, say, words
from pbem.problems import Problem, Refused, Span
from pbem.value import replace
from pbem.words import YES_NO, visible

SETTINGS = ("name", "key", "mail", "lang", "dated")
OWN = ("send", "keyring")
"""What only the file in the user's own folder may say: a folder can come with a mail."""
VERSION = 1
"""That of both files; one that says nothing is of this version."""
LIMIT = 16 << 10
LONGEST = 400
"""The maximum length of a setting."""


def read() -> dict[str, str]:
    """The settings in the file of this folder. Raises Refused for each fault, with its line."""
    return _read(SETTINGS_FILE, SETTINGS)


def read_own(path: str) -> dict[str, str]:
    """The user's own settings, in a file of the same form. Raises Refused in the same way."""
    try:
        return _read(path, OWN)
    except Refused as refused:
        raise Refused(*(_in_file(path, each) for each in refused.problems)) from None


def _in_file(path: str, problem: Problem) -> Problem:
    assert problem.span is not None
    return replace(problem, span=replace(problem.span, file=path))


def _read(path: str, known: tuple[str, ...]) -> dict[str, str]:
    raw = files.read_bytes(path, LIMIT, say("the settings file"))
    try:
        text = raw.decode("utf-8-sig")
        found = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Refused(_problem(say("this is not UTF-8 text"), line)) from None
    except RecursionError:
        raise Refused(_problem(say("it is nested too deep"), 1)) from None
    except tomllib.TOMLDecodeError as error:
        raise Refused(_undecoded(str(error), text)) from None
    except ValueError:  # tomllib gives whole numbers to int(), which has a limit
        raise Refused(_problem(say("a number has too many digits"), 1)) from None
    if (version := found.pop("version", VERSION)) != VERSION or type(version) is not int:
        raise Refused(_of_version(version, _line_of("version", text)))
    problems = [problem for name in found for problem in _faults(name, found[name], text, known)]
    if problems:
        raise Refused(*problems)
    return found


def _of_version(version: Any, line: int) -> Problem:
    """What is said of a file that is not of our version: its settings may mean something else."""
    if type(version) is int and version > VERSION:
        return _problem(
            say("the file is of version {version}, and this pbem reads version {ours}",
                version=version, ours=VERSION),
            line, say("a newer pbem can read it"),
        )  # fmt: skip
    return _problem(
        say("version must be {ours}", ours=VERSION), line, say("you can leave this line out")
    )


def _faults(name: str, given: Any, text: str, known: tuple[str, ...]) -> list[Problem]:
    """The faults of one setting, if any."""
    line = _line_of(name, text)
    if name in OWN and name not in known:
        return [_of_your_own(name, line)]
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = (
            say("did you mean {near}?", near=near[0])
            if near
            else say("there are {settings}", settings=tuple(known))
        )
        return [_problem(say("there is no setting {name}", name=repr(name[:40])), line, hint)]
    if type(given) is not str:
        return [
            _problem(
                say("{name} must be a text", name=name),
                line,
                say('write {name} = "..."', name=name),
            )
        ]
    why = why_not(name, given)
    return [_problem(say("{name}: {why}", name=name, why=why), line)] if why else []


def _of_your_own(name: str, line: int) -> Problem:
    """What a folder may not say: it could have come with a mail, and would run a program."""
    return _problem(
        say("{name} is a setting of yours, not of a folder: nothing here is used", name=name),
        line,
        say("take the line out; yours is in {file}, and pbem init writes it",
            file=folders.config(SETTINGS_FILE) or say("a folder of your own")),
    )  # fmt: skip


def why_not(name: str, given: str) -> Said:
    """What is wrong with the text of a setting; empty if it is usable."""
    if not given or len(given) > LONGEST:
        return say("1 to {longest} characters are needed", longest=LONGEST)
    if visible(given) != given:
        return say("it has a character that cannot be seen")
    if name == "name" and proper(given) != given:
        return say("a name is one line of at most 60 characters")
    if name == "mail":
        try:
            address(given)
        except ValueError as error:
            return error.args[0]  # a message
    if name == "lang" and given not in LANGUAGES:
        return say("the languages are {languages}", languages=tuple(LANGUAGES))
    if name in ("dated", "keyring") and given not in YES_NO:
        return say("it is {yes_no}", yes_no=Either(tuple(YES_NO)))
    return ""


def _line_of(name: str, text: str) -> int:
    """The line that sets a name; the TOML parser does not give it."""
    found = re.search(rf"""^[ \t]*\[*["']?{re.escape(name)}\b""", text, re.M)
    return text[: found.start()].count("\n") + 1 if found else 1


NO_END = (
    "illegal character '\\n'",
    "found invalid character '\\n'",
    "unterminated string",
    'expected "\'"',
)
"""What the parser says of a text that is not closed in its line."""
NO_QUOTE = say("this text has no quote at its end")


def _undecoded(told: str, text: str) -> Problem:
    """The parser's message, with its place in our form."""
    where = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", told)
    message = told[: where.start()] if where else told
    message = message[:1].lower() + message[1:200]
    if where is None or where[1] is None:
        line = text.count("\n") + 1
        if message in NO_END:
            return _problem(NO_QUOTE, line, _in_quotes(text, line))
        return _problem(message, line)
    hint: Said = ""
    line = int(where[1])
    if message in NO_END:
        return _problem(NO_QUOTE, line, _in_quotes(text, line), column=int(where[2]))
    if message == "invalid value" or message.startswith("expected '=' after a key"):
        hint = _in_quotes(text, line)
    return _problem(message, line, hint, column=int(where[2]))


def _in_quotes(text: str, line: int) -> Said:
    """How a line with a text that has no quotes is written, or has those of a letter."""
    name, *rest = re.split("[=:]", text.split("\n")[line - 1], maxsplit=1)
    given = "".join(rest)
    plain = given.partition("#")[0].strip(" \t\r'\"\N{LEFT DOUBLE QUOTATION MARK}"
                                         "\N{RIGHT DOUBLE QUOTATION MARK}")  # fmt: skip
    if name.strip() not in SETTINGS or visible(plain) != plain:
        return say('write it in quotes: name = "..."')
    return say("write it in quotes: {line}", line=f"{name.strip()} = {quoted(plain)}")


def _problem(message: Said, line: int, hint: Said = "", *, column: int = 1) -> Problem:
    return Problem("settings", message, Span(SETTINGS_FILE, line, column), hint=hint)


def written(settings: Mapping[str, str], language: Language) -> bytes:
    """The content of the file, for its owner to edit; its comments are in the language."""
    told = {
        "name": say("your name, as your mails give it"),
        "key": say("your private key; then --key can be left out"),
        "mail": say("your mail address, the sender of what pbem mail writes"),
        "lang": say("the language that pbem uses: {languages}", languages=either(LANGUAGES)),
        "dated": say("yes, if your entries should say when you wrote them"),
    }
    begin = say("What pbem knows about you in this folder. Change it as you like.")
    lines = [f"# {words(begin, language)}"]
    for setting in SETTINGS:
        given = settings.get(setting)
        lines.append(f"{setting} = {quoted(given)}" if given
                     else f'# {setting} = "..."   # {words(told[setting], language)}')  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


def completed(fresh: Mapping[str, str]) -> bytes:
    """The content of the file of this folder with settings that it lacks, or that are replaced.

    A setting takes the place of its line, or of the comment that stands for it, and otherwise comes
    last. Raises
    Refused if that cannot be read as what it had and what is new.
    """
    old = _read(SETTINGS_FILE, SETTINGS)
    text = files.read_bytes(SETTINGS_FILE, LIMIT, say("the settings file")).decode("utf-8-sig")
    for name, given in fresh.items():
        line = f"{name} = {quoted(given)}"
        left = re.compile(rf"^# ?{name} = \"\.\.\.\".*$", re.M)
        if name in old:
            left = re.compile(rf"^[ \t]*{name}[ \t]*=.*$", re.M)
        if not left.search(text):
            text += "\n" if text and not text.endswith("\n") else ""
            text += f"{line}\n"
            continue
        text = left.sub(line.replace("\\", r"\\"), text, count=1)
    content = text.encode()
    try:
        read_again = tomllib.loads(text)
        read_again.pop("version", None)
        is_read = read_again == {**old, **fresh} and len(content) <= LIMIT
    except tomllib.TOMLDecodeError:
        is_read = False
    if not is_read:
        lines = tuple(f"{name} = {quoted(given)}" for name, given in fresh.items())
        raise Refused(_problem(say("nothing was changed: write {lines} there", lines=lines), 1))
    return content


def own_written(own: Mapping[str, str | None], language: Language) -> bytes:
    """The content of the user's own file."""
    begin = say("What pbem knows about you on this machine. Change it as you like.")
    lines = [f"# {words(begin, language)}"]
    for setting in OWN:
        given = own.get(setting)
        lines += [f"{setting} = {quoted(given)}"] if given else []
    return ("\n".join(lines) + "\n").encode()


def quoted(text: str) -> str:
    """A basic string of TOML; it has no invisible characters."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
