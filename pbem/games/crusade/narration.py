"""How the game is narrated (games/system.py): the log, the story of a turn, the table at a glance.

Each is loaded by itself: a mail tells what happened and no score, a status report the other way
round.
"""

from __future__ import annotations

from pbem.late import late

log, story, table = late("pbem.games.crusade", "narrative", "passages", "summary")
narrate, passage, summary, own = log.narrate, story.passage, table.summary, table.own
