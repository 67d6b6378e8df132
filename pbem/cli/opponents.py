"""Opponents: pinned keys, and the games with them that have begun and not ended."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.cli import files, keyfiles, kinds, report
from pbem.cli.request import Misused
from pbem.gamedata import folders
from pbem.gamefile import witness
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.format import read
from pbem.gamefile.keys import game_fingerprint, key_fingerprint
from pbem.gamefile.rotation import first_key
from pbem.messages import Either, Said, say
from pbem.play.game import Game
from pbem.problems import Problem, Refused, Span
from pbem.text.wording import quoted, shown
from pbem.value import value
from pbem.words import closest

if TYPE_CHECKING:
    from pbem.gamefile.contacts import Contact, Contacts

MOST_RECORDS = 5000
RECORD_LIMIT = 1 << 20


@value
class Met:
    """An opponent: what to report about them, and the contacts to keep if the command succeeds."""

    notes: tuple[Said, ...] = ()
    keep: Contacts | None = None


NOBODY = Met()


def contacts_file() -> str | None:
    """The file of this player's contacts; None without a home folder."""
    return folders.config("contacts.json")


def all_contacts() -> Contacts:
    """The contacts of this machine; none without a file.

    Raises Refused for a damaged file: silently starting a new one would forget every pinned key.
    """
    from pbem.gamefile import contacts
    from pbem.gamefile.contacts import Contacts

    path = contacts_file()
    if path is None or not os.path.exists(path):
        return Contacts()
    raw = files.read_bytes(path, contacts.MAX_BYTES, say("the list of contacts"))
    try:
        return contacts.read(raw)
    except FileRefused as refused:
        raise Refused(
            Problem(
                "contacts",
                say("your contacts cannot be read: {message}", message=refused.message),
                Span(path, 0, 0),
                hint=say("repair the file, or move it away: then each key is pinned again"),
            )
        ) from None


def keep(found: Contacts | None) -> None:
    """Writes the contacts, if there are new ones; failing here would be too late."""
    if found is None:
        return
    from pbem.gamefile import contacts

    path = contacts_file()
    try:
        if path is not None:
            files.replace_own(path, contacts.written(found))
            return
    except OSError:
        pass
    report.warn(say("note: the key of your opponent could not be pinned"))


def opponent_of(named: str) -> tuple[str, bytes]:
    """The name and key of an opponent, by the name of a contact or their public key file.

    A contact comes first: a stray file cannot replace a pinned key. A public key names its owner in
    its comment, or not at all; the name of its file means nothing. Raises FileRefused (E-KEY) if a
    contact and a file of one name have different keys, Refused for anything else and for a file
    without a public key.
    """
    contact = all_contacts().named(named)
    if contact is not None:
        _check_no_other(contact, named)
        return contact.name, contact.key
    if not os.path.exists(named):
        maybe = (f"{named}.pub", f"{named}.key.pub")
        beside = next(filter(os.path.exists, maybe), "")
        known = say("pbem contacts lists your contacts")
        if near := closest(named, [each.name for each in all_contacts().all]):
            known = say("did you mean {near}?", near=Either(tuple(map(shown, near))))
        raise Refused(
            Problem(
                "unreadable",
                say("not one of your contacts, and no such public key file"),
                Span(named, 0, 0),
                hint=say("is it {beside}?", beside=shown(beside)) if beside else known,
            )
        )
    return _in_file(named)


def _in_file(path: str) -> tuple[str, bytes]:
    from pbem.gamefile import contacts

    raw = kinds.read_as(kinds.PUBLIC, path, files.KEY_LIMIT, say("the public key"))
    key, comment = keyfiles.public_in_file(path, raw)
    return contacts.proper(comment), key


def _check_no_other(contact: Contact, named: str) -> None:
    """Raises FileRefused (E-KEY) if a public key file is named like a contact with another key."""
    if not os.path.exists(named):
        return
    try:
        _, key = _in_file(named)
    except Refused:
        return  # not a key, so it cannot be meant
    if key != contact.key:
        raise FileRefused(
            "E-KEY",
            say(
                "{contact} is a contact of yours with the key {fingerprint}, and the file "
                "of that name here has the key {other}",
                contact=contact.name,
                fingerprint=contact.fingerprint,
                other=key_fingerprint(key),
            ),
            hint=say(
                "{curdir} names the file; ask them which is right, by some means other than e-mail",
                curdir=os.path.join(os.curdir, named),
            ),
        )


