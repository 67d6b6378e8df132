"""Checks the proof that a player has signed two stories of a game, without pbem (16).

fork.py PROOF.json

Not checked, since it takes the rules of the game: whose turn it was, so whether the entries that
lead to the two are notes, and whether the two are legal. `pbem prove-fork PROOF.json` does that."""

import sys
from pathlib import Path

from verify import OTHER, Game, need, parse

MEMBERS = {"format", "game", "by", "seq", "common", "lines"}


def told(entries: list) -> Game:  # what a story settles; raises Refused at the first wrong entry
    game = Game()
    for entry in entries:
        game.take(entry)
    return game


def judge(data: bytes) -> str:  # who has signed both, in words
    proof = parse(data)
    need(isinstance(proof, dict) and set(proof) == MEMBERS, "E-SCHEMA: not the members of a proof")
    need(proof["format"] == "pbem-fork/1", "E-VERSION: the format is not pbem-fork/1")
    by, common, lines = proof["by"], proof["common"], proof["lines"]
    need(by in OTHER and len(lines) == 2 and all(lines), "E-SCHEMA: not two lines by a player")
    need(common and len(common) == proof["seq"], "E-SCHEMA: the lines do not follow the others")
    parts, seats = set(), set()
    for line in lines:
        authors = [entry["payload"]["by"] for entry in line]
        kinds = [step.get("what") for step in line[-1]["payload"]["steps"]]  # a result may be on
        alone = by not in authors[:-1] or "result" in kinds  # notes of one's own (34)
        need(authors[-1] == by and alone, "E-SCHEMA: one entry ends each line")
        game = told(common + line)
        parts.add(game.ids[len(common)])
        need(proof["game"] == (game.ids[1] if proof["seq"] > 1 else None), "E-GAME: another game")
        seats.add(game.seats.get(by))
        need(by not in game.alone, f"no fork: the key of {by} rests on the word of {OTHER[by]}")
        need(game.terms.options.get("solo") is not True, "no fork: anybody signs in a solo game")
    need(len(seats) == 1, f"no fork: the director gave the seat of {by} away in one story")
    need(len(parts) == 2, "E-SCHEMA: the two lines do not part")
    return f"player {by} has signed two stories that part after entry {proof['seq'] - 1}"


def main(path: str = "", *more: str) -> int:
    if more or not Path(path).is_file():
        return print(__doc__.split("\n\n")[1], file=sys.stderr) or 2
    try:
        with open(path, "rb") as file:
            found = judge(file.read(33 << 20))
    except Exception as error:  # whatever else is wrong with it: it proves nothing
        return print(f"{path}, {error}") or 3
    return print(f"{found}\n{__doc__.split(chr(10) * 2)[2]}") or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
