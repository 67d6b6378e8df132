"""A session at the board: the game, the draft of orders, and what the page shows of both.

Nothing is rolled, revealed or written for the other player here, but by `send`. Whatever touches
the disk is done by `Outside`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from pbem.desk.drafts import PutIn, begun, order_lines, with_order, with_standing
from pbem.desk.gesture import BY_ONE, Gesture, OrderField, Pointing, Verdict
from pbem.engine.model import Decision, Side, Violation
from pbem.engine.picture import Camp, Scene, Stroke, worded_sheet
from pbem.engine.policies.help import example_of
from pbem.gamefile.keys import KeyPair
from pbem.messages import ENGLISH, Language, Message, Said, in_words, say, words
from pbem.orders.parse import OrdersFile, parsed_in_part
from pbem.orders.written import fields_line, in_order
from pbem.play.answer import sealed_with
from pbem.play.derivation import proof
from pbem.play.dry_run import dry_run, stopped_at
from pbem.play.forms import asked_table, behind_what_is_owed, present_form
from pbem.play.game import Game
from pbem.play.judged import parsed
from pbem.play.now import heading, now
from pbem.play.odds import AttackOdds, in_lines
from pbem.play.order_lines import said
from pbem.play.player_view import player_view
from pbem.play.prepare import Prepared, Tried, prepare
from pbem.play.reports import alone, nothing, reported
from pbem.play.seen import drawing_of, last_led, no_picture, strokes_since, table_after
from pbem.play.story import story
from pbem.play.table import Table
from pbem.play.titles import title
from pbem.play.viewpoint import viewpoint
from pbem.problems import Problem, Refused
from pbem.render.blocks import Reader
from pbem.render.maps import svg
from pbem.render.maps.sights import Sights
from pbem.render.page import story_blocks
from pbem.text.source import Source, cited, render_all
from pbem.text.wording import quoted
from pbem.value import replace, value

STALE = frozenset({"wrong-entry", "wrong-game"})
MOST_CHIPS = 40
NO_LINE = 10**9


@value
class GameAndDraft:
    """A game as it is on the disk, and the draft next to it; no text if there is none yet."""

    game: Game
    file: str
    draft: str
    text: str | None = None


@value
class Sent:
    """What was written, in lines to show and as files, and the game as it goes on."""

    lines: tuple[str, ...]
    files: tuple[str, ...]
    opened: GameAndDraft


class Outside(Protocol):
    """The disk, for a session. Every method raises Refused for whatever hinders it."""

    key: KeyPair | None

    def open(self) -> GameAndDraft:
        """The game file, verified, and the draft."""

    def save(self, text: str) -> None:
        """Saves the draft. Refused if another program has written it."""

    def put_aside(self) -> str:
        """Gives the draft another name, which is returned; there is none then."""

    def is_replaced(self) -> bool:
        """Whether the game file has been replaced."""

    def send(self, orders: Source | None) -> Sent:
        """Does what `pbem apply` does, writes the mail, and opens the next game."""

    def standing(self) -> Source | None:
        """The standing orders that are sealed with each mail that needs them, if there are any."""

    def next_lines(self, game: Game) -> Sequence[Said]:
        """Who writes next, and what they owe."""


@value
class JudgedDraft:
    """A draft as far as it is valid: its problems, and the table after its valid orders."""

    table: Table
    problems: tuple[Problem, ...] = ()
    prepared: Prepared | None = None
    """Of all orders, or of those before the first that is wrong."""
    lines: tuple[int, ...] = ()
    """Where each of these orders begins."""

    @property
    def is_stale(self) -> bool:
        """Whether the draft is for another moment of the game."""
        return any(each.code in STALE for each in self.problems)


class Session:
    """One player at one game."""

    def __init__(self, outside: Outside, language: Language = ENGLISH) -> None:
        self.outside, self.language = outside, language
        self._begin(outside.open())

    # --- the game and the draft -----------------------------------------------------------------

    def reopen(self) -> None:
        """Reads game and draft from the disk again."""
        self._begin(self.outside.open())

    def _begin(self, found: GameAndDraft) -> None:
        self.opened, self.game = found, found.game
        self._now = now(self.game, self.outside.key)
        self._base = asked_table(self.game, self.outside.key)
        self.text = self._blank() if found.text is None else found.text
        system = self.game.opened.system
        plain = drawing_of(self.game)
        empty = Sights(system.picture.board(plain), Scene(0, {}), self.language)
        self._board = empty.board
        if not self._board.spots:
            raise Refused(no_picture(system))
        self._sheet = worded_sheet(system.picture.sheet(plain), self.language)
        faces = in_words(system.cardbook.faces(), self.language)
        self._faces = {id: face for face in faces for id in (face.id, *face.copies)}
        self._album: svg.Album = {}
        self._fragments: dict[str, str] = {}
        self.picture = 0
        self._news: tuple[tuple[Stroke, ...], Scene] | None = None
        self._sealed: tuple[Mapping[str, Any], ...] = ()
        self._judged: tuple[str, JudgedDraft] | None = None
        self._seen: tuple[Table | None, Sights] = None, empty
        self._pointing: dict[str, Pointing] = {}

    def _blank(self) -> str:
        fold = self.game.fold
        return begun(fold.fingerprint or "", len(fold.entries))

    @property
    def player(self) -> str | None:
        """The seat that writes orders now: in a solo game the one asked."""
        fold, key = self.game.fold, self.outside.key
        if not fold.is_solo:
            return fold.player_of(key.public) if key else None
        decision = self._base.decision if self._base else None
        return self._base.player_of(decision.side) if self._base and decision else fold.pen

    @property
    def side(self) -> Side | None:
        """The side of that player."""
        return self.game.side_of(self.player) if self.player else None

    @property
    def is_to_write(self) -> bool:
        """Whether the next entry is this player's."""
        fold = self.game.fold
        return fold.phase != "over" and (fold.is_solo or fold.pen == self.player)

    def write(self, text: str) -> None:
        """Another text of the draft, kept on the disk. Raises Refused where it cannot be."""
        self._source(text)
        if text != self.text:
            self.outside.save(text)
            self.text = text

    def anew(self) -> str:
        """Begins another draft; the old one is kept under the name that is returned."""
        kept = self.outside.put_aside()
        self.text = self._blank()
        return kept

    def _source(self, text: str) -> Source:
        return Source.decode(self.opened.draft, text.encode("utf-8", "surrogatepass"))

    def judged(self) -> JudgedDraft:
        """The verdict on the draft, computed once for each text."""
        if self._judged is None or self._judged[0] != self.text:
            self._judged = self.text, self._judge(self.text)
            self._pointing = {}
        return self._judged[1]

    def _judge(self, text: str) -> JudgedDraft:
        game, base, player = self.game, self._base, self.player
        here = base or player_view(self._now, self.outside.key).table
        source = self._source(text)
        if base is None or player is None:
            return JudgedDraft(here)
        problems: tuple[Problem, ...] = ()
        try:
            file = parsed(source, game)
        except Refused as refused:
            problems = refused.problems
            file, _ = parsed_in_part(source, game.opened.system.verbs)
        if not problems:
            try:
                prepared = prepare(file, base, player)
                return JudgedDraft(here, (), prepared, _lines(file, len(file.orders)))
            except Refused as refused:
                problems = refused.problems
        good = _before(file, problems)
        if any(each.code in STALE for each in problems):
            return JudgedDraft(here, problems)
        try:
            prepared = prepare(_cut(file, good), base, player)
        except Refused:
            return JudgedDraft(here, problems)
        return JudgedDraft(here, problems, prepared, _lines(file, good))

    @property
    def table(self) -> Table:
        """The table after the valid orders of the draft."""
        judged = self.judged()
        return judged.prepared.table if judged.prepared else judged.table

    @property
    def decision(self) -> Decision | None:
        """The question that the next order of this player answers.

        None if dice or the other player come first.
        """
        judged, table = self.judged(), self.table
        decision = table.decision
        if self._base is None or decision is None or (judged.prepared and judged.prepared.ahead):
            return None
        return decision if table.player_of(decision.side) == self.player else None

    # --- pointing -------------------------------------------------------------------------------

    def pointing(self, verb: str) -> Pointing:
        """A verb of the question that is asked now. Raises Refused for any other."""
        decision = self.decision
        verbs = [each.order.verb for each in decision.options] if decision else []
        if decision is None or verb not in verbs:
            asked = ", ".join(verbs) or say("nothing")
            raise Refused(
                Problem(
                    "not-asked",
                    say("{verb} cannot be given now", verb=quoted(verb)),
                    hint=say("the game asks for {asked}", asked=asked),
                )
            )
        if verb not in self._pointing:
            scene = self._scene(self.table)
            self._pointing[verb] = Pointing(self.table, decision, verb, scene, self._board.space)
        return self._pointing[verb]

    def _of(self, gesture: Gesture) -> Pointing:
        """The verb that a gesture belongs to. Raises Refused where there is none."""
        pointing = self.pointing(gesture.verb)
        if not pointing.is_sound(gesture):
            raise Refused(Problem("not-json", say("this is not an unfinished order")))
        return pointing

    def begin(self, verb: str) -> dict[str, Any]:
        """An order of a verb, with nothing in it yet."""
        pointing = self.pointing(verb)
        gesture = Gesture(verb, {})
        return self._told(pointing, gesture, pointing.judged(gesture))

    def click(self, gesture: Gesture | None, place: str) -> dict[str, Any]:
        """A click on a space; without a gesture it begins one with the first verb that accepts
        it.
        """
        if gesture is not None:
            pointing = self._of(gesture)
            return self._told(pointing, *pointing.clicked(gesture, place))
        decision, answer = self.decision, None
        for verb in _verbs(decision) if decision else ():
            pointing = self.pointing(verb)
            if not any(field.kind for field in pointing.slots.values()):
                continue
            empty = Gesture(verb, {})
            if place in pointing.lit(empty):
                return self._told(pointing, *pointing.clicked(empty, place))
            answer = answer or (pointing, *pointing.clicked(empty, place))
        if answer is None:
            raise Refused(Problem("not-asked", say("nothing on the map can be chosen now")))
        return self._told(*answer)

    def choose(self, gesture: Gesture | None, name: str, given: Any) -> dict[str, Any]:
        """A value for a field; without a gesture (`name` is a kind) for the verb that takes it."""
        if gesture is not None:
            pointing = self._of(gesture)
            named = name if name in pointing.slots else _of_kind(pointing, name)
            return self._told(pointing, *pointing.chosen(gesture, named, given))
        decision = self.decision
        for verb in _verbs(decision) if decision else ():
            pointing = self.pointing(verb)
            named = _of_kind(pointing, name)
            if named:
                empty = Gesture(verb, {})
                return self._told(pointing, *pointing.chosen(empty, named, given))
        raise Refused(Problem("not-asked", say("no {name} is needed now", name=name)))

    def order(self, gesture: Gesture) -> int:
        """Puts an order into the draft; the line where it begins. Refused while it is illegal."""
        pointing = self._of(gesture)
        verdict = pointing.judged(gesture)
        if verdict.order is None or verdict.problems:
            missing = say("it still needs {missing}", missing=", ".join(verdict.missing))
            raise Refused(*verdict.problems or (Problem("not-whole", missing),))
        fields = pointing.written(verdict.order)
        return self._put(with_order(self._source(self.text), order_lines(pointing.kind, fields)))

    def order_ahead(self, verb: str) -> int:
        """Adds the end of a part after the dice; returns its line. Raises Refused where it is
        wrong.
        """
        if verb not in self._endings(self.judged()):
            raise Refused(
                Problem("not-asked", say("{verb} cannot be ordered ahead here", verb=quoted(verb)))
            )
        put = with_order(
            self._source(self.text), order_lines(self.game.opened.system.verbs[verb], {})
        )
        problems = self._judge(put.text).problems
        if problems:
            raise Refused(*problems)
        return self._put(put)

    def _endings(self, judged: JudgedDraft) -> list[str]:
        """The verbs that end the part of the round whose last order is decided by dice."""
        tried = judged.prepared.tried if judged.prepared else ()
        decision = tried[-1].table.decision if tried else None
        if judged.problems or decision is None or tried[-1].order.ends:
            return []
        return [each.order.verb for each in decision.options if each.order.ends]

    def add_standing(self) -> int:
        """Puts the standing orders of the form into the draft; the line where they begin."""
        table, side = self._base, self.side
        if table is None or side is None:
            raise Refused(Problem("not-asked", say("no orders can be given now")))
        example = example_of(table.system.policies, table.state.position, side, self.language)
        if not example:
            raise Refused(Problem("no-policies", say("this game has no standing orders now")))
        return self._put(with_standing(self._source(self.text), example))

    def _put(self, put: PutIn) -> int:
        self.write(put.text)
        return put.line

    # --- judging and sending --------------------------------------------------------------------

    def check(self) -> str:
        """What `pbem check` prints of the draft."""
        try:
            file = parsed(self._source(self.text), self.game)
            found = dry_run(self.game, self.outside.key, file, self.outside.standing())
            return "\n".join(map(self._words, found.sentences()))
        except Refused as refused:
            return render_all(refused.problems)

    def summary(self) -> tuple[str, ...]:
        """What `send` would sign, for the question whether it shall: the entry, its orders, what is
        sealed with them, and what `pbem check` says of them.
        """
        return tuple(self._summary())

    def _summary(self) -> Iterator[str]:
        number, judged, sealed = len(self.game.fold.entries), self.judged(), self._tell_sealed()
        if self.game.fold.is_solo or not self.player:
            yield self._words(say("Entry {number} is written. It is final.", number=number))
        else:
            yield self._words(say(
                "Entry {number} is signed by the {side} player and written. It is final.",
                number=number, side=self.game.side_told(self.player),
            ))  # fmt: skip
        orders = judged.prepared.orders if judged.prepared else ()
        if orders:
            yield self._words(say("Orders:"))
            yield from (f"  {said(judged.table, order)}" for order in orders)
        else:
            yield self._words(say("It has no orders of yours."))
        if sealed:
            yield f"{sealed}."
        if self._base is None:
            yield from map(self._words, self.outside.next_lines(self.game))
            return
        decision = self.decision
        if decision is not None and decision.options:
            prompt = self._words(decision.prompt)
            yield self._words(say("You are still asked to {prompt}.", prompt=prompt))
        yield from self.check().splitlines()

    def form(self) -> str:
        """The form of what is asked first, as `pbem form` writes it."""
        return present_form(
            self.game, self.outside.key, beside=self.outside.standing(), full=True,
            language=self.language,
        )  # fmt: skip

    def story(self) -> str:
        """The story of the game as HTML, in which all that players wrote is text."""
        reader = Reader(self.language)
        told = story(self._now, viewer=viewpoint(self._now, self.outside.key))
        return "".join(story_blocks(told, reader, proof(self._now)))

    def _tell_sealed(self) -> str:
        """Says which standing orders next to the game will be signed too, and remembers them."""
        self._sealed = ()
        if self.is_to_write:
            orders = self._source(self.text) if self._base is not None else None
            try:
                standing = self.outside.standing()
                found = sealed_with(self.game, self.outside.key, orders, standing)
            except Refused as refused:
                return render_all(refused.problems)
            if found is not None:
                self._sealed = found.policies
                return "; ".join(map(self._words, found.notes))
        return ""

    def send(self) -> Sent:
        """Signs and writes what is owed, and the orders of the draft as it was judged here.

        Its file is not read again. This is final. Raises Refused if the draft has a fault, and for
        whatever hinders `pbem apply`.
        """
        if self.outside.is_replaced():
            raise Refused(
                Problem(
                    "replaced",
                    say("{file} is not the file shown here", file=self.opened.file),
                    hint=say("look at it again before you send anything"),
                )
            )
        judged = self.judged()
        if judged.problems:
            raise Refused(*judged.problems)
        shown, told = self._sealed, self._tell_sealed()
        if shown != self._sealed:
            raise Refused(
                Problem(
                    "resealed",
                    say("the standing orders next to the game have changed"),
                    hint=told or say("none are sealed with this mail now"),
                )
            )
        sent = self.outside.send(self._source(self.text) if self._base is not None else None)
        self._begin(sent.opened)
        return sent

    # --- what the page shows --------------------------------------------------------------------

    def _scene(self, table: Table) -> Scene:
        """The table as the player may know it."""
        return self._sights(table).scene

    def _sights(self, table: Table) -> Sights:
        """The same on its board; looked at once for each click after another."""
        if self._seen[0] is not table:
            viewer = None if self.game.fold.is_solo else self.side
            picture = self.game.opened.system.picture
            self._seen = table, self._seen[1].at(picture.scene(table.state.position, viewer))
        return self._seen[1]

    def _words(self, said: Said) -> str:
        return words(said, self.language)

    def _problems(self, found: Sequence[Problem]) -> list[dict[str, Any]]:
        return [plain_problem(each, self.language) for each in found]

    def _against(self, violation: Violation) -> str:
        told = self._words(violation.message)
        rule = _rule(violation.rule, self.language)
        return f"{told} [{rule}]" if rule else told

    def view(self, shown: int = 0) -> dict[str, Any]:
        """Everything the page shows; of the picture only what has changed since the one with a
        number.
        """
        judged, table, decision = self.judged(), self.table, self.decision
        scene, system = self._scene(table), self.game.opened.system
        said = self._words(heading(self._now, system.clock(table.state.position).words))
        tried = judged.prepared.tried if judged.prepared else ()
        ordered = tuple(self._strokes(tried))
        arrows, before = (ordered, None) if ordered else self._unseen()
        return {
            "title": self._words(title(self.game)), "moment": said, "file": self.opened.file,
            "draft": self.opened.draft, "entry": len(self.game.fold.entries) - 1,
            "side": self.side, "solo": self.game.fold.is_solo, "text": self.text,
            "sides": {party.side: [party.name, at] for at, party in enumerate(self._board.parties)},
            "writes": self.is_to_write, "asked": self._base is not None,
            "sealed": self._tell_sealed(), "stale": judged.is_stale,
            "next": [*map(self._words, self.outside.next_lines(self.game))],
            "problems": self._problems(judged.problems),
            "verdicts": [*_verdicts(judged, self.language)],
            "ask": self._ask(judged, decision),
            "tracks": [_track(each) for each in scene.tracks],
            "notes": list(scene.notes),
            "own": [place for place, there in scene.places.items()
                    if any(unit.side == self.side for unit in there.units)],
            "camps": [self._camp(table, camp) for camp in scene.camps],
            **self._drawn(table, said, arrows, before, shown),
        }  # fmt: skip

    def sheet(self) -> dict[str, Any]:
        """What all pictures of the board share: their beginning, and the places of spaces, by
        name.
        """
        told = svg.description(self._sights(self.table))
        return {
            "head": svg.head(self._sheet, self._words(title(self.game)), told),
            "defined": svg.defined(self._sheet),
            "cells": list(self._sheet.cells),
            "sea": self._sheet.is_sea, "start": self._start(),
            "spots": {each.id: [each.at[0] / 10, each.at[1] / 10, each.name]
                      for each in self._board.spots},
            "space": self._board.space,
            "piece": self.game.opened.system.words.piece,
        }  # fmt: skip

    def _start(self) -> str:
        """Where the view starts: the place of the last move or fight."""
        arrows = strokes_since(self._now, -1)
        return arrows[-1].path[-1] if arrows else ""

    def _drawn(
        self, table: Table, moment: str, arrows: Sequence[Stroke], before: Scene | None, shown: int
    ) -> dict[str, Any]:
        found = svg.fragments(
            self._sights(table),
            self._sheet,
            self._words(title(self.game)),
            moment,
            arrows,
            before,
            self._album,
        )
        is_known = shown == self.picture and self.picture > 0
        changed = {
            name: drawn
            for name, drawn in found.items()
            if not is_known or self._fragments.get(name) != drawn
        }
        self._fragments = found
        self.picture += 1
        return {"picture": self.picture, "fragments": changed}

    def _strokes(self, tried: Sequence[Tried]) -> Iterator[Stroke]:
        """The moves and attacks of the orders that were tried, none after dice."""
        for each in tried:
            if each.is_ahead or each.is_passed_over:
                continue
            told = each.table.take(each.order).told
            for event, position in zip(told.events, told.positions, strict=True) if told else ():
                yield from self.game.opened.system.picture.strokes(event, position)

    def _unseen(self) -> tuple[tuple[Stroke, ...], Scene | None]:
        """The moves and fights since the player's last decision of their own, and the scene then;
        after their own mail, what that brought, too.
        """
        if self._news is None:
            led = last_led(self._now, self.player)
            since = -1 if led is None else led
            before, picture = table_after(self._now, since), self.game.opened.system.picture
            self._news = (
                strokes_since(self._now, since), picture.scene(before.state.position, None)
            )  # fmt: skip
        return self._news

    def _ask(self, judged: JudgedDraft, decision: Decision | None) -> dict[str, Any]:
        if decision is not None:
            before = self._base is not None and not judged.lines
            assert self._base is not None
            return {
                "prompt": self._words(decision.prompt), "rule": _rule(decision.rule, self.language),
                "stage": decision.stage,
                "before": self._words(self._behind()) if before else "",
                "optional": decision.optional,
                "verbs": [
                    {"verb": verb, "note": ", ".join(self._words(each) for each in notes if each),
                     "fields": bool(self.pointing(verb).slots)}
                    for verb, notes in _verbs(decision).items()
                ],
            }  # fmt: skip
        if judged.prepared is not None and judged.lines:
            verbs = [{"verb": verb, "note": "", "fields": False} for verb in self._endings(judged)]
            prompt = self._words(stopped_at(judged.prepared, self.player))
            return {"prompt": prompt, "rule": "", "verbs": verbs, "ahead": True}
        return {"prompt": "", "rule": "", "verbs": []}

    def _behind(self) -> Said:
        """What comes before the first question, if the file does not ask it yet."""
        assert self._base is not None
        return behind_what_is_owed(self.game, self.outside.key, self._base)

    def _camp(self, table: Table, camp: Camp) -> dict[str, Any]:
        """A side's hand with what each card does, and what it can be played for now."""
        book = table.system.cardbook
        told = []
        for held in camp.hand:
            face = self._faces.get(held.id)
            uses = book.uses(table.state, camp.side, held.id) if camp.side == self.side else ()
            uses = in_words(uses, self.language)
            told.append({
                "id": held.id, "title": held.title, "worth": held.worth,
                "kind": face.kind if face else "", "text": list(face.text) if face else [],
                "figures": face.worth if face else "",
                "uses": [{"name": use.name, "why": [self._against(each) for each in use.against]}
                         for use in uses],
            })  # fmt: skip
        return {
            "side": camp.side, "hand": told, "unseen": camp.unseen, "handIs": camp.hand_is,
            "rounds": list(camp.rounds), "most": camp.most_rounds, "facts": list(camp.facts),
        }  # fmt: skip

    def _told(self, pointing: Pointing, gesture: Gesture, verdict: Verdict) -> dict[str, Any]:
        """A gesture for the page, with the next possible clicks and the chances of an attack."""
        table = self.table
        line = pointing.line(gesture.said)
        remarks: tuple[Said, ...] = ()
        chances: list[str] = []
        shares: dict[str, Any] | None = None
        if verdict.is_legal and verdict.order is not None:
            line = fields_line(verdict.order, pointing.written(verdict.order))
            advice, odds = table.system.advice, table.system.odds
            remarks = reported(advice.remarks, table.state, verdict.order, failing=alone)
            found = None
            if type(verdict.order) in odds.attacks:
                found = reported(odds.of, table.state, verdict.order, failing=nothing)
            if found is not None:
                chances = [*map(self._words, in_lines(found, table.system.words))]
                told = in_words(found, self.language)
                shares = AttackOdds(Tried("", table, verdict.order), told).plain()
        return {
            "verb": gesture.verb, "said": gesture.said, "slot": gesture.slot, "at": gesture.at,
            "picked": gesture.picked, "line": line, "legal": verdict.is_legal,
            "missing": list(verdict.missing), "wanted": pointing.wanted(gesture),
            "problems": self._problems(verdict.against or verdict.problems),
            "lit": pointing.lit(gesture), "chosen": self._chosen(pointing, gesture),
            "remarks": [*map(self._words, remarks)], "chances": chances, "shares": shares,
            "fields": [self._field(pointing, gesture, each) for each in pointing.slots.values()],
        }  # fmt: skip

    def _chosen(self, pointing: Pointing, gesture: Gesture) -> list[str]:
        """The spaces that the order names, or in which units stand that it names."""
        named = set(_names(gesture.said))
        scene = self._scene(self.table)
        return [
            place
            for place, there in scene.places.items()
            if place in named or named & {each.id for each in there.units}
        ]

    def _field(self, pointing: Pointing, gesture: Gesture, field: OrderField) -> dict[str, Any]:
        said, name = gesture.said, field.name
        given = said.get(name)
        offered = pointing.offered(said, name)
        if field.shape == BY_ONE and field.kind == self._board.space:
            offered = list(pointing.units_to_place(name))
        elif field.kind and not field.keys and field.kind != self._board.space and gesture.at:
            here = self._scene(self.table).places.get(gesture.at)
            standing = [each.id for each in here.units if each.id in offered] if here else []
            offered = [*standing, *(each for each in offered if each not in standing)]
        called = self._called(pointing, field)
        return {
            "name": name, "kind": field.kind, "keys": field.keys, "shape": field.shape,
            "needed": field.is_needed, "value": "" if given is None else in_order(given),
            "chips": [
                {"value": each, "words": called(each), "on": _is_on(each, given),
                 "picked": each == gesture.picked}
                for each in offered[:MOST_CHIPS]
            ],
        }  # fmt: skip

    def _called(self, pointing: Pointing, field: OrderField) -> Any:
        """The labels of a field's values: their printed names, where these say more."""
        table = self.table
        assert self.side is not None
        names = table.system.names(table.state, self.side, None, answering=False)
        known = names.known(field.kind) if field.kind and not field.keys else {}

        def called(given: Any) -> str:
            if given is True:
                return self._words(say("yes"))
            if isinstance(given, str):
                if known.get(given, given) == given:
                    return given
                printed = self._words(say(known[given]))
                return f"{given} {printed}" if field.kind != self._board.space else printed
            return in_order(given)

        return called


