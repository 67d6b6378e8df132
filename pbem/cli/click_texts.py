"""What click itself says when a command is called wrongly, in the language of the reader.

click looks its texts up in the domain that gettext is set to, so they stand in our catalogues
beside our own. Those of its help pages do not: the help is in English. A text that another version
of click words differently stays as it is.
"""

from __future__ import annotations

import os
from gettext import bindtextdomain, textdomain

from pbem.cli.languages import DOMAIN, TRANSLATIONS
from pbem.messages import marked, marked_many

TEXTS = (
    marked("Missing argument"), marked("Missing option"), marked("Missing parameter"),
    marked("Missing command."), marked("Missing {param_type}"),
    marked("Choose from:\n\t{choices}"),
    marked("No such option {name!r}."), marked("No such option: {name}"),
    marked("No such command {name!r}."),
    marked("Option {name!r} does not take a value."),
    marked("Invalid value: {message}"), marked("Invalid value for {param_hint}: {message}"),
    marked("{name} {filename!r} does not exist."), marked("{name} {filename!r} is a file."),
    marked("{name} {filename!r} is a directory."), marked("{name} {filename!r} is not readable."),
    marked("{name} {filename!r} is not writable."),
)  # fmt: skip
COUNTED = (
    marked_many(
        "Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"
    ),
    marked_many("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    marked_many("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    marked_many(
        "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."
    ),
)


def click_speaks(code: str) -> None:
    """Makes click tell what is wrong with a call in the language of this code."""
    os.environ["LANGUAGE"] = code  # gettext looks nowhere else
    bindtextdomain(DOMAIN, TRANSLATIONS)
    textdomain(DOMAIN)
