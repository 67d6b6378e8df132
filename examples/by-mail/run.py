"""Two players and their mail programs: what arrives, and what pbem makes of it."""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PBEM = [sys.executable, "-c", "from pbem.cli import main; main()"]


class Desk:
    """A player's folder, and the commands they type in it."""

    def __init__(self, root: Path, name: str) -> None:
        self.folder, self.name = root / name, name
        self.folder.mkdir()
        self.environment = {
            **os.environ, "XDG_CONFIG_HOME": str(root / f"{name}-config"),
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(root / "cache")),
        }  # fmt: skip

    def pbem(self, *words: str, code: int = 0, show: bool = True) -> str:
        """Runs a command and prints it with what it says, on either channel."""
        done = subprocess.run(
            [*PBEM, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode != code:
            raise SystemExit(f"pbem {' '.join(words)}: {done.returncode}\n{done.stderr}")
        print(f"\n{self.name}$ pbem {' '.join(words)}")
        print((done.stderr if code else done.stdout).rstrip() if show else "...")
        return done.stdout

    def gets(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")


def main() -> None:
    root = Path(tempfile.mkdtemp(prefix="pbem-by-mail-"))
    try:
        correspond(Desk(root, "ana"), Desk(root, "beto"))
    finally:
        shutil.rmtree(root, ignore_errors=True)


def correspond(ana: Desk, beto: Desk) -> None:
    for player in (ana, beto):
        player.pbem("keygen", "--out", f"{player.name}.key", "--name",
                    player.name.title(), "--no-passphrase", show=False)  # fmt: skip
    shutil.copy(beto.folder / "beto.key.pub", ana.folder)

    print("\n--- Ana proposes; the file is attached to her message")
    ana.pbem("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
             "--opponent", "beto.key.pub", "-o", "g0.pbem.json")  # fmt: skip
    ana.pbem("mail", "g0.pbem.json", "--to", "Beto <beto@example.org>", "-o", "proposal.eml")
    shutil.copy(ana.folder / "proposal.eml", beto.folder)
    beto.pbem("read", "proposal.eml", "-o", "g0.pbem.json")

    print("\n--- Beto accepts, and pastes a block, and the mail program quotes it")
    beto.pbem("apply", "g0.pbem.json", "--key", "beto.key", "-o", "g1.pbem.json", show=False)
    block = beto.pbem("mail", "g1.pbem.json", "--armor")
    ana.gets("reply.txt", f"Beto wrote:\n{quoted(block)}\nGood luck!\n")
    ana.pbem("read", "reply.txt", "--game", "g0.pbem.json", "-o", "g1.pbem.json")

    print("\n--- Ana begins; the file arrives in the text of an HTML mail")
    ana.pbem("apply", "g1.pbem.json", "--key", "ana.key", "-o", "g2.pbem.json", show=False)
    game = (ana.folder / "g2.pbem.json").read_text(encoding="utf-8")
    beto.gets("begun.eml", f"Subject: our game\nContent-Type: text/html\n\n{as_html(game)}")
    beto.pbem("read", "begun.eml", "-o", "g2.pbem.json")

    print("\n--- A letter is changed on the way: nothing is read, and the line is named")
    ana.gets("odd.txt", changed(block, line=3))
    ana.pbem("read", "odd.txt", "--game", "g0.pbem.json", "-o", "odd.pbem.json", code=3)


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def as_html(text: str) -> str:
    return f"<html><body><p>Here it is.</p><div>{html.escape(text)}</div></body></html>\n"


def changed(block: str, line: int) -> str:
    """The block with another first letter in a line of its body."""
    lines = block.split("\n")
    at = lines.index("") + line
    lines[at] = ("B" if lines[at][0] == "A" else "A") + lines[at][1:]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
