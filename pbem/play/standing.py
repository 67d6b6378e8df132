"""Standing orders kept in a file next to the game, and sealed again whenever needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import StandingPolicy
from pbem.gamefile.secrets import Secrets
from pbem.orders.parse import FIELDS, OrdersFile
from pbem.play.game import Game
from pbem.play.prepare import Prepared
from pbem.play.table import Table
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from pbem.text.wording import quoted
from pbem.text.yamlsource import examine
from pbem.words import listing

NAME, HEADING = "standing.yaml", "standing"
Part = Mapping[str, Any]


def check_heading(source: Source) -> None:
    """Raises Refused where the text of the file lacks its one heading, or has parts beside it."""
    document, _ = examine(source)
    top = document.value if document is not None else {}
    if document is None or (isinstance(top, dict) and "orders" in top):
        return  # other words are said of that
    if not isinstance(top, dict) or HEADING not in top:
        where = document.key_span((next(iter(top)),)) if top and isinstance(top, dict) else None
        raise Refused(
            Problem("missing-field", f"{NAME} has no line '{HEADING}:'", where or source.whole(),
                    hint=f"begin with a line '{HEADING}:', and indent the parts below it by two "
                    "spaces")
        )  # fmt: skip
    beside = [key for key in top if key not in FIELDS]
    if top[HEADING] is None and beside:
        raise Refused(
            *(Problem("unknown-field", f"{quoted(key)} is not below the line '{HEADING}:'",
                      document.key_span((key,)), hint="indent it by two spaces") for key in beside)
        )  # fmt: skip


def for_game(file: OrdersFile, game: Game) -> OrdersFile | None:
    """The file, if it is for this game. Raises Refused for what is no standing order in it."""
    if file.game and file.game != game.fold.fingerprint:
        return None
    strange = [key for key in ("orders", "say", "entry") if key in file.document.value]
    if strange:
        hint = "orders for one mail go into a file of their own"
        raise Refused(
            *(Problem("unknown-field", f"{NAME} has standing orders only, and no {key}",
                      file.document.key_span((key,)), hint=hint) for key in strange)
        )  # fmt: skip
    return file


def sealed_from(file: OrdersFile, game: Game) -> tuple[str, ...]:
    """The note that standing orders from a file are sealed: which parts, and for which games."""
    said = f"the standing orders of {NAME} are sealed with it: {', '.join(file.standing or ())}"
    if file.game:
        return (said,)
    return (said, f'{NAME} names no game, so it counts for every game next to it; the line game: '
            f'"{game.fold.fingerprint}" keeps it to this one')  # fmt: skip


def not_in_force(
    parts: Sequence[Part], machine: Machine, key: KeyPair, player: str
) -> tuple[Part, ...]:
    """The parts to be sealed: those that no unopened policy of the player already says."""
    secrets = Secrets.in_game(machine, key, player)
    hidden = [_said(each, secrets.read(each)) for each in machine.in_force(player)
              if each.c is not None and not each.is_unsealed]  # fmt: skip
    known = [*hidden, *(_said(each, each.doc) for each in machine.in_force(player) if not each.c)]
    return tuple(part for part in parts if _slot(part) not in known)


def _said(policy: StandingPolicy, document: Any) -> tuple[Any, ...]:
    return policy.slot, policy.scope, policy.until, document


def _slot(part: Part) -> tuple[Any, ...]:
    return part["slot"], part["scope"], part["until"], part["doc"]


def in_force(game: Game, key: KeyPair, player: str) -> tuple[Part, ...]:
    """The policies of a player that may answer now, as their author reads them."""
    secrets = Secrets.in_game(game.fold.machine, key, player)
    return tuple(
        {"slot": each.slot, "scope": each.scope, "until": each.until,
         "doc": secrets.read(each) if each.doc is None else each.doc}
        for each in game.fold.machine.in_force(player)
    )  # fmt: skip


def with_orders(
    game: Game, key: KeyPair | None, prepared: Prepared, player: str
) -> tuple[str, ...]:
    """What the standing orders in force after these orders are sent will answer."""
    parts = {part["slot"]: part for part in in_force(game, key, player)} if key else {}
    parts |= {part["slot"]: part for part in prepared.policies}
    return tuple(answers(prepared.table, player, tuple(parts.values())))


def answers(table: Table, player: str, parts: Sequence[Part]) -> Iterator[str]:
    """The answers of standing orders, in sentences, and the questions they leave open."""
    found = table.system.policies.outlook(table.state.position, table.seats[player], parts)
    if not (found.said or found.usual):
        return
    yield f"your standing orders answer {listing(found.said or ('nothing you name',))}"
    if found.usual:
        yield f"  what you left out is answered by default: {', '.join(found.usual)}"
    if found.asked:
        yield f"  you are still asked for: {', '.join(found.asked)}"
