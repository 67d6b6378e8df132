"""Names of the combat tables, and of everything that shifts or modifies fire."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.messages import Message, say

FIRE_TABLES: Mapping[str, Message] = {
    "division": say("division table"),
    "corps": say("corps table"),
}
MODIFIERS: Mapping[str, Message] = {
    "mountain": say("mountain"),
    "river": say("river"),
    "main_city": say("Main City"),
    "position": say("Position"),
    "trench": say("Trench"),
    "sierra_of_madrid": say("Sierra of Madrid"),
    "beach_head": say("Beach Head"),
    "militia": say("militia, turn 1"),
    "raw militia": say("inexperienced militia"),
    "winter": say("winter in the mountains"),
    "severe winter": say("severe winter in the mountains"),
    "armor": say("armor"),
    "expeditionary corps": say("expeditionary corps"),
}
