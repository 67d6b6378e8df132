"""The game systems with their data, opened once per process."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.engine.fixes import numbers_of
from pbem.gamefile.errors import FileRefused
from pbem.games import GAMES
from pbem.games.system import GameSystem
from pbem.late import Late
from pbem.messages import Said, marked, say, say_many
from pbem.problems import Problem, Refused, UnknownName
from pbem.text.wording import FEW, did_you_mean, may_be, quoted
from pbem.value import field, value

if TYPE_CHECKING:
    from os import PathLike

    from pbem.gamedata.game import GameData
    from pbem.gamedata.load import LoadedData
    from pbem.gamedata.past import load_past

    StrPath = str | PathLike[str]
else:
    load_past = Late("pbem.gamedata.past").load_past  # most games are of this release

WITHOUT_RULES = say(
    "pbem verify --without-rules checks everything that needs neither rules nor data"
)


@value
class OpenedGame:
    """A game system over its data, and the digest that pins them.

    `source` is the digest of the files these were read from: two that a rule reads alike may differ
    in their texts. `fixes` are the numbers of those that a game is played by (engine/fixes.py).
    `own` names the files of an owner of the printed game that are laid over ours, if there are any.
    """

    system: GameSystem
    digest: str
    source: str
    fixes: tuple[int, ...] = ()
    own: tuple[str, ...] = ()
    plain: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The data as plain values."""

    @property
    def ruleset(self) -> str:
        """Game and version of the rules, as a genesis names them."""
        return f"{self.system.slug}/{self.system.version}"

    @property
    def pins(self) -> dict[str, Any]:
        """What a proposal says of rules and data."""
        return pins(self.ruleset, self.digest, self.fixes)


def pins(ruleset: str, digest: str, fixes: Sequence[int]) -> dict[str, Any]:
    """What a proposal says of rules and data; a game without fixes says nothing of them."""
    return {"ruleset": ruleset, "data": digest, **({"fixes": list(fixes)} if fixes else {})}


class DataRefused(Refused):
    """A folder of data that was named on the command line cannot be used."""


_OPENED: dict[tuple[str, str, str, tuple[int, ...] | None], OpenedGame] = {}
"""The systems that were opened, by game, digest and source of the data, and fixes."""


@value
class Library:
    """Where the data of games are searched: ours, those of earlier releases, and an owner's
    `folder` laid over ours.
    """

    folder: StrPath | None = None

    def opened(self, slug: str, digest: str, fixes: tuple[int, ...] | None = None) -> OpenedGame:
        """The system of a game over the data with this digest, played by these fixes (None: all).

        Raises Refused for a game that is not there, UnknownData for a digest that fits neither ours
        nor the folder nor an earlier release nor one kept before, and DataRefused when the folder
        is faulty.
        """
        ours = _shipped(slug)
        if self.folder is not None:  # first: its texts are the owner's, even with our values
            try:
                theirs = _data_over(slug, self.folder)
            except DataRefused:
                if digest != ours.digest:
                    raise
            else:
                if theirs.digest == digest:
                    return _open(theirs, fixes)
        if digest == ours.digest:
            return _open(ours, fixes)
        past = load_past(slug, digest)
        if past is not None:
            return _open(past, fixes)
        from pbem.gamedata.overlay import load_kept

        return _open(load_kept(_data_of(slug), digest), fixes)

    def to_begin(self, slug: str) -> OpenedGame:
        """The system for a new game: over the folder, or over our data."""
        return opened(slug) if self.folder is None else opened_over(slug, self.folder)

    def keep(self, game: OpenedGame) -> bool:
        """Keeps a copy of the data folder of a game; False on failure."""
        slug = game.system.slug
        if self.folder is None or not game.own or self.to_begin(slug).digest != game.digest:
            return True
        from pathlib import Path

        from pbem.gamedata.overlay import keep

        return keep(_data_of(slug), game.digest, Path(self.folder))

    def known(self, slug: str) -> list[tuple[str, OpenedGame]]:
        """The data that a game could use, each with where they are."""
        found = [("of this pbem", opened(slug))]
        if self.folder is not None:
            found.append((f"in {self.folder}", opened_over(slug, self.folder)))
        return found


def _data_of(slug: str) -> GameData:
    from pbem.gamedata.game import declared_by

    return declared_by(GAMES[slug].package)


SHIPPED = Library()


