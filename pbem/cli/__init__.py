"""The command line: each command reads, calls `play`, reports."""


def main() -> None:
    raise SystemExit(0)
