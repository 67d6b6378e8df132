"""The opponents of a player: each name with the key that was used the first time.

A key that comes by mail can come from anyone. But a change of key can be noticed, so each name is
pinned to the first key that was used with it.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from typing import Any

from pbem.gamefile import canonical, lookalikes
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import check_public, key_fingerprint
from pbem.messages import Said, say
from pbem.platforms import quote
from pbem.problems import Problem, Refused, UnknownName
from pbem.value import replace, value

FORMAT = "pbem-contacts/1"
MOST = 1000
LONGEST = 60
MOST_MAIL = 400
MAX_BYTES = 1024 * 1024


@value
class Contact:
    """A person's name, their public key (32 bytes), and their mail address if known."""

    name: str
    key: bytes
    mail: str = ""

    @property
    def fingerprint(self) -> str:
        """As OpenSSH shows it: SHA256 and 43 characters."""
        return key_fingerprint(self.key)


@value
class Contacts:
    """All contacts, by name."""

    all: tuple[Contact, ...] = ()

    def named(self, name: str) -> Contact | None:
        """The contact with a name; case, width and invisible letters make no difference."""
        wanted = lookalikes.folded(name)
        return next((each for each in self.all if lookalikes.folded(each.name) == wanted), None)

    def owner(self, key: bytes) -> Contact | None:
        """The contact whose key this is."""
        return next((each for each in self.all if each.key == key), None)

    def met(self, name: str, key: bytes) -> Contacts:
        """The contacts once `name` has used `key`: pinned if the name is new.

        Raises FileRefused (E-KEY) when the name is pinned to another key, Refused when no more fit.
        """
        known = self.named(name)
        if known is not None:
            if known.key != key:
                raise _changed(known, key)
            return self
        if len(self.all) >= MOST:
            hint = say("remove one with pbem contacts forget NAME")
            raise Refused(
                Problem(
                    "too-many",
                    say("you have {most} contacts, which is the limit", most=MOST),
                    hint=hint,
                )
            )
        found = sorted(
            (*self.all, Contact(name, key)), key=lambda each: lookalikes.folded(each.name)
        )
        return Contacts(tuple(found))

    def reached(self, contact: Contact, mail: str) -> Contacts:
        """The contacts with the address of one, an empty one to forget it."""
        return Contacts(
            tuple(replace(each, mail=mail) if each == contact else each for each in self.all)
        )

    def doubts(self, name: str) -> tuple[Said, ...]:
        """The warning about a new name that is easily mistaken for another; empty where there is
        none.

        It may be honest: there is more than one Jose.
        """
        return () if self.named(name) else tuple(self._doubts(proper(name)))

    def _doubts(self, name: str) -> Iterator[Said]:
        look = lookalikes.looks(name)
        for each in self.all:
            if look and lookalikes.looks(each.name) == look:
                yield say(
                    "the name '{name}' looks like {other}, whose different key you know: "
                    "{fingerprint}",
                    name=name, other=each.name, fingerprint=each.fingerprint,
                )  # fmt: skip
        mixed = lookalikes.alphabets(name)
        if mixed:
            yield say(
                "the name '{name}' mixes letters of several alphabets: {alphabets}",
                name=name, alphabets=tuple(mixed),
            )  # fmt: skip

    def without(self, name: str) -> Contacts:
        """The contacts without one. Raises UnknownName for another."""
        known = self.wanted(name)
        return Contacts(tuple(each for each in self.all if each != known))

    def wanted(self, name: str) -> Contact:
        """The contact of a name. Raises UnknownName for another."""
        known = self.named(name)
        if known is None:
            raise UnknownName(self._nobody(name))
        return known

    def _nobody(self, name: str) -> Problem:
        import difflib

        near = difflib.get_close_matches(name, [each.name for each in self.all], n=1)
        hint = (
            say("did you mean {near}?", near=near[0]) if near else say("pbem contacts lists them")
        )
        return Problem(
            "no-contact", say("you have no contact {name}", name=repr(name[:LONGEST])), hint=hint
        )


def proper(name: str) -> str:
    """A name as it is stored: one line of visible letters, at most 60; empty if nothing is left.

    It comes from someone else's file.
    """
    # Only so much of it is looked at: to put a long row of marks in order takes long.
    plain = lookalikes.seen(unicodedata.normalize("NFC", name[: 4 * LONGEST]))
    words = "".join(char if char.isprintable() else " " for char in plain).split()
    return " ".join(words)[:LONGEST].rstrip()


def read(raw: bytes) -> Contacts:
    """The contacts in a file's bytes. Raises FileRefused for whatever `written` would not write."""
    document = canonical.parse(raw)
    canonical.check_domain(document)
    if type(document) is not dict or set(document) != {"format", "contacts"}:
        raise _damaged(say("it does not have the members 'format' and 'contacts'"))
    if document["format"] != FORMAT:
        raise FileRefused(
            "E-VERSION",
            say(
                "the format is {given}, not {format}",
                given=format(ascii(document["format"]), ".40"),
                format=ascii(FORMAT),
            ),
        )
    listed = document["contacts"]
    if type(listed) is not list or len(listed) > MOST:
        raise _damaged(say("'contacts' must be a list of at most {most}", most=MOST))
    found: dict[str, Contact] = {}
    for contact in map(_contact, listed):
        name = lookalikes.folded(contact.name)
        if name in found:
            raise _damaged(say("{contact} is there twice", contact=repr(contact.name)))
        found[name] = contact
    return Contacts(tuple(found[name] for name in sorted(found)))


def written(contacts: Contacts) -> bytes:
    """The bytes of the file."""
    listed = [
        {"name": each.name, "key": each.key.hex(), **({"mail": each.mail} if each.mail else {})}
        for each in contacts.all
    ]
    text = json.dumps({"format": FORMAT, "contacts": listed}, indent=1, sort_keys=True)
    return text.encode("ascii") + b"\n"


def _contact(item: Any) -> Contact:
    if type(item) is not dict or not {"name", "key"} <= set(item) <= {"name", "key", "mail"}:
        raise _damaged(say("a contact needs a name and a key, and may have a mail address"))
    name, key = item["name"], item["key"]
    if type(name) is not str or not 0 < len(name) <= LONGEST or proper(name) != name:
        raise _damaged(say("{name} is not a name", name=format(ascii(name), ".80")))
    if type(key) is not str or len(key) != 64 or set(key) - set("0123456789abcdef"):
        raise _damaged(say("the key of {name} is not 64 hex digits", name=repr(name)))
    check_public(bytes.fromhex(key))
    return Contact(name, bytes.fromhex(key), _mail(item.get("mail", ""), name))


def _mail(given: Any, name: str) -> str:
    if type(given) is not str or len(given) > MOST_MAIL or not given.isprintable():
        raise _damaged(say("the mail address of {name} is not one", name=repr(name)))
    return given


def _changed(known: Contact, key: bytes) -> FileRefused:
    return FileRefused(
        "E-KEY",
        say(
            "this is not the key of {known} that you know: theirs is {fingerprint}, "
            "this one is {other}",
            known=known.name,
            fingerprint=known.fingerprint,
            other=key_fingerprint(key),
        ),
        hint=say(
            "ask {known} by some means other than e-mail; if the new key is theirs, "
            "run 'pbem contacts forget {word}' first",
            known=known.name,
            word=_word(known.name),
        ),
    )


def _word(name: str) -> str:
    return quote(name)


def _damaged(why: Said) -> FileRefused:
    return FileRefused("E-SCHEMA", say("this is not a list of contacts: {why}", why=why))
