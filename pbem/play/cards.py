"""Cards for a player who asks: what they do, where they are, what they can be played for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pbem.engine.cardbook import CardFace, CardUse
from pbem.games.system import GameSystem
from pbem.play.game import Game
from pbem.play.player_view import player_view
from pbem.problems import Problem, Refused, UnknownName
from pbem.value import value
from pbem.words import folded, listing

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair

WIDTH = 100


@value
class CardTold:
    """A card; in a game also its place as far as the reader knows, and its uses if it is in
    hand.
    """

    face: CardFace
    where: str = ""
    uses: tuple[CardUse, ...] = ()
    is_asked: bool = False
    """Whether a card of its side is asked for now; otherwise its uses are given as if one were."""

    def plain(self) -> dict[str, Any]:
        """For machines."""
        face = self.face
        found = {"id": face.id, "title": face.title, "side": face.side, "kind": face.kind,
                 "worth": face.worth, "text": list(face.text)}  # fmt: skip
        if not self.where:
            return found
        uses = {
            use.name: [{"message": each.message, "rule": each.rule} for each in use.against]
            for use in self.uses
        }
        return {**found, "where": self.where, "asked": self.is_asked, "uses": uses}


def of_system(system: GameSystem, card: str | None) -> list[CardTold]:
    """Every card of a game, or one. Raises Refused where there is none, or no such card."""
    return [CardTold(face) for face in _faces(system, card)]


def of_game(game: Game, key: KeyPair | None, card: str | None) -> list[CardTold]:
    """The cards in the hands that the owner of the key can see, or one card wherever it is."""
    system = game.opened.system
    if game.table is None:
        return of_system(system, card)
    book, state = system.cardbook, player_view(game, key).table.state
    player = game.fold.player_of(key.public) if key else None
    viewer = game.side_of(player) if player else None
    found = []
    for face in _faces(system, card):
        uses = book.uses(state, face.side, face.id)
        if uses or card is not None:
            where = book.lies(state.position, face.id, viewer)
            found.append(CardTold(face, where, uses, book.is_asked(state, face.side)))
    return found


def _faces(system: GameSystem, card: str | None) -> tuple[CardFace, ...]:
    """All cards, or the one with this id or title."""
    faces = system.cardbook.faces()
    if not faces:
        raise Refused(Problem("no-cards", f"{system.title} has no cards"))
    if card is None:
        return faces
    wanted = folded(card)
    named = tuple(
        each
        for each in faces
        if wanted and wanted in map(folded, (each.id, each.title, *each.copies))
    )
    if not named:
        from pbem.text.wording import did_you_mean, quoted

        hint = did_you_mean(card, [name for each in faces for name in (each.id, each.title)])
        hint = hint or f"pbem cards {system.slug} lists them all"
        what = f"there is no {system.cardbook.word} {quoted(card)}"
        raise UnknownName(Problem("unknown-card", what, hint=hint))
    return named


def said(
    found: Sequence[CardTold], word: str, *, is_list: bool, nothing: str = ""
) -> Iterator[str]:
    """The cards in lines of at most 100 characters: a list of one line each, or everything on each.

    `word` is the game's noun, as in "card"; `nothing` is the text where there is none.
    """
    if not found:
        yield nothing
    for at, each in enumerate(found):
        if is_list:
            yield f"{each.face.id:<4} {each.face.title}  ({each.face.kind}; {each.face.worth})"
        else:
            yield from ([""] if at else [])
            yield from _whole(each, word)


def _whole(told: CardTold, word: str) -> Iterator[str]:
    face = told.face
    yield f"{face.id}  {face.title}"
    paragraphs = [f"{face.kind}; {face.worth}", *face.text]
    for paragraph in paragraphs:
        yield from wrap(paragraph, WIDTH, initial_indent="  ", subsequent_indent="  ")
    if told.where:
        moment = "now" if told.is_asked else f"if you were asked for a {word} now"
        yield f"  {told.where}" + (f"; {moment}:" if told.uses else "")
    for line in _uses(told.uses):
        yield from wrap(line, WIDTH, initial_indent="    ", subsequent_indent="      ")


def _uses(uses: Sequence[CardUse]) -> Iterator[str]:
    """The uses of a card, then those not possible now, with reasons; similar ones are joined."""
    groups: dict[str, list[str]] = {}
    for use in uses:
        why = "; ".join(
            each.message + (f" [rule {each.rule}]" if each.rule else "") for each in use.against
        )
        groups.setdefault(why, []).append(use.name)
    for why in sorted(groups, key=bool):
        names = listing(groups[why], "or")
        yield f"not for {names}: {why}" if why else f"for {names}"
