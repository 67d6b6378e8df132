"""The languages of logs and boards.

Each is a gettext catalogue in pbem/translations. `make texts` finds new texts, puts them into
es.po, where they are translated, and compiles it to es.mo, which is read.
"""

from __future__ import annotations

import os

from pbem.cli import settings
from pbem.cli.request import CHOICE, OptionRow
from pbem.messages import ENGLISH, Language

TRANSLATIONS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "translations")
LANGUAGE = OptionRow(
    ("--lang",), CHOICE, "The language of the output; also PBEM_LANG, or lang in pbem.toml.",
    variable="PBEM_LANG", choices=settings.LANGUAGES,
)  # fmt: skip


def language(code: str) -> Language:
    """The language of a code of settings.LANGUAGES."""
    if code == "en":
        return ENGLISH
    from gettext import GNUTranslations

    with open(os.path.join(TRANSLATIONS, f"{code}.mo"), "rb") as compiled:
        return GNUTranslations(compiled)


def language_here(code: str | None) -> Language:
    """The language given by --lang, or else that of the folder."""
    return language(code or settings.here().lang or "en")
