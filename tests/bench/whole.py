"""Whole games verified cold, against a whole game of `diplomacy` played again, which checks no
signature. Time of the processor, since other programs may use the other core."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pbem.gamefile.format import read
from tests.bench.active import active_game, cut
from tests.bench.cold import PBEM, Cold
from tests.bench.game import HOME
from tests.replays import campaign

TURNS = 5
PHASE = str(Path(__file__).with_name("diplomacy_phase.py"))
LIMITS = {"open hands": 0.65, "sealed hands": 0.9, "sealed, both audits": 1.05}
"""The Campaigns of 216 rounds, and how many replays of 216 phases each may take."""


def verified() -> dict[str, float]:
    """For each Campaign, the time of a cold `pbem verify` against that of a cold replay."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environment = {"XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home)}
        cold = {"diplomacy": Cold([sys.executable, PHASE, "replay", str(_recorded())], {}, None)}
        for name, raw in _campaigns():
            file = home / f"{name}.pbem.json"
            file.write_bytes(raw)
            cold[name] = Cold([PBEM, "verify", str(file)], environment, None)
        for _ in range(TURNS + 1):
            for each in cold.values():
                each.run()
    replay = cold.pop("diplomacy").cpu_milliseconds
    return {name: each.cpu_milliseconds / replay for name, each in cold.items()}


def _campaigns() -> Iterator[tuple[str, bytes]]:
    audited = active_game()
    names = iter(LIMITS)
    yield next(names), campaign.raw_of()
    yield next(names), cut(audited, _before_audits(audited))
    yield next(names), audited


def _before_audits(raw: bytes) -> int:
    """How many entries stand before the first with an audit."""
    return next(
        count
        for count, entry in enumerate(read(raw))
        if any(step["do"] == "audit" for step in entry.payload["steps"])
    )


def _recorded() -> Path:
    kept = HOME / "diplomacy-game.json"
    if not kept.exists():
        HOME.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, PHASE, "record", str(kept)], check=True)
    return kept
