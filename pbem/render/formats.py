"""FORMATS: the forms in which a log can be had, by the word of `--format`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from pbem.messages import ENGLISH, Language
from pbem.render.blocks import WIDTH, Reader
from pbem.render.log import Log

FORMATS: Mapping[str, tuple[str, str]] = {
    "text": ("pbem.render.log_text", "text"),
    "markdown": ("pbem.render.log_markdown", "markdown"),
    "html": ("pbem.render.log_html", "html"),
    "fragment": ("pbem.render.log_html", "html"),
    "journal": ("pbem.render.log_journal", "journal"),
    "bbcode": ("pbem.render.log_bbcode", "bbcode"),
    "json": ("pbem.render.log_json", "as_json"),
}
"""Module and function of each, loaded when asked for: a cold command shows one of them at most."""


def rendered(
    log: Log, style: str = "text", language: Language = ENGLISH, width: int = WIDTH
) -> str:  # fmt: skip
    """The log in one of the FORMATS, in a language; `width` is that of plain text."""
    module, name = FORMATS[style]
    write: Callable[[Log, Reader], str] = getattr(import_module(module), name)
    return write(log, Reader(language, width))
