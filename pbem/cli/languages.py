"""The languages of the log. Each is a catalogue of gettext in pbem/translations: `make texts` finds
new texts, puts them into es.po, where they are translated, and compiles it to es.mo, which is read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from pbem.cli import settings
from pbem.messages import ENGLISH, Language

TRANSLATIONS = Path(__file__).parents[1] / "translations"


def language(code: str) -> Language:
    """The language of a code of settings.LANGUAGES."""
    if code == "en":
        return ENGLISH
    from gettext import GNUTranslations

    with (TRANSLATIONS / f"{code}.mo").open("rb") as compiled:
        return GNUTranslations(compiled)


def takes_language(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command the option --lang, as the Language `lang`."""
    return click.option(
        "--lang", type=click.Choice(settings.LANGUAGES), envvar="PBEM_LANG", callback=_chosen,
        help="The language of the story; also PBEM_LANG, or lang in pbem.toml.",
    )(command)  # fmt: skip


def _chosen(context: click.Context, parameter: click.Parameter, code: str | None) -> Language:
    return language(code or settings.here().lang or "en")
