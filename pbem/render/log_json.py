"""The log for programs: every line for itself, nothing grouped, nothing left out."""

from __future__ import annotations

import json
from typing import Any

from pbem.messages import Language, Said, sentence, words
from pbem.render.blocks import Reader
from pbem.render.log import Line, Log
from pbem.render.safe import visible_json


def as_json(log: Log, reader: Reader) -> str:
    """The whole log; invisible characters are written as JSON escapes, so nothing is lost."""

    def told(said: Said) -> str:
        return words(said, reader.language)

    plain = {
        "title": told(log.title),
        "notes": list(map(told, log.notes)),
        "chapters": [
            {
                "title": told(chapter.title),
                "paragraphs": [
                    {
                        "heading": told(each.heading),
                        "seq": each.seq,
                        "side": told(each.side),
                        "lines": [_line(line, reader.language) for line in each.lines],
                    }
                    for each in chapter.paragraphs
                ],
            }
            for chapter in log.chapters
        ],
    }
    return visible_json(json.dumps(plain, ensure_ascii=False, indent=2)) + "\n"


def _line(line: Line, language: Language) -> dict[str, Any]:
    tell = words if line.kind in ("roll", "order") else sentence
    plain: dict[str, Any] = {"kind": line.kind, "text": tell(line.text, language)}
    if line.kind == "roll":
        plain |= {"beacon": line.beacon, "label": line.label, "face": line.face}
    if line.by:
        plain["by"] = words(line.by, language)
    return plain
