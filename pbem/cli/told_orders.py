"""Orders as their files have them, shown before they are signed, whoever wrote them."""

from __future__ import annotations

from typing import Any

from pbem.cli.files import StrPath
from pbem.cli.orders_files import read_source, standing_beside, standing_path
from pbem.gamefile.keys import KeyPair
from pbem.messages import Said, say
from pbem.play.answer import sealed_with
from pbem.play.game import Game
from pbem.text.source import Source
from pbem.text.yamlsource import examine
from pbem.words import visible


def standing_told(
    game: Game, key: KeyPair | None, orders: Source | None, path: StrPath
) -> list[Said]:  # fmt: skip
    """The standing orders next to a game file, where they are sealed with what is signed."""
    sealed = sealed_with(game, key, orders, standing_beside(path))
    if sealed is None or not sealed.policies:
        return []
    beside = standing_path(path)
    told = say("your standing orders, as {file} has them:", file=beside)
    return [told, *written_lines(beside)]


def written_lines(orders: StrPath) -> list[str]:
    """The lines of orders but comments: what is signed is seen before, whoever wrote it.

    A line of a text can look like a comment: all are shown where the others would mean less alone.
    """
    source = read_source(orders)
    every = source.text.splitlines()
    kept = [line for line in every if not line.lstrip().startswith("#")]
    if _meant(Source(source.name, "\n".join(kept))) != _meant(source):
        kept = every
    return [f"  {visible(line)}" for line in kept if line.strip()]


def _meant(source: Source) -> Any:
    document, _ = examine(source)
    return document and document.value
