"""Text that others wrote, made safe to show: nothing may move the cursor, hide or run backwards."""

from __future__ import annotations

from pbem.words import UNSEEN, visible


def visible_lines(text: str) -> tuple[str, ...]:
    """The same for text that may have several lines; at least one."""
    lines = text.replace("\r\n", "\n").split("\n")
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    return tuple(visible(line) for line in lines)


def visible_json(written: str) -> str:
    """JSON without invisible characters: they are written as JSON escapes.

    `written` was dumped with `ensure_ascii=False`; it reads back as the same value.
    """
    if written.isascii() and "\x7f" not in written:
        return written
    return "".join(c if c.isprintable() or c == "\n" else _escaped_json(c) for c in written)


def _escaped_json(character: str) -> str:
    from unicodedata import category

    if category(character) not in UNSEEN:
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
