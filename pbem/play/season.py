"""Many game files judged one by one, as the director of a league does.

`judge` takes the bytes of one file and returns plain values, so any pool of workers can run it: the
processes of `pbem verify --many`, or those of another machine (`examples/league`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.keys import game_fingerprint, key_fingerprint
from pbem.messages import Said, say, say_many
from pbem.platforms import quote
from pbem.play.ending import explained
from pbem.problems import Problem
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.gamefile.fork import Story
    from pbem.play.game import Game
    from pbem.play.systems import Library

GOOD, BAD, SKIPPED, UNREAD, LOST = "good", "bad", "skipped", "unread", "lost"
"""The verdict on a file: it verifies; it does not; it is another kind of file; it could not be
read; its worker was killed.
"""


@value
class JudgedFile:
    """The verdict on one file.

    `first` is the id of its first entry, the same for every file of one game; `facts` is what a
    league wants to know about a good one, as JSON.
    """

    file: str
    state: str
    problems: tuple[Problem, ...] = ()
    first: str = ""
    entries: int = 0
    facts: Mapping[str, Any] = {}
    note: str = ""

    @property
    def stands(self) -> bool:
        """Whether nothing is wrong: the file verifies, or is of another kind."""
        return self.state in (GOOD, SKIPPED)

    def plain(self) -> dict[str, Any]:
        """The file as one JSON object."""
        return {
            "file": self.file, "state": self.state, "first": self.first or None,
            "entries": self.entries,
            "problems": [problem.plain() for problem in self.problems],
            "note": self.note, **self.facts,
        }  # fmt: skip


def judge(
    file: str, raw: bytes, library: Library | None = None, *, without_rules: bool = False
) -> JudgedFile:
    """Judges the bytes of a game file, with every check of `pbem verify`.

    Never raises for what is in the file.
    """
    from pbem.gamefile.verify import examine, examine_without_rules
    from pbem.play.game import opening, with_fold
    from pbem.play.systems import SHIPPED

    library = library or SHIPPED
    found = examine_without_rules(raw) if without_rules else examine(raw, opening(library))
    if not found.is_good:
        return JudgedFile(file, BAD, tuple(finding.problem for finding in found.findings))
    assert found.proven is not None
    facts: dict[str, Any] = {
        "game": found.game,
        "fingerprint": game_fingerprint(found.game) if found.game else None,
        "proven": found.proven.plain(),
    }
    if found.fold is None:
        return JudgedFile(file, GOOD, first=_first(raw), entries=found.proven.entries, facts=facts)
    game = with_fold(found.fold, library=library)
    return JudgedFile(
        file, GOOD, first=game.fold.entries[0].id, entries=found.proven.entries,
        facts={**facts, **_facts(game)},
    )  # fmt: skip


def _first(raw: bytes) -> str:
    from pbem.gamefile.format import read

    return read(raw)[0].id


def _facts(game: Game) -> dict[str, Any]:
    """The players and their sides, and the state or result of the game."""
    fold, proposal = game.fold, game.fold.proposal
    keys = fold.machine.keys.publics
    return {
        "ruleset": proposal["ruleset"],
        "scenario": proposal["scenario"],
        "options": dict(proposal["options"]),
        "match": proposal.get("match"),
        "players": {
            player: {
                "side": game.side_of(player),
                "key": key_fingerprint(keys[player]) if player in keys else None,
            }
            for player in PLAYERS
        },
        "phase": fold.phase,
        "stands": str(where_it_stands(game)),
        "owed": [thing.plain() for thing in fold.owed],
        "result": dict(fold.result) if fold.result else None,
        "provisional": fold.is_provisional,
        "solo": fold.is_solo,
    }


def where_it_stands(game: Game) -> Said:
    """Turn and phase of a game in a few words, or how it ended."""
    if game.fold.phase == "over":
        if game.fold.is_provisional:
            return say("over: {outcome}, provisional until the audit", outcome=explained(game))
        return say("over: {outcome}", outcome=explained(game))
    if game.table is None:
        return say("proposed") if game.fold.phase == "proposed" else say("accepted, not begun")
    return game.opened.system.clock(game.table.state.position).words


def files_of_one_game(
    judged: Iterable[JudgedFile],
) -> Iterator[tuple[JudgedFile, tuple[JudgedFile, ...]]]:
    """The good files of one game: the longest of each game, and the others."""
    games: dict[str, list[JudgedFile]] = {}
    for each in judged:
        if each.state == GOOD:
            games.setdefault(each.first, []).append(each)
    for several in games.values():
        if len(several) > 1:
            longest = max(several, key=lambda each: each.entries)
            yield longest, tuple(each for each in several if each is not longest)


def compared(
    other: JudgedFile, longest: JudgedFile, theirs: Story, story: Story, library: Library,
    folder: str,
) -> JudgedFile:  # fmt: skip
    """A file compared with the longest one of the same game, with a note on how they relate.

    `story` is that of `longest`; the names of both are those in `folder`. Where one player has
    signed two stories, the file does not verify any more.
    """
    from os.path import join

    from pbem.gamefile.fork import NoFork, find_all
    from pbem.play.game import opening

    name = longest.file
    if all(one.id == two.id for one, two in zip(theirs, story, strict=False)):
        behind = len(story) - len(theirs)
        if not behind:
            return replace(other, note=say("the same as {name}", name=name))
        note = say_many(
            "count",
            "an older state of {name}, {count} entry behind it",
            "an older state of {name}, {count} entries behind it",
            name=name, count=behind,
        )  # fmt: skip
        return replace(other, note=note)
    try:
        forks = find_all(theirs, story, opening(library))
    except (NoFork, FileRefused) as refused:
        note = say(
            "another version than {name}, but not proof of a fork: {reason}",
            name=name,
            reason=refused.told if isinstance(refused, NoFork) else refused.problems[0].message,
        )  # fmt: skip
        return replace(other, note=note)
    problems = tuple(
        Problem(
            "E-FORK",
            say(
                "player {by} signed another version of this game, from entry {seq} on, "
                "than the one in {name}",
                by=each.by,
                seq=each.seq,
                name=name,
            ),
            hint=say(
                "pbem prove-fork {name} {file} -o proof.json writes the proof",
                name=quote(join(folder, name)),
                file=quote(join(folder, other.file)),
            ),
        )
        for each in forks
    )
    return replace(other, state=BAD, problems=problems, note=say("forks from {name}", name=name))
