"""What has to be true before a release is made, and the sentence for each thing that is not."""

from __future__ import annotations

import re
import subprocess
from datetime import date
from pathlib import Path

VERSION = re.compile(r'^__version__ = "(.*)"$', re.M)
FINAL = re.compile(r"[1-9][0-9]*\.[0-9]+\.[0-9]+")
ENTRY = re.compile(r"^## (\S+) \((.*)\)$", re.M)
PAGES = ("README.md", "examples/installing/README.md")
"""Those with lines to paste that name the wheel."""
MOST_NAMED = 5


def git(root: Path, *words: str) -> str:
    """What git says in a tree."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


def version(root: Path) -> str:
    """The version of a tree, from the one place where it stands."""
    (found,) = VERSION.findall((root / "pbem" / "__init__.py").read_text(encoding="utf-8"))
    return found


def unready(root: Path, today: date) -> list[str]:
    """A sentence for each thing that is not ready, with what to do; none if all is."""
    ours = version(root)
    told = [*_tree(root, ours), *_version(ours), *_changelog(root, ours, today)]
    return told + [said for page in PAGES for said in _page(root, page, ours)]


def _tree(root: Path, ours: str) -> list[str]:
    found = []
    changed = [line[3:] for line in git(root, "status", "--porcelain").splitlines()]
    if changed:
        more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
        named = ", ".join(changed[:MOST_NAMED])
        found.append(f"the tree is not clean ({named}{more}): commit this, or take it away")
    if git(root, "tag", "--list", f"v{ours}").strip():
        found.append(
            f"v{ours} is released already: raise the version in pbem/__init__.py; "
            "what was released is never made again"
        )
    return found


def _version(ours: str) -> list[str]:
    if FINAL.fullmatch(ours):
        return []
    return [
        f"pbem/__init__.py says version {ours}, which promises nothing: a release is 1.0.0 or "
        "later, three numbers and no more"
    ]


def _changelog(root: Path, ours: str, today: date) -> list[str]:
    entries = ENTRY.findall((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not entries or entries[0][0] != ours:
        newest = f"its newest is {entries[0][0]}" if entries else "it has none"
        return [f"CHANGELOG.md has no entry for {ours} at its top ({newest}): write it"]
    told = entries[0][1]
    try:
        day = date.fromisoformat(told)
    except ValueError:
        return [f"CHANGELOG.md says of {ours}: {told}; write the date there, such as {today}"]
    if day > today:
        return [f"CHANGELOG.md dates {ours} {told}, and today is {today}: correct one of them"]
    return []


def _page(root: Path, page: str, ours: str) -> list[str]:
    wheel = f"pbem-{ours}-py3-none-any.whl"
    named = set(re.findall(r"pbem-[0-9][^/\s]*?\.whl", (root / page).read_text(encoding="utf-8")))
    if named == {wheel}:
        return []
    other = ", ".join(sorted(named)) or "no wheel"
    return [f"{page} installs {other}: this release makes {wheel}"]
