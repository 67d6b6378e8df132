"""The versions of all that is kept, as `pbem --version --json` prints them for a program.

schemas/promises.md says what each of them promises.
"""

from __future__ import annotations

from pbem import __version__
from pbem.cli import seen, settings_file
from pbem.gamefile import chain, contacts, fork, format, rulings
from pbem.orders import shape

JSON = 1
"""That of what `--json` prints: members may be added to it, and none is taken away."""
KEYS = "openssh-key-v1"
"""The format of a private key, which is not ours: the word with which OpenSSH begins it."""


def versions() -> dict[str, str | int]:
    """The version of each thing, by the name that the page has for it."""
    return {
        "pbem": __version__,
        "file": format.FORMAT,
        "entry": chain.VERSION,
        "proof": fork.FORMAT,
        "ruling": rulings.FORMAT,
        "orders": shape.VERSION,
        "settings": settings_file.VERSION,
        "contacts": contacts.FORMAT,
        "record": seen.FORMAT,
        "key": KEYS,
        "json": JSON,
    }
