"""Exit codes: a contract with scripts."""

from enum import IntEnum


class Exit(IntEnum):
    """The exit code for a shell; the numbers are part of the interface."""

    DONE = 0
    PROBLEMS = 1  # the orders or the data have problems, or it is not this player's turn
    USAGE = 2  # the command was called wrongly, or names what does not exist
    UNVERIFIED = 3  # the game file does not verify
    BUG = 70  # our own fault