def opened_over(slug: str, folder: StrPath) -> OpenedGame:
    """The system of a game with an owner's folder laid over its data. Raises DataRefused."""
    return _open(_data_over(slug, folder))


def opened(slug: str) -> OpenedGame:
    """The system of a game over the data we ship. Raises UnknownName for an unknown game."""
    return _open(_shipped(slug))


def _data_over(slug: str, folder: StrPath) -> LoadedData:
    from pathlib import Path

    from pbem.gamedata.overlay import load_over

    _shipped(slug)
    try:
        return load_over(_data_of(slug), Path(folder))
    except Refused as refused:
        raise DataRefused(*refused.problems) from None


@cache
def _shipped(slug: str) -> LoadedData:
    from pbem.gamedata.load import load, unknown_game

    if slug not in GAMES:
        raise UnknownName(unknown_game(slug))
    return load(slug)


def _open(data: LoadedData, fixes: tuple[int, ...] | None = None) -> OpenedGame:
    key = (data.slug, data.digest, data.source, fixes)
    if key not in _OPENED:
        system = GAMES[data.slug].open(data.tables, fixes)
        pinned = numbers_of(system.fixes) if fixes is None else fixes
        made = OpenedGame(system, data.digest, data.source, pinned, data.own, data.tables)
        _OPENED[key] = _OPENED.setdefault((data.slug, data.digest, data.source, pinned), made)
    return _OPENED[key]


def known_scenario(game: OpenedGame, scenario: str) -> None:
    """Raises UnknownName when the game has no such scenario."""
    names = [each.id for each in game.system.scenarios()]
    if scenario not in names:
        raise UnknownName(_unknown("scenario", scenario, names, game))


def named_options(game: OpenedGame, named: Iterable[str]) -> tuple[str, ...]:
    """The ids of options, each named by its id or by the number of its rule, once each.

    A name that is neither stays as it is. Raises UnknownName for a rule that may be played in
    several ways.
    """
    known = game.system.options()
    ids = {each.id for each in known}
    found: dict[str, None] = {}
    for name in named:
        alike = [each for each in known if each.rule == name]
        rules = {each.id for each in alike}  # a reading needs its rule, which is meant
        ways = [name] if name in ids else [e.id for e in alike if rules.isdisjoint(e.needs)]
        if len(ways) > 1:
            message = say("{name} stands for several options", name=quoted(name))
            raise UnknownName(Problem("several-options", message, rule=name, hint=may_be(ways)))
        found[ways[0] if ways else name] = None
    return tuple(found)


def known_options(game: OpenedGame, scenario: str, options: tuple[str, ...]) -> None:
    """Judges the options of a game of a known scenario.

    Raises UnknownName for options the game does not have, for two that exclude each other, for one
    without another that it needs, and for those with which, or without which, the scenario cannot
    be played.
    """
    known = {each.id: each for each in game.system.options()}
    problems = [_unknown("option", name, known, game) for name in options if name not in known]
    for at, name in enumerate(options):
        for other in known[name].excludes if name in known else ():
            is_said = other in options[:at] and name in known[other].excludes
            if other in options and not is_said:
                problems.append(
                    Problem(
                        "excluded-option",
                        say("{name} and {other} exclude each other", name=name, other=other),
                        rule=known[name].rule,
                    )
                )
        for other in known[name].needs if name in known else ():
            if other not in options:
                problems.append(
                    Problem(
                        "missing-option",
                        say("{name} has no effect without {other}", name=name, other=other),
                        rule=known[name].rule,
                        hint=say("add --option {other}, or leave it out", other=other),
                    )
                )
    if problems := [*problems, *_misfits(game, scenario, options)]:
        raise UnknownName(*problems)


def _misfits(game: OpenedGame, scenario: str, options: tuple[str, ...]) -> Iterator[Problem]:
    """The contradictions between a scenario and the options."""
    scenarios = {each.id: each for each in game.system.scenarios()}
    played = scenarios[scenario]
    for name in played.excludes:
        if name in options:
            others = tuple(each.id for each in scenarios.values() if name not in each.excludes)
            yield Problem(
                "excluded-option",
                say("{scenario} cannot be played with {name}", scenario=scenario, name=name),
                rule=played.rule,
                hint=say("leave the option out; with it you can play {others}", others=others),
            )
    titles = {each.id: each.title for each in game.system.options()}
    for name in played.needs:
        if name not in options:
            yield Problem(
                "missing-option",
                say("{scenario} cannot be played without {name}", scenario=scenario, name=name),
                rule=played.rule,
                hint=say("add --option {name}: {title}", name=name, title=say(titles[name])),
            )