def meet(name: str, key: bytes) -> Met:
    """Compares a key with the one pinned to the name; pins it if both are new.

    Raises FileRefused (E-KEY) if the name has another key.
    """
    book = all_contacts()
    owner = book.owner(key)
    if owner is not None and book.named(name) is None:
        return Met((say("this is the key of {name}, whom you know", name=owner.name),))
    if not name:
        return Met(
            (
                say(
                    "this key contains no name, so it is not pinned: {fingerprint} "
                    "(keygen --name puts one in)",
                    fingerprint=key_fingerprint(key),
                ),
            )
        )
    kept = book.met(name, key)
    if kept is book:
        return Met()
    pinned = say(
        "the key of {name} is now pinned: {fingerprint}",
        name=name, fingerprint=key_fingerprint(key),
    )  # fmt: skip
    return Met((pinned, *book.doubts(name)), kept)


def introduced(game: Game, player: str | None, named: str | None, *, accepts: bool = False) -> Met:
    """What to report about the opponent in a game, and what to keep.

    `named` is what `--opponent` says they are. With `accepts` the player is about to accept the
    proposal: then its key is pinned, without `named` under a name made from the key. Raises
    FileRefused (E-KEY) if they are someone else.
    """
    fold = game.fold
    if fold.is_solo or player is None:
        return Met()
    key = first_key(fold.machine, "B" if player == "A" else "A")
    met = Met()
    if named is not None:
        met = _as_named(named, key, own=fold.machine.keys.publics.get(player))
    if fold.phase != "proposed" or player == "A":
        return met
    known = all_contacts().owner(key)
    notes = list(met.notes)
    if known is not None:
        notes.append(
            say("the proposal is signed with the key of {name} that you know", name=known.name)
        )
    elif met.keep is None and accepts and named is None:
        met = _unnamed(key)
        notes += met.notes
    elif met.keep is None:
        notes.append(
            say(
                "the key of the proposal is new to you: {fingerprint} (--opponent NAME pins it to "
                "their name)",
                fingerprint=key_fingerprint(key),
            )
        )
    notes += unfinished(key, fold.proposal.get("match", ""))
    return Met(tuple(notes), met.keep)


def stand_in(key: bytes) -> str:
    """The name of a contact who gave none: a proposal has a key and no name."""
    body = key_fingerprint(key).partition(":")[2]
    return "player-" + "".join(filter(str.isalnum, body))[:8]


def is_unnamed(key: bytes) -> bool:
    """Whether the contact with this key still has the name that was made from it."""
    owner = all_contacts().owner(key)
    return owner is not None and _is_made_up(owner)


def _is_made_up(contact: Contact) -> bool:
    return contact.name == stand_in(contact.key)


def _unnamed(key: bytes) -> Met:
    """Pins the key of an opponent without a name, if there is room."""
    try:
        kept = all_contacts().met(stand_in(key), key)
    except Refused:
        kept = None  # a full list of contacts is not a reason to refuse a game
    told = say(
        "the key of your opponent is now pinned: {fingerprint} (--opponent NAME puts their name "
        "there)"
        if kept
        else "the key of your opponent is new to you, and not pinned: {fingerprint} (--opponent "
        "NAME puts their name there)",
        fingerprint=key_fingerprint(key),
    )  # fmt: skip
    return Met((told,), kept)


def _as_named(named: str, key: bytes, own: bytes | None) -> Met:
    """Handles `named`: a public key file must contain `key`, a name must be new or pinned to it.
    With one's `own` key nobody else is named.
    """
    from pbem.gamefile import contacts

    contact = all_contacts().named(named)
    if contact is not None:
        _check_no_other(contact, named)
    if contact is None and os.path.exists(named):
        name, theirs = _in_file(named)
    else:
        name, theirs = contacts.proper(named), key
        if not name:
            raise Misused(say("--opponent takes a name or a public key file"))
    if theirs == own:
        raise FileRefused(
            "E-KEY",
            say("{file} is your own key", file=shown(named)),
            hint=say("--opponent takes your opponent's name, or the file with their public key"),
        )
    if theirs != key:
        who = name or say("the owner of this key")
        raise FileRefused(
            "E-KEY",
            say(
                "your opponent in this game is not {who}: their key is {fingerprint}, that "
                "of the game is {other}",
                who=who,
                fingerprint=key_fingerprint(theirs),
                other=key_fingerprint(key),
            ),
            hint=say("ask them which is right, by some means other than e-mail"),
        )
    book = all_contacts()
    owner = book.owner(key)
    if owner is not None and name and _is_made_up(owner):
        return _renamed(book, owner, name)
    if owner is not None and name and book.named(name) is None:
        raise FileRefused(
            "E-KEY",
            say(
                "your opponent in this game is not {name}: they have the key of {owner}",
                name=name,
                owner=owner.name,
            ),
            hint=say("pbem contacts lists your contacts"),
        )
    return meet(name, key)


