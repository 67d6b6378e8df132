"""The error classes of the fair-play protocol, and the exception that carries them.

A class is a stable word (`E-FORGED`); its group is a number for programs that read `--json`.
Damage, forgery and a missing entry have different classes because they mean different things
between two people: damage accuses nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from pbem.messages import Said, say
from pbem.problems import Problem, Refused

GROUPS = MappingProxyType(
    {
        "E-TRANSPORT": 10, "E-DAMAGED": 10, "E-LIMIT": 10, "E-YAML": 10,
        "E-CANON": 20, "E-SCHEMA": 20, "E-VERSION": 20, "E-PATH": 20,
        "E-FORGED": 30, "E-KEY": 30, "E-GAME": 30, "E-RULES": 30,
        "E-CHAIN": 40, "E-FORK": 40, "E-ROLLBACK": 40, "E-DOUBLE": 40,
        "E-REVEAL": 50, "E-EARLY": 50, "E-NOREVEAL": 50, "E-LABEL": 50, "E-POLICY": 50,
        "E-DECK": 60, "E-OPEN": 60, "E-CARD": 60, "E-PIECE": 60,
        "E-TURN": 70, "E-ORDER": 70, "E-STATE": 70, "E-CONSENT": 70,
        "E-AUDIT": 80,
    }
)  # fmt: skip

BLAMES_NOBODY = frozenset(
    {"E-TRANSPORT", "E-DAMAGED", "E-LIMIT", "E-VERSION", "E-FORGED", "E-GAME", "E-RULES", "E-CHAIN",
     "E-ROLLBACK", "E-KEY", "E-LABEL", "E-STATE"}
)  # fmt: skip


class FileRefused(Refused):
    """A game file, an entry or a request that the protocol does not allow.

    `entry` and `step` count from 0; `by` is the player who signed the entry, or None if nothing is
    proven against a player. `causes` are the underlying problems of the rules.
    """

    def __init__(
        self,
        code: str,
        message: Said,
        *,
        rule: str = "",
        hint: Said = "",
        causes: Sequence[Problem] = (),
    ) -> None:
        assert code in GROUPS, code
        self.code, self.message, self.rule, self.hint = code, message, rule, hint
        self.causes = tuple(causes)
        self.entry: int | None = None
        self.step: int | None = None
        self.by: str | None = None
        super().__init__(*self._problems())

    @property
    def group(self) -> int:
        """The number of the class's group."""
        return GROUPS[self.code]

    @property
    def whose(self) -> str | None:
        """The player whose fault it is, as far as the file proves that."""
        return None if self.code in BLAMES_NOBODY else self.by

    def placed(
        self, *, entry: int | None = None, step: int | None = None, by: str | None = None
    ) -> FileRefused:
        """The same refusal with its place in the file; a place already known is kept."""
        self.entry = entry if self.entry is None else self.entry
        self.step = step if self.step is None else self.step
        self.by = by if self.by is None else self.by
        self.problems = self._problems()
        return self

    def _problems(self) -> tuple[Problem, ...]:
        rule = _of_the_protocol(self.rule)
        own = Problem(self.code, self._placed(), rule=rule, hint=self.hint)
        return (own, *self.causes)

    def _placed(self) -> Said:
        """What is wrong, behind the place where it is."""
        if self.entry is None:
            return self.message
        if self.step is None:
            return say("entry {entry}: {what}", entry=self.entry, what=self.message)
        return say(
            "entry {entry}, step {step}: {what}",
            entry=self.entry, step=self.step + 1, what=self.message,
        )  # fmt: skip


def _of_the_protocol(rule: str) -> str:
    """A citation that names the protocol: `R7` alone looks like a card, or a rule of the game.
    What is cited in words is a section; the rules of games have numbers.
    """
    if rule.replace(" ", "").isalpha():
        return f"protocol, {rule}"
    return f"protocol {rule}" if rule[:1] in ("R", "T") and rule[1:].isdigit() else rule