def known_side(game: OpenedGame, side: str) -> None:
    """Raises UnknownName when the game has no such side."""
    if side not in game.system.sides:
        raise UnknownName(_unknown("side", side, game.system.sides, game))


UNKNOWN = {
    "scenario": marked("there is no scenario {name}"),
    "option": marked("there is no option {name}"),
    "side": marked("there is no side {name}"),
}
ALL = {
    "scenario": marked("pbem games {game} lists all {number} scenarios"),
    "option": marked("pbem games {game} lists all {number} options"),
    "side": marked("pbem games {game} lists all {number} sides"),
}


def _unknown(kind: str, name: str, known: Collection[str], game: OpenedGame) -> Problem:
    hint = did_you_mean(name, known)
    if len(known) > FEW:
        lists = say(ALL[kind], game=game.system.slug, number=len(known))
        hint = say("{hint} {lists}", hint=hint, lists=lists) if hint else lists
    return Problem(f"unknown-{kind}", say(UNKNOWN[kind], name=quoted(name)), hint=hint)


def game_for(proposal: Mapping[str, Any], library: Library = SHIPPED) -> OpenedGame:
    """The system of a proposal, over exactly the data it names and by the fixes it pins.

    Raises FileRefused (E-RULES).
    """
    from pbem.gamedata.load import UnknownData

    slug, digest = slug_of(proposal), proposal["data"]
    try:
        game = library.opened(slug, digest, tuple(proposal.get("fixes", ())))
    except UnknownName as refused:  # of a file, and not of the command line
        (why,) = refused.problems
        raise FileRefused("E-RULES", why.message, hint=WITHOUT_RULES) from None
    except UnknownData as refused:
        (why,) = refused.problems
        if why.code == "past-data":
            raise FileRefused("E-RULES", why.message, hint=why.hint) from None
        known = [f"{each.digest[:16]} {where}" for where, each in library.known(slug)]
        raise FileRefused(
            "E-RULES",
            say(
                "the game is played with the data {digest}; available here: {known}",
                digest=digest[:16],
                known=tuple(known),
            ),
            hint=say(
                "these are data of a later version of pbem, or of an owner's folder: ask your "
                "opponent which, and name the folder with --data DIR; {without_rules}",
                without_rules=WITHOUT_RULES,
            ),
        ) from None
    _check_fixes(game)
    return game


GOES_ON_BY = marked("the game is to go on by the rules {ruleset}; this pbem has {game_ruleset}")
HAS_THESE = say("use a version of pbem that has these rules")


def rules_for(
    terms: Mapping[str, Any], library: Library, told: str = GOES_ON_BY, hint: Said = HAS_THESE
) -> OpenedGame:
    """The system by which a game is to go on, of the very version that its terms name.

    Raises FileRefused (E-RULES), with `told` and `hint` where this pbem has another version.
    """
    game = game_for(terms, library)
    if terms["ruleset"] != game.ruleset:
        said = say(told, ruleset=terms["ruleset"], game_ruleset=game.ruleset)
        raise FileRefused("E-RULES", said, hint=hint)
    return game


def _check_fixes(game: OpenedGame) -> None:
    """Raises FileRefused (E-RULES) for a game played by fixes that are not known here."""
    there = numbers_of(game.system.fixes)
    unknown = tuple(f"{number}" for number in game.fixes if number not in there)
    if unknown:
        raise FileRefused(
            "E-RULES",
            say_many(
                "count",
                "the rules of {title} have a fix in this game that this pbem does not know: "
                "{unknown}",
                "the rules of {title} have fixes in this game that this pbem does not know: "
                "{unknown}",
                title=game.system.title,
                unknown=unknown,
                count=len(unknown),
            ),
            hint=say(
                "a later version of pbem knows it; pbem rules {slug} --fixes lists those known "
                "here; {without_rules}",
                slug=game.system.slug,
                without_rules=WITHOUT_RULES,
            ),
        )


def slug_of(proposal: Mapping[str, Any]) -> str:
    """The word for the game in a proposal (`crusade`), without the version of its rules."""
    return str(proposal["ruleset"]).partition("/")[0]