def called(key: bytes, name: str) -> list[Said]:
    """Gives a contact whose name was made from the key the one in their mail; says so.

    A mail can say anything, so no name that somebody chose is replaced, and none taken from
    another contact.
    """
    from pbem.gamefile import contacts

    name, book = contacts.proper(name), all_contacts()
    owner = book.owner(key)
    if not name or owner is None or not _is_made_up(owner) or book.named(name) is not None:
        return []
    met = _renamed(book, owner, name)
    keep(met.keep)
    return list(met.notes)


def _renamed(book: Contacts, owner: Contact, name: str) -> Met:
    """Replaces a made-up name by the name of a contact."""
    if name == owner.name:
        return Met()
    others = book.without(owner.name)
    kept = others.met(name, owner.key)
    if owner.mail:
        kept = kept.reached(kept.wanted(name), owner.mail)
    called = say("your opponent is called {name} in your contacts now", name=name)
    return Met((called, *others.doubts(name)), kept)


def unfinished(key: bytes, match: str = "") -> list[Said]:
    """A line for each game with the owner of a key that has begun and not ended.

    `match` is that of the new game: two begun games of one match are a complaint in themselves.
    """
    found = []
    for seen in _records():
        if not witness.is_unfinished(seen, key):
            continue
        is_known = _is_id(seen.get("game"))
        line = say(
            "you have an unfinished game with them: {what}, game {game}, entry {entry}",
            what=seen.get("what", say("a game")),
            game=game_fingerprint(seen["game"]) if is_known else say("unknown"),
            entry=seen["seq"],
        )
        found.append(_of_the_match(line, match, seen.get("match")))
    return found


def unanswered(proposed: Game, folder: str) -> list[Said]:
    """A line for each proposal of the same scenario and match to the same player that was made
    before, lies in a folder, and has no answer yet.
    """
    own = witness.record(proposed.fold, "A")
    return [
        say(
            "you have proposed this to them already, and they have not answered: {file}",
            file=os.path.join(folder, seen["file"]),
        )
        for seen in _records()
        if witness.is_same_proposal(seen, own) and seen["id"] != own["id"]
        and type(seen.get("file")) is str
        and _is_like(os.path.join(folder, seen["file"]), proposed.fold.proposal)
    ]  # fmt: skip


def _is_like(path: str, proposal: Mapping[str, Any]) -> bool:
    """Whether a file is there that proposes the same sides, options and terms."""
    if not os.path.isfile(path):
        return False
    try:
        first = read(files.read_bytes(path, files.GAME_LIMIT, say("the game file")))[0].steps[0]
    except (Refused, LookupError):
        return True  # what cannot be read may be the same
    terms = ("sides", "options", "silence", "director", "m")
    return all(first.get(each) == proposal.get(each) for each in terms)


def _of_the_match(line: Said, match: str, other: Any) -> Said:
    """The line for a begun game, with what it has in common with the match of the new one."""
    if not match or type(other) is not str:
        return line
    from pbem.gamefile import lookalikes

    if lookalikes.folded(other) == lookalikes.folded(match):
        return say("{line}, of the same match {match}", line=line, match=quoted(other))
    if lookalikes.looks(other) == lookalikes.looks(match):
        return say(
            "{line}, of a match that looks the same, {match}", line=line, match=quoted(other)
        )
    return line


def _records() -> Iterator[dict[str, Any]]:
    """The records of every game."""
    folder = folders.config("seen")
    if folder is None:
        return
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return
    for name in names[:MOST_RECORDS]:
        try:
            seen = json.loads(
                files.read_bytes(os.path.join(folder, name), RECORD_LIMIT, say("a record"))
            )
        except (Refused, ValueError, RecursionError):
            continue  # a damaged record counts as none
        if witness.is_record(seen):
            yield seen


def _is_id(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 64 and not set(text) - set("0123456789abcdef")
