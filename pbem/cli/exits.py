"""How a command ends: exit codes, which are a contract with scripts, and what lives until then."""

from enum import IntEnum


class Exit(IntEnum):
    """The exit code for a shell; the numbers are part of the interface."""

    DONE = 0
    PROBLEMS = 1  # the orders, the data or the key have problems, or it is not this player's turn
    USAGE = 2  # the command was called wrongly, or names what does not exist, or no game
    UNVERIFIED = 3  # the game file does not verify
    BUG = 70  # our own fault


_held: list[object] = []


def hold(thing: object) -> None:
    """Lets a thing live to the end of the process.

    To free a long game, one object after another, takes a fiftieth of the time that it took to
    verify it. Only the last is held, for a test runs many commands in one process.
    """
    _held[:] = [thing]