def _verbs(decision: Decision) -> dict[str, list[Said]]:
    """The verbs that answer a question, each with what a form notes of it."""
    found: dict[str, list[Said]] = {}
    for option in decision.options:
        found.setdefault(option.order.verb, []).append(option.note)
    return found


def _of_kind(pointing: Pointing, kind: str) -> str:
    return next((name for name, each in pointing.slots.items() if each.kind == kind), "")


def _names(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, Mapping):
        for key, each in given.items():
            yield key
            yield from _names(each)
    elif isinstance(given, list | tuple):
        for each in given:
            yield from _names(each)


def _is_on(each: Any, given: Any) -> bool:
    return each == given or (isinstance(given, list | dict) and isinstance(each, str)
                             and each in given)  # fmt: skip


def _cut(file: OrdersFile, count: int) -> OrdersFile:
    return replace(file, orders=file.orders[:count], standing=None)


def _lines(file: OrdersFile, count: int) -> tuple[int, ...]:
    return tuple(file.span_of(index).line for index in range(count))


def _before(file: OrdersFile, problems: Sequence[Problem]) -> int:
    """The number of orders before the first problem."""
    lines = _lines(file, len(file.orders))
    if all(each.code == "illegal-policy" for each in problems):
        return len(lines)
    first = min((each.span.line if each.span else 0 for each in problems), default=NO_LINE)
    return max(0, sum(line <= first for line in lines) - 1)


