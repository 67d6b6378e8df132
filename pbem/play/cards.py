"""Cards for a player who asks: what they do, where they are, what they can be played for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pbem.engine.cardbook import CardFace, CardUse
from pbem.engine.model import Violation
from pbem.games.system import GameSystem
from pbem.messages import ENGLISH, Language, Message, Said, in_words, say, words
from pbem.play.game import Game
from pbem.play.player_view import player_view
from pbem.play.titles import is_open
from pbem.problems import Problem, Refused, UnknownName
from pbem.text.wording import did_you_mean, quoted
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
    where: Said = ""
    uses: tuple[CardUse, ...] = ()
    is_asked: bool = False
    """Whether a card of its side is asked for now; otherwise its uses are given as if one were."""

    def plain(self) -> dict[str, Any]:
        """For machines, in English."""
        face = in_words(self.face)
        found = {"id": face.id, "title": face.title, "side": face.side, "kind": face.kind,
                 "worth": face.worth, "text": list(face.text)}  # fmt: skip
        if not self.where:
            return found
        uses = {
            use.name: [{"message": each.message, "rule": each.rule} for each in use.against]
            for use in in_words(self.uses)
        }
        return {**found, "where": words(self.where), "asked": self.is_asked, "uses": uses}


def of_system(system: GameSystem, card: str | None, language: Language = ENGLISH) -> list[CardTold]:
    """Every card of a game, or one that is named by its id or its title, in English or as the
    reader's language has it. Raises Refused where there is none, or no such card.
    """
    return [CardTold(face) for face in _faces(system, card, language)]


def of_game(
    game: Game, key: KeyPair | None, card: str | None, language: Language = ENGLISH
) -> list[CardTold]:
    """The cards in the hands that the owner of the key can see, or one card wherever it is."""
    system = game.opened.system
    if game.table is None:
        return [] if card is None else of_system(system, card, language)
    book, state = system.cardbook, player_view(game, key).table.state
    player = game.fold.player_of(key.public) if key else None
    viewer = game.side_of(player) if player else None
    found = []
    for face in _faces(system, card, language):
        uses = book.uses(state, face.side, face.id)
        if uses or card is not None:
            where = book.lies(state.position, face.id, viewer)
            found.append(CardTold(face, where, uses, book.is_asked(state, face.side)))
    return found


def nothing_held(game: Game, key: KeyPair | None) -> Message:
    """What is said where the owner of the key, or a reader without one, sees no card in a hand."""
    word, slug = game.opened.system.cardbook.word, game.opened.system.slug
    if game.table is None:
        return say("the game has not begun: nobody holds a {word} yet; pbem cards {slug} lists "
                   "them all", word=word, slug=slug)  # fmt: skip
    if game.fold.is_solo or is_open(game):
        return say("no player has a {word} now", word=word)
    if key:
        return say("you hold no {word} now", word=word)
    return say("hands are hidden: --key shows you your own")


def _faces(system: GameSystem, card: str | None, language: Language) -> tuple[CardFace, ...]:
    """All cards, or the one with this id or title."""
    faces = system.cardbook.faces()
    if not faces:
        raise Refused(Problem("no-cards", say("{system} has no cards", system=system.title)))
    if card is None:
        return faces
    wanted = folded(card)
    named = tuple(
        each
        for each in faces
        if wanted and wanted in map(folded, (*_names(each, language), *each.copies))
    )
    if not named:
        hint = did_you_mean(card, [name for each in faces for name in _names(each, language)])
        hint = hint or say("pbem cards {slug} lists them all", slug=system.slug)
        what = say("there is no {word} {card}", word=system.cardbook.word, card=quoted(card))
        raise UnknownName(Problem("unknown-card", what, hint=hint))
    return named


def _names(face: CardFace, language: Language) -> tuple[str, ...]:
    return tuple(dict.fromkeys((face.id, words(face.title), words(face.title, language))))


def said(
    found: Sequence[CardTold], language: Language = ENGLISH, *, is_list: bool
) -> Iterator[str]:
    """The cards in lines of at most 100 characters: a list of one line each, or everything on
    each.
    """
    for at, each in enumerate(in_words(tuple(found), language)):
        face = each.face
        if is_list:
            yield f"{face.id:<4} {face.title}  ({face.kind}; {face.worth})"
        else:
            yield from ([""] if at else [])
            yield f"{face.id}  {face.title}"
            for paragraph in (f"{face.kind}; {face.worth}", *face.text):
                yield from wrap(paragraph, WIDTH, initial_indent="  ", subsequent_indent="  ")
            if each.where:
                yield f"  {words(_heading(each), language)}"
            for line in _uses(each.uses, language):
                yield from wrap(line, WIDTH, initial_indent="    ", subsequent_indent="      ")


def _heading(told: CardTold) -> Said:
    if not told.uses:
        return told.where
    if told.is_asked:
        return say("{where}; now:", where=told.where)
    return say("{where}; if you were asked now:", where=told.where)


def _uses(uses: Sequence[CardUse], language: Language) -> Iterator[str]:
    """The uses of a card, then those not possible now, with reasons; similar ones are joined."""
    groups: dict[str, list[str]] = {}
    for use in uses:
        why = "; ".join(words(_reason(each), language) for each in use.against)
        groups.setdefault(why, []).append(words(use.name))
    for why in sorted(groups, key=bool):
        names = listing(groups[why], language.gettext("or"))
        told = say("not for {use}: {why}", use=names, why=why)
        yield words(told if why else say("for {uses}", uses=names), language)


def _reason(against: Violation) -> Said:
    if not against.rule:
        return against.message
    return say("{message} [rule {rule}]", message=against.message, rule=against.rule)
