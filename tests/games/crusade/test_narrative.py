"""What the war diary says, word for word."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from pbem.engine.dice import Draw, Roll
from pbem.engine.kernel import begin, roll, submit, waits_for
from pbem.engine.model import Decision, Event, State
from pbem.engine.narration import Told
from pbem.gamedata.load import load
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade import narrative, narrative_seldom, narrative_words
from pbem.games.crusade.clock import clock
from pbem.games.crusade.effects import columns
from pbem.games.crusade.fire_words import MODIFIERS
from pbem.games.crusade.narrative import narrate
from pbem.games.crusade.position import ABROAD, DISPLAY, MOROCCO, RESERVE, Combat, Fort, Position
from pbem.games.crusade.sequence import opening
from pbem.games.crusade.stages.setup import starting_position
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN, Tables
from pbem.messages import sentence
from pbem.render.formats import rendered
from pbem.render.log import Chapter, Line, Log, Paragraph
from pbem.value import replace
from tests.bots import legal_samples
from tests.house.catalogue import known, unmarked

assert columns  # its import registers the events of cards
N, R = NATIONALIST, REPUBLICAN
GOLDEN = Path(__file__).parents[2] / "golden" / "log"

CAMPAIGN = starting_position(Tables(load("crusade").tables), "campaign", frozenset())
AUGUST = CAMPAIGN.but(
    turn=1,
    round=3,
    active=N,
    known={"n/1/2": "N5", "r/1/3": "R5"},
    rp={"NAT": 4, "REP": 5},
    combat=Combat(N, "merida", {"INF-15": "riotinto"}),
)
BEACH = AUGUST.but(beach_heads={"beach_head_mallorca": "mallorca"})
REDUCED = AUGUST.with_unit("INF-15", reduced=True).with_unit("N-POL-4", reduced=True)
FORTIFIED = AUGUST.but(
    forts={"zafra": Fort("position", R)}, digging={"talavera": -1}, bonuses={"zafra": "R33"}
)

TOLD: tuple[tuple[Event[Position], Position, str | None], ...] = (
    # time
    (e.TurnBegan(2), AUGUST, None),
    (e.RoundBegan(R, 4), AUGUST, None),
    (
        e.ActionRecorded(N, "automatic"),
        AUGUST,
        "The Nationalists play no card and make an automatic operation.",
    ),
    (e.ActionRecorded(N, "operations"), AUGUST, None),
    (
        e.GameEnded(N, "Republican Morale stands at 26"),
        AUGUST,
        "The Nationalists win: Republican Morale stands at 26 (7 Victory Points).",
    ),
    (
        e.GameEnded("draw", "the last turn is over"),
        AUGUST,
        "The game is drawn: the last turn is over (7 Victory Points, Republican Morale 26).",
    ),
    # cards
    (
        rare.DeckLaid(R, 1, ("r/1/0", "r/1/1")),
        AUGUST,
        "The Republican draw pile is set up: 2 cards.",
    ),
    (rare.CardTakenOut(N, "N3"), AUGUST, "Red Terror (N3) counts as played before the game."),
    (rare.CardDealt(N, "n/0/0", "N1"), AUGUST, "The Nationalists are given Air Bridge (N1)."),
    (
        e.CardsDrawn(R, ("r/1/1", "r/1/2")),
        AUGUST,
        "The Republicans draw 2 cards and hold 2.",
    ),
    (
        e.CardsDrawn(R, ("r/1/3",)),
        AUGUST,
        'The Republicans draw 1 card and hold 1; drawn openly: Polikarpov I-15 "Chato" (R5).',
    ),
    (
        rare.DiscardsTaken(N),
        AUGUST,
        "The Nationalist discards are reshuffled.",
    ),
    (
        rare.PileTaken(N),
        AUGUST,
        "What is left of the Nationalist draw pile is reshuffled.",
    ),
    (
        e.CardPlayed(N, "n/1/4", "N7", "operations"),
        AUGUST,
        "The Nationalists play Airplanes Disperse Militia (N7) for 3 operations.",
    ),
    (
        e.CardPlayed(R, "r/1/4", "R3", "redeployment"),
        AUGUST,
        "The Republicans play White Terror (R3) for strategic redeployment (4 points on the card).",
    ),
    (
        e.CardPlayed(R, "r/1/4", "R13", "replacements"),
        AUGUST,
        "The Republicans play The Fifth Regiment (R13) for replacement points.",
    ),
    (
        e.CardPlayed(R, "r/1/4", "R33", "event"),
        AUGUST,
        "The Republicans play Strategic Counterattack (Brunete, R33) as an event.",
    ),
    (
        e.CardPlayed(N, "n/1/4", "N5", "combat"),
        AUGUST,
        "The Nationalists play Naval Support (N5) in the combat.",
    ),
    (
        e.RetainedCardUsed(N, "N17"),
        AUGUST,
        'The Nationalists use Fiat CR 32 "Chirri" (N17) again, from the table.',
    ),
    (e.CardReturned(N, "n/1/2"), AUGUST, "Naval Support (N5) goes back to the Nationalist hand."),
    (e.CardReturned(N, "n/1/3"), CAMPAIGN, "A card goes back to the Nationalist hand."),
    (
        e.CardOpened(N, "n/1/2", "N5"),
        CAMPAIGN,
        "The Nationalists show Naval Support (N5).",
    ),
    (
        e.HandShown(N, ("n/1/2", "n/1/3")),
        CAMPAIGN.but(known={"n/1/2": "N5", "n/1/3": "N7"}),
        "The Nationalists must show their hand: Naval Support (N5) and "
        "Airplanes Disperse Militia (N7).",
    ),
    (
        rare.HandCardDiscarded(N, "n/1/2", "N5"),
        AUGUST,
        "The Nationalists discard Naval Support (N5) unplayed.",
    ),
    (
        e.FirstLossOwed(("INF-1",), "11.3.6"),
        AUGUST,
        "The first loss falls on Infantry INF-1, whatever the ranking says (11.3.6).",
    ),
    (
        rare.CardsRetired(N, ("n/1/2", "n/1/4")),
        AUGUST,
        "The Nationalists choose a combat card for their deck and put 2 others aside, face down.",
    ),
    (
        rare.CardsBuried(N, ("n/1/2",)),
        AUGUST,
        "The Nationalists discard 1 card face down.",
    ),
    (e.CardRemoved(N, "N1"), AUGUST, "Card N1 is out of the game."),
    (
        e.CardRetained(N, "N17"),
        AUGUST,
        'Fiat CR 32 "Chirri" (N17) stays on the table for later rounds of this turn.',
    ),
    # units
    (e.UnitPlaced("AFR-2", "cadiz"), AUGUST, "Army of Africa AFR-2 takes the field in Cádiz."),
    (
        e.UnitPlaced("AFR-2", MOROCCO),
        AUGUST,
        "Army of Africa AFR-2 has to wait in Morocco.",
    ),
    (e.UnitPlaced("AFR-2", DISPLAY), AUGUST, "Army of Africa AFR-2 is due from Africa."),
    (
        e.UnitPlaced("R-MIL-24", RESERVE, True),
        AUGUST,
        "Militia R-MIL-24 (reduced) joins the Reserve.",
    ),
    (
        e.StackMoved(("INF-15", "N-POL-4", "AFR-1"), ("sevilla", "huelva")),
        REDUCED,
        "Infantry INF-15 (reduced), Police N-POL-4 (reduced) and Army of Africa AFR-1 move from "
        "Sevilla to Huelva.",
    ),
    (
        e.StackMoved(("R-MIL-16",), ("penarroya", "cazalla", "zafra")),
        AUGUST,
        "Militia R-MIL-16 moves from Peñarroya through Cazalla to Zafra.",
    ),
    (
        e.StackMoved(("INF-15", "INF-19"), ("mallorca",)),
        AUGUST,
        "Infantry INF-15 and INF-19 move to Mallorca.",
    ),
    (
        e.UnitRedeployed("MIL-NAV-1", "caceres", "land"),
        AUGUST,
        "Navarre militia MIL-NAV-1 is sent overland to Cáceres.",
    ),
    (
        e.UnitRedeployed("RPA-1", "beach_head_mallorca", "sea"),
        AUGUST,
        "Popular Army RPA-1 is shipped to the Beach Head (Mallorca).",
    ),
    (
        e.UnitRedeployed("R-MIL-25", "santa_olalla", "from_reserve"),
        AUGUST,
        "Militia R-MIL-25 comes up from the Reserve to Santa Olalla.",
    ),
    (
        e.UnitRedeployed("R-MIL-1", RESERVE, "to_reserve"),
        AUGUST,
        "Militia R-MIL-1 is withdrawn to the Reserve.",
    ),
    (
        e.UnitRedeployed("R-MIL-1", RESERVE, "border"),
        AUGUST,
        "Militia R-MIL-1 comes home over the border to the Reserve.",
    ),
    (
        e.UnitRetreated("R-MIL-15", ("cazalla", "penarroya")),
        AUGUST,
        "Militia R-MIL-15 retreats through Cazalla to Peñarroya.",
    ),
    (
        e.UnitRetreated("R-POL-7", ("zafra",)),
        AUGUST,
        "Police R-POL-7 retreats to Zafra.",
    ),
    (
        e.UnitAdvanced("INF-15", "riotinto"),
        AUGUST,
        "Infantry INF-15 advances into Riotinto.",
    ),
    (e.UnitReduced("N-NAVARRA"), AUGUST, "Navarra A.C. (N-NAVARRA) is reduced."),
    (e.UnitEliminated("R-MIL-15"), AUGUST, "Militia R-MIL-15 is eliminated."),
    (
        e.UnitEliminated("AFR-1", for_good=True),
        AUGUST,
        "Army of Africa AFR-1 is destroyed and out of the game for good.",
    ),
    (
        e.UnitEliminated("AFR-1", True, "17.6.5"),
        AUGUST,
        "Army of Africa AFR-1 is eliminated, and out of the game for good as all of the Army of "
        "Africa.",
    ),
    (
        e.UnitEliminated("N-NAVARRA", True, "11.3.5"),
        AUGUST,
        "Navarra A.C. (N-NAVARRA) is out of the game for good: no division in the Reserve can "
        "replace it.",
    ),
    (
        e.UnitEliminated("R-MIL-15", True, "11.4.4"),
        AUGUST,
        "Militia R-MIL-15 has no way of retreat and is out of the game for good.",
    ),
    (
        e.UnitEliminated("R-MIL-15", True, "13.3.4"),
        AUGUST,
        "Militia R-MIL-15 is eliminated out of supply, and so out of the game for good.",
    ),
    (
        e.UnitEliminated("R-MIL-15", True, "13.3.5"),
        AUGUST,
        "Militia R-MIL-15 is out of supply and lost for good.",
    ),
    (
        e.CorpsReplaced("R-VIII", "R-MIL-25", "teruel"),
        AUGUST.with_unit("R-MIL-25", reduced=True),
        "Militia R-MIL-25 (reduced) comes from the Reserve to Teruel in place of "
        "VIII A.C. (R-VIII).",
    ),
    (
        e.UnitSentToReserve("INT-XI"),
        AUGUST.with_unit("INT-XI", reduced=True),
        "International Brigade XI (INT-XI, reduced) leaves the map for the Reserve.",
    ),
    (rare.UnitRestored("R-MIL-15"), AUGUST, "Militia R-MIL-15 is back at full strength."),
    (
        rare.MilitiaConverted("R-MIL-15", "RPA-9"),
        AUGUST.with_unit("R-MIL-15", "toledo", True),
        "Militia R-MIL-15 becomes Popular Army RPA-9 (reduced) in Toledo.",
    ),
    (
        rare.MilitiaConverted("R-MIL-15", "RPA-9"),
        AUGUST.with_unit("R-MIL-15", RESERVE),
        "Militia R-MIL-15 becomes Popular Army RPA-9 in the Reserve.",
    ),
    (
        rare.WearRolled(3, 7),
        AUGUST,
        "The long war has worn both armies down: die 3, 7 losses each.",
    ),
    (
        e.HiddenCardsTaken(N, 5),
        AUGUST,
        "The hidden Nationalist cards, 5 of them from the hand, are collected to be dealt again.",
    ),
    (
        rare.HandReturned("republican", ("R1", "R3")),
        AUGUST,
        "The Republicans show a hand without a corps, Foreign Political Support (R1) and "
        "White Terror (R3), and shuffle it back.",
    ),
    (e.TurnMarkSet("counterattack"), AUGUST, None),
    (
        e.TurnMarkSet("no_SOV"),
        AUGUST,
        "This turn the Republicans get no Soviet points.",
    ),
    (
        e.TurnMarkSet("may_not_play_for_replacements/republican/3"),
        AUGUST,
        "The Republicans may not play a card for replacements in their round 3.",
    ),
    (
        e.UnitDisbanded("INT-XI"),
        AUGUST,
        "International Brigade XI (INT-XI) is disbanded and out of the game.",
    ),
    (e.StepSpared("R-V"), AUGUST, "V A.C. (R-V) is spared the first step of the losses."),
    (
        rare.UnitWentAbroad("R-V", 9),
        AUGUST.with_unit("R-V", ABROAD, True),
        "V A.C. (R-V, reduced) leaves over the border until turn 9.",
    ),
    # ground
    (e.SpaceTaken("merida", N), AUGUST, "The Nationalists take control of Mérida."),
    (
        e.FortBuilt("penarroya", Fort("position", R)),
        AUGUST,
        "The Republicans now have a Position at Peñarroya.",
    ),
    (
        e.FortBuilt("bilbao", Fort("trench", R, "bilbao")),
        AUGUST,
        "The Republicans now have a special Trench at Bilbao.",
    ),
    (
        e.DiggingFailed("talavera", -1),
        FORTIFIED,
        "The work in Talavera de la Reina fails; the next try has a DRM of -1.",
    ),
    (
        e.DiggingAbandoned("talavera"),
        FORTIFIED,
        "The half-built works in Talavera de la Reina are given up.",
    ),
    (e.FortRemoved("zafra"), FORTIFIED, "The works in Zafra are removed."),
    (e.SiegeChanged("alcazar", 2), AUGUST, "The resistance of the Alcázar of Toledo is now 2."),
    (e.SiegeEnded("alcazar", "liberated"), AUGUST, "At the Alcázar of Toledo the siege is lifted."),
    (
        e.SiegeEnded("santa_maria_de_la_cabeza", "surrendered"),
        AUGUST,
        "At Santa María de la Cabeza the garrison surrenders.",
    ),
    (rare.IsolationEnded("oviedo"), AUGUST, "Oviedo is no longer an Isolated Space."),
    (
        rare.BeachHeadPlaced("beach_head_mallorca", "mallorca", R),
        AUGUST,
        "The Republicans open a Beach Head next to Mallorca.",
    ),
    (
        rare.BeachHeadRemoved("beach_head_mallorca"),
        BEACH,
        "The Beach Head (Mallorca) is removed from the map.",
    ),
    (
        rare.DeadlineSet("beach_head_mallorca", 2),
        AUGUST,
        "The landing must take Mallorca by the end of turn 2.",
    ),
    (
        rare.BonusPlaced("zafra", "R33"),
        AUGUST,
        "Zafra is the prize of Strategic Counterattack (Brunete, R33) while it is held.",
    ),
    (
        rare.BonusLost("zafra"),
        FORTIFIED,
        "The prize of the strategic counterattack, Zafra, is lost.",
    ),
    # score and lasting facts
    (
        e.ScoreChanged(1, -1, "capture", "badajoz"),
        AUGUST,
        "Victory Points rise by 1 to 8 and Republican Morale falls by 1 to 25: capture of Badajoz.",
    ),
    (
        e.ScoreChanged(0, -1, "card", "N6"),
        AUGUST,
        "Republican Morale falls by 1 to 25.",
    ),
    (
        e.ScoreChanged(0, 1, "bonus lost", "R33"),
        AUGUST,
        "Republican Morale rises by 1 to 27: bonus of Strategic Counterattack (Brunete, R33) lost.",
    ),
    (
        e.ScoreChanged(0, -1, "liberation", "alcazar"),
        AUGUST,
        "Republican Morale falls by 1 to 25: liberation of the Alcázar of Toledo.",
    ),
    (
        e.ScoreChanged(0, -2, "border with france closed"),
        AUGUST,
        "Republican Morale falls by 2 to 24: the whole French border is in Nationalist hands.",
    ),
    (
        e.ScoreChanged(1, 0, "not played", "R8"),
        AUGUST,
        "Victory Points rise by 1 to 8: Largo Caballero's Government (R8) not played.",
    ),
    (
        e.ScoreChanged(-2, 0, "effort against Madrid: neighbour_attacked_or_occupied"),
        AUGUST,
        "Victory Points fall by 2 to 5: the Nationalists came only as far as the outskirts "
        "of Madrid.",
    ),
    (e.ScoreChanged(0, 0, "winter"), AUGUST, None),
    (
        e.FlagSet("strait_nationalist"),
        AUGUST,
        "The Strait of Gibraltar is in Nationalist hands.",
    ),
    (e.FlagSet("severe_winter_5"), AUGUST, "The next winter will be a severe one."),
    (e.FlagSet("nationalist_whole"), AUGUST, None),
    (
        e.FlagCleared("shortage"),
        AUGUST,
        "The Nationalist ammunition shortage is over.",
    ),
    (e.TurnMarkSet("reinforcement_axis"), AUGUST, None),
    (e.ReplacementsRecorded("REP", 6), CAMPAIGN, "3 REP points are recorded."),
    (
        e.ReplacementsRecorded("NAT", 1),
        AUGUST,
        "½ NAT point is recorded, for a total of 2½.",
    ),
    (e.ReplacementsRecorded("NAT", 0), AUGUST, None),
    (rare.ReplacementsSpent("REP", 2), AUGUST, "1 REP point spent, 1½ left."),
    (rare.ReplacementsSpent("REP", 5), AUGUST, "2½ REP points spent, none left."),
    (
        rare.ReplacementsAdjusted("NAT", -2, ("Main Cities lost", "N41")),
        AUGUST,
        "The Nationalists lose 1 NAT point and have 1: Main Cities lost and Reduction of Soviet "
        "Aid. Japan Attacks China (N41).",
    ),
    (
        rare.ReplacementsAdjusted("NAT", -2, ()),
        AUGUST,
        "The Nationalists lose 1 NAT point and have 1.",
    ),
    (
        rare.ReplacementsWithheld("SOV", 4),
        AUGUST,
        "2 SOV points are not recorded: the event of R2 has not been played (14.1.1.1).",
    ),
    (
        rare.ReplacementsWithheld("REP", 2),
        AUGUST,
        "1 REP point is not recorded: the Last Mobilization is over (R49).",
    ),
    (
        rare.ReplacementsLapsed(("NAT", "AXIS")),
        AUGUST,
        "Unspent NAT and AXIS points lapse.",
    ),
    # orders and dice
    (
        e.SpacesActivated(N, (), ("sevilla", "riotinto", "caceres")),
        AUGUST,
        "The Nationalists activate Sevilla, Riotinto and Cáceres for combat.",
    ),
    (
        e.SpacesActivated(R, ("penarroya", "talavera"), ("zafra",)),
        AUGUST,
        "The Republicans activate Peñarroya and Talavera de la Reina for movement; "
        "Zafra for combat.",
    ),
    (e.SpacesActivated(N, (), ()), AUGUST, "The Nationalists activate no space."),
    (
        e.DigRolled("penarroya", "R-MIL-16", "position", 2, 2),
        AUGUST,
        "Militia R-MIL-16 tries to build a Position in Peñarroya: die 2.",
    ),
    (
        e.DigRolled("penarroya", "R-MIL-16", "position", 4, 3),
        AUGUST,
        "Militia R-MIL-16 tries to build a Position in Peñarroya: die 4, modified to 3.",
    ),
    (
        e.AttackDeclared(
            N, "merida", ("INF-14", "MIL-NAV-1", "MIL-NAV-3"), ("caceres",), ("R-POL-7",)
        ),
        AUGUST,
        "The Nationalists attack Mérida from Cáceres: Infantry INF-14, Navarre militia "
        "MIL-NAV-1 and MIL-NAV-3 against Police R-POL-7.",
    ),
    (
        e.AttackDeclared(N, "merida", ("CV-33-1",), ("caceres",), ("R-POL-7",), "CV-33-1"),
        AUGUST,
        "The Nationalists attack Mérida from Cáceres: Italian light tanks CV-33-1 against "
        "Police R-POL-7; CV-33-1 claims the armor modifier.",
    ),
    (
        e.AttackCalledOff("mallorca", "N7"),
        AUGUST,
        "Airplanes Disperse Militia (N7) ends the attack on Mallorca before a shot is fired.",
    ),
    (
        e.FireResolved(N, 5, "division", "5", (), 4, (), 4, 2),
        AUGUST,
        "The Nationalists fire with strength 5 on column 5 of the division table: "
        "die 4, Loss Number 2.",
    ),
    (
        e.FireResolved(
            N,
            6,
            "corps",
            "4",
            (("mountain", -1), ("river", -1)),
            4,
            (("N5", 1), ("militia", -1)),
            4,
            3,
        ),
        AUGUST,
        "The Nationalists fire with strength 6 on column 4 of the corps table (mountain 1L, "
        "river 1L): die 4, +1 (Naval Support, N5), −1 (militia, turn 1) = 4, "
        "Loss Number 3.",
    ),
    (
        e.CombatDecided("merida", N, 2, 0),
        AUGUST,
        "The Nationalists win the combat in Mérida, 2 to 0.",
    ),
    (
        e.CombatDecided("merida", R, 0, 1),
        AUGUST,
        "The Republicans win the combat in Mérida, 1 to 0.",
    ),
    (e.CombatDecided("zafra", "", 1, 1), AUGUST, "The combat in Zafra is drawn, 1 to 1."),
    (
        e.RetreatCancelled("somosierra", "R-MIL-8"),
        AUGUST,
        "The defenders of Somosierra refuse to retreat, at the cost of a step of Militia R-MIL-8.",
    ),
    (
        e.RetreatCancelled("somosierra", ""),
        AUGUST,
        "The defenders of Somosierra refuse to retreat.",
    ),
    (e.AdvanceForgone("somosierra"), AUGUST, "No unit advances into Somosierra."),
    (
        e.AdvanceCut(("INF-3",), "merida", "room"),
        AUGUST,
        "Infantry INF-3 stays behind, contrary to the plan: Mérida has no room for more (9.1.1).",
    ),
    (
        e.AdvanceCut(("INF-3", "INF-4"), "merida", "north"),
        AUGUST,
        "Infantry INF-3 and INF-4 stay behind, contrary to the plan: "
        "the regions of the north allow no advance there (16.4.2.1).",
    ),
    (
        e.AdvanceCut((), "merida", "path"),
        AUGUST,
        "No unit goes on to Mérida as planned: the advance may not go there (11.5.3).",
    ),
    (
        e.SiegeAssaulted("alcazar", ("R-MIL-10",), 3, 4, False),
        AUGUST,
        "Militia R-MIL-10 assaults the Alcázar of Toledo: die 3, modified to 4; "
        "the garrison beats it off.",
    ),
    (
        e.SiegeAssaulted("simancas", ("MIL-AST-7", "MIL-AST-8"), 1, 1, True),
        AUGUST,
        "Asturian militia MIL-AST-7 and MIL-AST-8 assault the Simancas Barracks: die 1; "
        "the walls are breached.",
    ),
    # the optional rules
    (
        rare.GuerrillaSent("guerrilla", "zaragoza"),
        AUGUST,
        "Guerrillas harass the enemy in Zaragoza.",
    ),
    (
        rare.GuerrillaSent("sabotage"),
        AUGUST,
        "The guerrilla corps goes out to blow up trains and bridges.",
    ),
    (
        rare.IntelligenceRolled(3, 3, 0),
        AUGUST,
        "The guerrillas' intelligence: die 3, they learn of 3 cards.",
    ),
    (
        rare.IntelligenceRolled(6, 0, 0),
        AUGUST,
        "The guerrillas' intelligence: die 6, they learn nothing.",
    ),
    (
        e.CardsSeen(N, ("n/1/2",)),
        AUGUST,
        "The Nationalists must show Naval Support (N5).",
    ),
    (
        rare.CardBroughtBack(N, "N32"),
        AUGUST,
        "SIPM (Military Information and Police Service, N32) returns to the Nationalist deck.",
    ),
    (
        rare.UnitExchanged("INF-15", "T-26-NAT"),
        REDUCED,
        "Captured T-26 (T-26-NAT, reduced) replaces Infantry INF-15.",
    ),
    (
        rare.UnitsShuffled(N, "aragon", (("INF-9", "jaca", True), ("N-POL-1", "huesca", False))),
        AUGUST,
        "The Nationalist units of an area are dealt out: Jaca Infantry INF-9 (reduced); "
        "Huesca Police N-POL-1.",
    ),
    (
        rare.MarkersChanged(R, 1),
        AUGUST,
        "The Republicans lose 1 marker, which must be rebuilt.",
    ),
    (
        rare.MarkersChanged(R, -1),
        AUGUST.but(lost_forts={"captured_republican": 2}),
        "The Republicans rebuild 1 marker.",
    ),
    (
        e.WithdrawalDeclared("zafra", R),
        AUGUST,
        "The defenders of Zafra withdraw as the attack begins.",
    ),
    (e.UnitSpared("R-MIL-8"), AUGUST, "Militia R-MIL-8 gets away."),
    (
        rare.LandingRolled(2, 3, False),
        AUGUST,
        "The order for the landing: die 2, modified to 3, the fleet stays in port.",
    ),
)


def told(event: Event[Position], position: Position) -> str | None:
    """The event as a sentence in English."""
    message = narrate(event, position)
    return None if message is None else sentence(message)


@pytest.mark.parametrize(
    ("event", "before", "text"), TOLD, ids=lambda value: type(value).__name__[:20]
)
def test_each_event_is_told(event: Event[Position], before: Position, text: str | None) -> None:
    assert told(event, event.apply(before)) == text


def test_each_example_is_told_by_the_catalogue() -> None:
    told = [narrate(event, event.apply(before)) for event, before, _ in TOLD]
    told += [each for pair in narrative_seldom.FLAGS.values() for each in pair]
    told += [*narrative_seldom.REASONS.values(), *narrative.MARKS.values(), *MODIFIERS.values()]
    assert [fault for each in told if each for fault in unmarked(each, "crusade")] == []


def test_what_comes_at_once_is_told_by_the_catalogue() -> None:
    for following, text, many in narrative.AT_ONCE:
        together = replace(told_of(e.UnitReduced("N-NAVARRA")), text=text, many=many)
        assert following in {key[0] for key in known("crusade") if isinstance(key, tuple)}
        assert list(unmarked(together, "crusade")) == []


def told_of(event: Event[Position]) -> Told:
    told = narrate(event, AUGUST)
    assert isinstance(told, Told)
    return told


def test_each_kind_of_event_has_an_example() -> None:
    examples = {type(event) for event, _, _ in TOLD}
    assert set(narrative_words.LINES) - examples == set()


def test_the_heading_says_where_the_game_stands() -> None:
    title = "Turn 1, August 1936 (War of the Columns)"
    assert str(clock(CAMPAIGN).words) == title
    assert str(clock(AUGUST).words) == f"{title}, Nationalist round 3"
    assert str(clock(AUGUST.but(turn=7, active=R)).words) == (
        "Turn 7, May/June 1937 (Mobilization), Republican round 3"
    )
    assert str(clock(AUGUST.but(segment="war_status")).words) == f"{title}, War Status Phase"
    assert str(clock(AUGUST.but(result=(N, "over"))).words) == f"{title}, the end"


# --- a round as it is read ----------------------------------------------------------------------

EXTREMADURA = (
    CAMPAIGN.but(turn=1, round=5, active=N, combat=Combat(N, "merida", {}))
    .with_unit("AFR-2", "sevilla")
    .with_unit("INF-15", "riotinto")
    .with_unit("N-POL-4", "riotinto")
    .with_unit("CAV-7", "riotinto")
    .with_unit("MIL-NAV-1", "caceres")
    .with_unit("MIL-NAV-3", "caceres")
    .with_unit("R-MIL-14", "jerez_de_los_caballeros", True)
    .with_unit("R-POL-2", "jerez_de_los_caballeros")
    .with_unit("R-MIL-25", "santa_olalla")
    .with_control("riotinto", N)
)
"""The south as chapter 24 has it before the fifth Nationalist round."""

Happened = Event[Position] | Line
"""Orders, dice and remarks stand as lines between the events."""


def die(label: str, face: int, what: str) -> Line:
    return Line(what, "roll", beacon=9, label=label, face=str(face))


NATIONALIST_ROUND_5: tuple[Happened, ...] = (
    Line("arrive: {at: sevilla}", "order"),
    e.UnitPlaced("AFR-3", "sevilla"),
    Line("play: {card: N7, for: operations}", "order"),
    e.CardPlayed(N, "n/1/4", "N7", "operations"),
    e.CardDiscarded(N, "N7"),
    Line("activate: {attack: [sevilla, riotinto, caceres]}", "order"),
    e.SpacesActivated(N, (), ("sevilla", "riotinto", "caceres")),
    Line("attack: {space: merida, units: {caceres: [INF, MIL-NAV, MIL-NAV]}}", "order"),
    e.AttackDeclared(N, "merida", ("INF-14", "MIL-NAV-1", "MIL-NAV-3"), ("caceres",), ("R-POL-7",)),
    die("combat/1/att", 4, "Nationalist fire"),
    die("combat/1/def", 1, "Republican fire"),
    e.FireResolved(N, 5 + 1, "division", "5", (("river", -1),), 4, (), 4, 2),
    e.FireResolved(R, 1, "division", "1", (), 1, (), 1, 0),
    e.CombatDecided("merida", N, 2, 0),
    e.UnitReduced("R-POL-7"),
    e.UnitEliminated("R-POL-7"),
    e.UnitAdvanced("MIL-NAV-1", "merida"),
    e.UnitAdvanced("MIL-NAV-3", "merida"),
    e.SpaceTaken("merida", N),
    Line(
        "attack: {space: santa_olalla, units: {sevilla: [AFR, AFR], riotinto: [CAV]}, "
        "losses: [CAV, AFR]}",
        "order",
    ),
    e.AttackDeclared(
        N,
        "santa_olalla",
        ("CAV-7", "AFR-1", "AFR-2"),
        ("sevilla", "riotinto"),
        ("R-MIL-15", "R-MIL-25"),
    ),
    die("combat/2/att", 5, "Nationalist fire"),
    die("combat/2/def", 1, "Republican fire"),
    e.FireResolved(N, 7, "division", "7", (), 5, (), 5, 3),
    e.FireResolved(R, 2, "division", "2", (), 1, (), 1, 0),
    e.CombatDecided("santa_olalla", N, 3, 0),
    e.UnitReduced("R-MIL-15"),
    e.UnitEliminated("R-MIL-15"),
    e.UnitReduced("R-MIL-25"),
    e.UnitRetreated("R-MIL-25", ("cazalla", "penarroya")),
    e.UnitAdvanced("CAV-7", "santa_olalla"),
    e.UnitAdvanced("AFR-1", "santa_olalla"),
    e.SpaceTaken("santa_olalla", N),
    Line(
        "attack: {space: jerez_de_los_caballeros, units: {riotinto: [INF, POL]}, losses: [POL]}",
        "order",
    ),
    e.AttackDeclared(
        N, "jerez_de_los_caballeros", ("INF-15", "N-POL-4"), ("riotinto",), ("R-MIL-14", "R-POL-2")
    ),
    die("combat/3/att", 6, "Nationalist fire"),
    die("combat/3/def", 6, "Republican fire"),
    e.FireResolved(N, 3, "division", "3", (), 6, (), 6, 2),
    e.FireResolved(R, 1, "division", "1", (), 6, (), 6, 1),
    e.CombatDecided("jerez_de_los_caballeros", N, 2, 1),
    e.UnitEliminated("R-MIL-14"),
    e.UnitReduced("R-POL-2"),
    e.UnitReduced("N-POL-4"),
    e.UnitRetreated("R-POL-2", ("zafra",)),
    e.UnitAdvanced("INF-15", "jerez_de_los_caballeros"),
    e.UnitAdvanced("N-POL-4", "jerez_de_los_caballeros"),
    e.SpaceTaken("jerez_de_los_caballeros", N),
    Line("advance: {units: [AFR], to: [cazalla]}: the combat of Zafra was not won", "lapse"),
    e.RoundEnded(N, 5),
)

REPUBLICAN_ROUND_5: tuple[Happened, ...] = (
    e.CardPlayed(R, "r/1/4", "R5", "operations"),
    e.CardDiscarded(R, "R5"),
    e.SpacesActivated(R, ("penarroya", "talavera"), ()),
    e.StackMoved(("R-MIL-16",), ("penarroya", "zafra")),
    die("build/1/die/1", 2, "Position in Peñarroya"),
    die("build/2/die/1", 6, "Position in Talavera de la Reina"),
    e.DigRolled("penarroya", "R-MIL-25", "position", 2, 2),
    e.FortBuilt("penarroya", Fort("position", R)),
    e.DigRolled("talavera", "R-MIL-11", "position", 6, 6),
    e.DiggingFailed("talavera", -1),
    e.RoundEnded(R, 5),
    Line("A fine day for you in Extremadura. Wait for the winter.", "say"),
)

REPLACEMENTS: tuple[Happened, ...] = (
    e.ReplacementsRecorded("REP", 6),
    rare.ReplacementsSpent("REP", 1),
    rare.UnitRestored("R-POL-2"),
    rare.ReplacementsSpent("REP", 1),
    rare.UnitRestored("R-MIL-25"),
    rare.ReplacementsSpent("REP", 2),
    e.UnitPlaced("R-MIL-15", RESERVE),
    rare.ReplacementsLapsed(("REP", "SOV")),
)


def diary(position: Position, journal: Iterable[Happened]) -> tuple[tuple[Line, ...], Position]:
    """The lines of a round, and the table after it."""
    lines: list[Line] = []
    for each in journal:
        if isinstance(each, Line):
            lines.append(each)
            continue
        position = each.apply(position)
        message = narrate(each, position)
        if message is not None:
            lines.append(Line(message))
    return tuple(lines), position


def chapter_24() -> Log:
    """The fifth rounds of the extended example, and a replacement phase."""
    first, position = diary(EXTREMADURA, NATIONALIST_ROUND_5)
    second, position = diary(position.but(active=R), REPUBLICAN_ROUND_5)
    third, position = diary(position, REPLACEMENTS)
    rounds = (
        Paragraph("Nationalist round 5", 14, "Nationalists", first),
        Paragraph("Republican round 5", 15, "Republicans", second),
        Paragraph("Replacements", 18, "Republicans", third),
    )
    title = str(clock(CAMPAIGN).words)
    return Log("Crusade and Revolution: Campaign", (Chapter(title, rounds),), ("Open hands.",))


def test_a_round_reads_like_a_diary() -> None:
    """PBEM_GOLDEN=write rewrites the text; read it aloud before it is committed."""
    golden = GOLDEN / "extremadura.txt"
    text = rendered(chapter_24())
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


SENTENCE = re.compile(r"[^a-z_]([^_]*)[.)]")
"""Ids of spaces, flags and the like have an underscore; slots have slashes."""
SLOT = re.compile(r"\b[nr]/\d")


def machine_words(told: Iterable[str | None]) -> list[str]:
    texts = [text for text in told if text is not None]
    return [text for text in texts if SLOT.search(text) or not SENTENCE.fullmatch(text)]


def test_no_word_of_the_machinery_is_told() -> None:
    assert machine_words(told(event, event.apply(before)) for event, before, _ in TOLD) == []


class RandomDice:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        return {draw.label: self._one(draw) for draw in draws}

    def _one(self, draw: Draw) -> Roll:
        if draw.is_sample:
            picked = tuple(self.rng.sample(range(draw.of), draw.take))
            return Roll(draw.label, draw.purpose, picked=picked)
        return Roll(draw.label, draw.purpose, face=self.rng.randint(1, draw.faces))


@pytest.mark.parametrize("seed", [1936, 1937])
def test_random_rounds_are_told_in_whole_sentences(seed: int) -> None:
    """Also shows the words of the rules (reasons, modifiers) that no example above lists."""
    rng = random.Random(seed)
    step = begin(State(CAMPAIGN.but(options=frozenset({"open_hands"})), opening()))
    texts: list[str | None] = []
    for _ in range(250):
        decision = waits_for(step.state)
        if decision is None:
            break
        if isinstance(decision, Decision):
            step = submit(step.state, next(legal_samples(step.state, rng)))
        else:
            step = roll(step.state, RandomDice(rng))
        texts += map(told, step.events, step.positions)
    assert len(texts) > 300
    assert machine_words(texts) == []