def _verdicts(judged: JudgedDraft, language: Language) -> Iterator[dict[str, Any]]:
    """A mark and a word for each line of the draft that was judged."""
    tried = judged.prepared.tried if judged.prepared else ()
    for each in tried:
        line = _line_of(each.where)
        mark = "lapses" if each.is_passed_over else "ahead" if each.is_ahead else "ok"
        yield {"line": line, "mark": mark}
    for line in dict.fromkeys(each.span.line for each in judged.problems if each.span):
        yield {"line": line, "mark": "bad"}
    for remark in judged.prepared.remarks if judged.prepared else ():
        assert isinstance(remark, Message)
        told = words(remark.part("remark"), language)
        yield {"line": _line_of(remark.part("place")), "mark": "remark", "words": told}


def _line_of(where: str) -> int:
    """The line in a place of the draft, written as file:line:column."""
    return int(where.rsplit(":", 2)[1])


def plain_problem(problem: Problem, language: Language) -> dict[str, Any]:
    """A problem for the page: place, text, rule, and what to do."""
    span = problem.span
    return {
        "line": span.line if span else 0, "column": span.column if span else 0,
        "end": span.end_column if span else 0, "code": problem.code,
        "message": words(problem.message, language), "rule": _rule(problem.rule, language),
        "hint": words(problem.hint, language),
    }  # fmt: skip


def _rule(rule: str, language: Language) -> str:
    return cited(rule, language) if rule else ""


def _track(track: Any) -> dict[str, Any]:
    return {
        "name": track.name, "value": track.value, "low": track.low, "high": track.high,
        "stops": [list(each) for each in track.stops], "words": track.words,
    }  # fmt: skip
