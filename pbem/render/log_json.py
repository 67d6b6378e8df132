"""The log for programs: every line for itself, nothing grouped, nothing left out."""

from __future__ import annotations

import json
from typing import Any

from pbem.render.log import Line, Log, Paragraph
from pbem.render.safe import visible_json


def as_json(log: Log) -> str:
    """The whole log; what cannot be seen is written as JSON's own escapes, so nothing is lost."""
    plain = {
        "title": log.title,
        "notes": list(log.notes),
        "chapters": [
            {
                "title": chapter.title,
                "paragraphs": [_paragraph(each) for each in chapter.paragraphs],
            }
            for chapter in log.chapters
        ],
    }
    return visible_json(json.dumps(plain, ensure_ascii=False, indent=2)) + "\n"


def _paragraph(paragraph: Paragraph) -> dict[str, Any]:
    return {
        "heading": paragraph.heading,
        "seq": paragraph.seq,
        "side": paragraph.side,
        "lines": [_line(line) for line in paragraph.lines],
    }


def _line(line: Line) -> dict[str, Any]:
    plain: dict[str, Any] = {"kind": line.kind, "text": line.text}
    if line.kind == "roll":
        plain |= {"beacon": line.beacon, "label": line.label, "face": line.face}
    if line.by:
        plain["by"] = line.by
    return plain
