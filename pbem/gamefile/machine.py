"""The state machine of the protocol: what is locked, owed, given ahead and in force.

One machine is changed in place, step after step; `fold.py` draws the line around each entry, and
`compose.py` drives the same machine, so that nothing is signed here that is refused elsewhere. The
rules R1 to R10 are those of schemas/protocol.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile import choices, consent
from pbem.gamefile.beacons import BeaconDice, beacon_command, beacon_value
from pbem.gamefile.canonical import text_with
from pbem.gamefile.cards import SealedDecks
from pbem.gamefile.chain import ZEROS, state_digest
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.happenings import (
    Answered,
    Challenged,
    Closed,
    Completed,
    Dropped,
    Ended,
    Happening,
    Lapsed,
    Locked,
    Ordered,
    Place,
    PolicyFailed,
    Rolled,
)
from pbem.gamefile.pending import (
    Given,
    OrderIllegal,
    Owed,
    Standing,
    covers,
    first_answer,
    judged,
)
from pbem.gamefile.referee import (
    PLAYERS,
    Asked,
    Chance,
    Finished,
    Laid,
    OrderRefused,
    Referee,
    other,
)
from pbem.gamefile.renewal import Lost, Renewal, place_of
from pbem.gamefile.rotation import Rotation
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.gamefile.secrets import Secrets

OpenTable = Callable[[Mapping[str, Any]], Referee]
MAX_MOVES = 20_000  # of one step; a game that needs more has lost its way
MAX_POLICIES = 16


class Machine:
    """Everything the protocol knows between two steps."""

    def __init__(self, open_table: OpenTable) -> None:
        self.open_table = open_table
        self.phase = "empty"  # then proposed, accepted, running, over
        self.proposal: dict[str, Any] = {}
        self.proposal_id = ZEROS
        self.game = ZEROS
        self.contexts: dict[str, str] = {}
        self.publics: dict[str, bytes] = {}
        self.written = {"A": 0, "B": 0}  # bytes of the entries of each, as they are stored
        self.anchors: dict[str, list[str]] = {"A": [], "B": []}
        self.revealed = {"A": 0, "B": 0}
        self.values: dict[str, str | None] = {"A": None, "B": None}
        self.locked: int | None = None
        self.locks: dict[int, int] = {}  # beacon number -> entry that locked it
        self.void = False  # the locked beacon decides nothing
        self.last_void = False  # the last completed beacon decided nothing
        self.dice: BeaconDice | None = None  # of the open beacon
        self.referee: Referee | None = None
        self._waits: tuple[Referee | None, Asked | Chance | Finished | None] = (None, None)
        self.decks = SealedDecks()
        self.auditor: Secrets | None = None  # who plays a finished game again knows one's cards
        self.has_sealed = False  # orders, ever
        self.audited: dict[str, str] = {}  # player -> their secret, shown at the end
        self.policies: list[Standing] = []
        self.halt: Standing | None = None  # the sealed policy before which folding stopped
        self.chosen: tuple[choices.Chosen, ...] = ()  # secretly, and not told yet; in order
        self.given: dict[str, list[Given]] = {"A": [], "B": []}
        self.stirred = {"A": 0, "B": 0}  # rolls, and choices of the other player, so far
        self.claim: dict[str, Any] | None = None
        self.offers: tuple[consent.Offer, ...] = ()  # open ones, at most one of a player
        self.adjourned: int | None = None  # the entry in which that was agreed
        self.quiet: dict[int, int] = {}  # entries one may go back to, and beacons completed then
        self.take_backs = self.upgrades = 0
        self.beside: list[int] = []  # the notes so far
        self.recall: Callable[[int], Machine] | None = None  # the state behind an earlier entry
        self.spares: dict[str, bytes] = {}
        self.rotations: tuple[Rotation, ...] = ()
        self.renewals: tuple[Renewal, ...] = ()
        self.lost: tuple[Lost, ...] = ()  # secrets that could not be shown at the end
        self.closed: tuple[str, ...] = ()  # who has written their closing entry
        self.result: dict[str, Any] | None = None
        # of the entry that is being folded
        self.seq = -1
        self.last_id = ZEROS
        self.by = ""
        self.side = False  # it is a note, laid beside the turn; afterwards: the last one was
        self.on_own_note = False  # it is a second note, on one that the same player laid
        self.step_number = 0
        self.progress = False  # it holds something owed
        self.shut = False  # nothing may follow in it
        self.only_words = False  # nothing but `say` may follow in it
        self.kinds: tuple[str, ...] = ()  # of its steps so far
        self.slots: tuple[str, ...] = ()  # of the policies in it
        self.agreed: consent.Offer | None = None  # to be carried out by the very next step
        self.past_the_end = False  # it began when the game was over
        self.happenings: list[Happening] = []

    def copy(self) -> Machine:
        """An independent machine in the same state."""
        twin = object.__new__(Machine)
        twin.__dict__.update(self.__dict__)
        names = "written contexts publics revealed values locks stirred audited quiet"
        for name in names.split():
            setattr(twin, name, dict(getattr(self, name)))
        twin.anchors = {player: list(given) for player, given in self.anchors.items()}
        twin.given = {player: list(given) for player, given in self.given.items()}
        twin.policies, twin.beside = list(self.policies), list(self.beside)
        twin.decks = self.decks.copy()
        twin.happenings = list(self.happenings)
        twin.dice = self.dice.again() if self.dice else None
        return twin

    # --- what is owed, and by whom

    def owed(self) -> tuple[Owed, ...]:
        """What is owed, in order; whoever owes the first of it holds the pen."""
        return tuple(self._owed())

    def _owed(self) -> Iterator[Owed]:
        if self.phase != "running":
            beginning = {
                "empty": Owed("A", "propose"),
                "proposed": Owed("B", "accept"),
                "accepted": Owed("A", "start"),
            }
            if self.phase in beginning:
                yield beginning[self.phase]
            for player in (other(self.by), self.by):
                if self.owes_audit(player):
                    yield Owed(player, "audit")
            return
        both = (other(self.by), self.by)  # who did not write last comes first
        for player in both:
            if self.due(player):
                yield Owed(player, "reveal", str(self.locked))
        for player in both:
            for bound in self.decks.unanswered(player):
                yield Owed(player, "deck_reply", bound.name)
        for player in both:
            if self.lacks_anchor(player):
                yield Owed(player, "anchor", str(len(self.anchors[player])))
        waits = self.waits
        if self.locked is None and self.is_before_roll:
            for player in both:
                for laid in self.lacks_decks(player):
                    yield Owed(player, "deck_commit", f"{laid.deck}/{laid.epoch}")
        elif isinstance(waits, Asked):
            code = "seal" if waits.secret else "answer"
            yield self._sealed(waits) or Owed(waits.by, code, waits.what)

    @property
    def is_before_roll(self) -> bool:
        """Whether the fold needs a beacon: for chance, or to be shown a sealed document (R2)."""
        if self.dice is not None:
            return False
        return self.halt is not None or isinstance(self.waits, Chance)

    def _sealed(self, waits: Asked) -> Owed | None:
        """What is fixed but sealed and is asked for now: an opening, or a document."""
        if waits.tells:
            return Owed(waits.by, "tell", waits.what)
        must_show = self.table.must_show()
        if must_show:
            return Owed(waits.by, "open", must_show[0])
        if self.halt is None or self.dice is None:
            return None
        if self.halt.doc is None:
            return Owed(waits.by, "unseal", self.halt.name)
        return Owed(waits.by, "open", self._shows(self.halt)[0])

    def head(self, player: str) -> Owed | None:
        """R4: what the player must send next before anything else; None when nothing is fixed."""
        if self.phase != "running":
            return None
        if self.due(player):
            return Owed(player, "reveal", str(self.locked))
        unanswered = self.decks.unanswered(player)
        if unanswered:
            return Owed(player, "deck_reply", unanswered[0].name)
        waits = self.waits
        if self.locked is None and isinstance(waits, Asked) and waits.by == player:
            return self._sealed(waits)
        return None

    def asks_openly(self, player: str) -> bool:
        """Whether the player has an open decision: asked, with nothing sealed that answers."""
        waits = self.waits
        is_asked = isinstance(waits, Asked) and waits.by == player and not waits.tells
        return is_asked and self.halt is None

    def lacks_decks(self, player: str) -> list[Laid]:
        """The player's epochs that the game has laid and they are not yet bound to."""
        return self.decks.lacking(self.table.laid(), player)

    @property
    def pen(self) -> str | None:
        """Who must write next; None when the game is over."""
        first = next(self._owed(), None)
        return first.by if first else None

    @property
    def holder(self) -> str | None:
        """T5: whose entry is a main entry now; behind the end the pen goes on to and fro."""
        return self.pen or (other(self.by) if self.phase == "over" else None)

    def owes_audit(self, player: str) -> bool:
        """Whether the game is over and the player has not shown yet what they kept hidden."""
        return self.phase == "over" and self.hides_something and player not in self.audited

    @property
    def hides_something(self) -> bool:
        """Whether anything was ever sealed in this game: its result is provisional then."""
        return bool(self.proposal["decks"]) or self.has_sealed

    def due(self, player: str) -> bool:
        """Whether the player owes their value of the locked beacon."""
        return self.locked is not None and self.revealed[player] < self.locked

    def lacks_anchor(self, player: str) -> bool:
        """Whether the player's chain is used up and no new one is anchored."""
        if self.locked is not None or self.phase != "running":
            return False
        chain, _ = place_of(self, player, self.next_beacon)
        return len(self.anchors[player]) <= chain

    @property
    def next_beacon(self) -> int:
        """The number of the next beacon, when none is locked."""
        return min(self.revealed.values()) + 1

    @property
    def chain_length(self) -> int:
        return self.proposal["chain_len"]

    @property
    def table(self) -> Referee:
        """The game; asked for only once it has started."""
        assert self.referee is not None
        return self.referee

    def proposed_table(self) -> Referee | None:
        """The game as it is proposed, before it has started; None where its rules are left out.

        Raises the Refused of `open_table` when it cannot be set up here.
        """
        return self.open_table(self.proposal)

    @property
    def waits(self) -> Asked | Chance | Finished:
        """What the game waits for; every step asks, so a position is asked once."""
        table, waits = self._waits
        if table is not self.referee:
            waits = self.table.waits()
            if isinstance(waits, Asked) and waits.secret and self.is_solo:
                waits = replace(waits, secret=False)  # one person on both seats hides nothing
            self._waits = self.referee, waits
        assert waits is not None
        return waits

    @property
    def is_solo(self) -> bool:
        return self.proposal["options"].get("solo") is True

    # --- the fold of the game

    def tell(self, happening: Callable[..., Happening], /, **facts: Any) -> None:
        """Notes a happening at the present step."""
        self.happenings.append(happening(place=self.place(), **facts))

    def place(self, index: int = 0) -> Place:
        return Place(self.seq, self.step_number, index)

    def advance(self) -> None:
        """Folds until a player must write: carries out what was given, rolls, closes, locks."""
        for _ in range(MAX_MOVES):
            self.halt = None
            waits = self.waits
            if isinstance(waits, Finished):
                self.finish(dict(waits.result))
                return
            if isinstance(waits, Chance):
                if self.dice and not self.decks.are_fixed(self.table.laid(), self.dice.number):
                    self.close_beacon()
                if self.dice is None:
                    self._lock()
                    return
                self._roll(waits.what)
            elif waits.secret or waits.tells:
                if not choices.goes_on(self, waits):
                    return
            elif self.table.must_show() or not (self._take(waits.by) or self._goes_on(waits.by)):
                return
        raise FileRefused("E-STATE", "the rules never come to a decision: a fault of the program")

    def complete(self, number: int) -> None:
        """Both values of the locked beacon are there: it opens and decides what it can."""
        values = self.values["A"], self.values["B"]
        assert values[0] is not None and values[1] is not None
        value = beacon_value(self.game, number, values[0], values[1])
        command = beacon_command(self.game, number, values[0], values[1])
        self.tell(Completed, n=number, value=value, command=command, void=self.void)
        self.locked, void, self.void = None, self.void, False
        self.last_void = void
        for bound, trial in self.decks.challenge(number, value):
            self.tell(Challenged, epoch=bound.epoch, n=number, trial=trial)
        # At once, for orders given ahead may fall behind this very deal, before the reply.
        self.inform_auditor()
        if not void:
            self.dice = BeaconDice(number, value)
            self.advance()

    def inform_auditor(self) -> None:
        """Whoever plays a finished game again knows their decks in the table that now stands.

        What a table knows goes on with it, so this is for cards that are new to it: chance has just
        met their deck, or the table is an earlier one, from before chance met it.
        """
        who = self.auditor
        if who is None:
            return
        for bound in self.decks:
            if bound.epoch.by == who.player and bound.trial is not None:
                self.referee = self.table.informed(who.whole_deck(bound))

    def finish(self, result: dict[str, Any]) -> None:
        """The end: nothing is locked, owed or in force any more."""
        self.close_beacon()
        self.phase, self.result, self.locked = "over", result, None
        self.offers = ()
        self.tell(Ended, result=result)

    def _lock(self) -> None:
        if any(map(self.lacks_anchor, PLAYERS)) or any(map(self.lacks_decks, PLAYERS)):
            return
        consent.at_lock(self)
        self.locked = self.next_beacon
        self.locks[self.locked] = self.seq
        self.tell(Locked, by=self.by, n=self.locked)

    def close_beacon(self) -> bool:
        """R6: the first decision not fixed closes the beacon; says whether one was open."""
        if self.dice is None:
            return False
        self.tell(Closed, n=self.dice.number)
        self.dice = None
        # Here too, for this very step may lock the next one: when what replaced them is spent,
        # older policies of its slot must not come back.
        self.prune_policies()
        # What was unsealed served this beacon, and is spent with it.
        self.policies = [one for one in self.policies if not one.is_unsealed]
        return True

    def _roll(self, what: str) -> None:
        assert self.dice is not None
        before, known = self.table, len(self.dice.records)
        self.referee = after = before.roll(self.dice)
        for player in PLAYERS:
            self.stirred[player] += 1
        records = tuple(self.dice.records[known:])
        self.tell(
            Rolled, what=what, n=self.dice.number, records=records, before=before, after=after
        )
        self._round_may_end(before)

    # --- orders given ahead (R8)

    def wanted(self, player: str) -> int | None:
        """Where in the player's list the answer to the question now asked stands."""
        return first_answer(self.table, [item.order for item in self.given[player]])

    def _take(self, player: str) -> bool:
        """Carries out the order that answers, or lets it lapse; says whether there was one."""
        at = self.wanted(player)
        if at is None:
            return False
        items, before = self.given[player], self.table
        item = items.pop(at)
        if before.leads(item.order):
            self._drop(player, at)
        try:
            after = judged(before, item.order)
        except OrderRefused as refusal:
            if item.sent.entry == self.seq and self.stirred[player] <= item.stamp:
                raise OrderIllegal(item, refusal) from refusal
            self.tell(
                Lapsed, by=player, order=item.order, sent=item.sent, problems=refusal.problems
            )
            return True
        self.tell(
            Ordered, by=player, order=item.order, kind=item.kind, sent=item.sent,
            before=before, after=after,
        )  # fmt: skip
        self.chose(player, after)
        return True

    def _drop(self, player: str, count: int) -> None:
        dropped, self.given[player] = self.given[player][:count], self.given[player][count:]
        for item in dropped:
            if not self.table.only_ends(item.order):
                self.tell(Dropped, by=player, order=item.order, sent=item.sent)

    def chose(self, player: str, after: Referee) -> None:
        """A choice of a player was carried out, and `after` is the game then."""
        before, self.referee = self.table, after
        self.stirred[other(player)] += 1
        self._round_may_end(before)

    def _round_may_end(self, before: Referee) -> None:
        if self.table.round() != before.round():
            for player in PLAYERS:
                self._drop(player, len(self.given[player]))

    # --- policies

    def in_force(self, player: str) -> list[Standing]:
        """The player's policies that may speak now, the latest in the chain first.

        While a beacon is open, only what was in the chain before anybody revealed for it counts.
        """
        number = self.dice.number if self.dice else None
        latest: dict[str, Standing] = {}
        for standing in self.policies:
            if standing.by == player and (number is None or standing.stamp < number):
                latest.pop(standing.slot, None)
                latest[standing.slot] = standing
        return [standing for standing in reversed(latest.values()) if not standing.withdraws]

    def _speaking(self, player: str) -> Standing | None:
        """The policy that answers for the player what they are asked now."""
        for one in self.in_force(player):
            if covers(self.table, player, one.slot, one.scope, one.until):
                return one
        return None

    def _shows(self, standing: Standing) -> tuple[str, ...]:
        """The hidden cards that an opened policy plays now; none if the rules stumble over it.

        Only what its author holds and can open counts: anything else would be owed for ever.
        """
        try:
            hand, known = self.table.hand(standing.by), self.table.known()
            shown = self.table.policy_shows(standing.policy)
            return tuple(slot for slot in shown if slot in hand and slot not in known)
        except Exception:
            return ()

    def _goes_on(self, player: str) -> bool:
        """Whether folding goes on at a question no order answers: by a policy, or a closed beacon.

        A sealed document answers only under a beacon that was locked behind it (R2 b): the fold
        stops there, and the beacon or the document is owed.
        """
        standing = self._speaking(player)
        if standing is None:
            return self.close_beacon()
        if standing.doc is None or self._shows(standing):
            self.halt = standing
            if self.dice is None:
                self._lock()
            return False
        self._answer(standing)
        return True

    def _answer(self, standing: Standing) -> None:
        """Carries out what the policy says on the decision now asked.

        A document on which the rules stumble says nothing: it must not stop the entry of the other
        player, who did not write it. The question stays open then, which closes the beacon.
        """
        before = self.table
        try:
            order = before.policy_answer(standing.policy)
            after = before.submit(order)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            self.tell(
                PolicyFailed, by=standing.by, slot=standing.slot, sent=standing.sent, reason=reason
            )
            self.policies = [one for one in self.policies if one is not standing]
            return
        self.tell(
            Answered, by=standing.by, slot=standing.slot, order=order, sent=standing.sent,
            before=before, after=after,
        )  # fmt: skip
        self.chose(standing.by, after)

    def prune_policies(self) -> None:
        """Forgets what was replaced or withdrawn, once no beacon can ask for it any more."""
        if self.locked is None and self.dice is None:
            latest = {(one.by, one.slot): one for one in self.policies}
            self.policies = [
                one
                for one in self.policies
                if not one.withdraws and latest[one.by, one.slot] is one
            ]

    # --- what both players know

    def public_state(self) -> dict[str, Any]:
        """The state whose digest is `post`, as plain values."""
        decks = self.decks.plain()
        return {"protocol": {**self._protocol(), "decks": decks}, "position": self._position()}

    def post(self) -> str:
        """The digest of the public state.

        The decks, which are most of it and change little, keep their part of its text.
        """
        protocol = text_with(self._protocol(), "decks", self.decks.text())
        return state_digest(text_with({"position": self._position()}, "protocol", protocol))

    def _protocol(self) -> dict[str, Any]:
        """The protocol's own part of the public state, but for the decks."""
        return {
            "phase": self.phase,
            "beacon": {
                "a": self.revealed["A"], "b": self.revealed["B"], "locked": self.locked,
                "open": self.dice.number if self.dice else None,
                "void": self.void, "last_void": self.last_void,
            },
            "values": {"a": self.values["A"], "b": self.values["B"]},
            "anchors": {"a": list(self.anchors["A"]), "b": list(self.anchors["B"])},
            "policies": [standing.plain() for standing in self.policies],
            "owed": [thing.plain() for thing in self.owed()],
            "given": {"a": self._given_plain("A"), "b": self._given_plain("B")},
            "hands": self._hands_plain(),
            "offers": [offer.plain() for offer in self.offers],
            "claim": self.claim,
            **self._audits_plain(), **self._renewals_plain(), **self._chosen_plain(),
            "result": self.result,
        }  # fmt: skip

    def _position(self) -> dict[str, Any] | None:
        """The game's own part of the public state."""
        return self.referee.public() if self.referee else None

    def _audits_plain(self) -> dict[str, Any]:
        if self.phase != "over" or not self.hides_something:
            return {}
        return {"audits": {player.lower(): player in self.audited for player in PLAYERS}}

    def _renewals_plain(self) -> dict[str, Any]:
        return {"renewed": [each.plain() for each in self.renewals]} if self.renewals else {}

    def _chosen_plain(self) -> dict[str, Any]:
        return {"chosen": [each.plain() for each in self.chosen]} if self.chosen else {}

    def _given_plain(self, player: str) -> list[dict[str, Any]]:
        return [
            {"order": item.order, "entry": item.sent.entry, "step": item.sent.step,
             "index": item.sent.index}
            for item in self.given[player]
        ]  # fmt: skip

    def _hands_plain(self) -> list[dict[str, Any]]:
        """The slots of both hands, where hands are sealed."""
        if self.referee is None or not self.proposal["decks"]:
            return []
        return [{"by": player, "slots": list(self.referee.hand(player))} for player in PLAYERS]
