"""Checks a pbem game file without pbem: written from schemas/protocol.md, whose sections it cites.

verify.py GAME.pbem.json[.gz] [--die N LABEL SIDES]

Not checked: orders and policies (nor their shape), what they roll and what comes of it (`post`),
who owes what but reveals, lock times, hands, agreements; audit.py: limits, seals, secrets."""

import base64
import hashlib
import hmac
import json
import re
import sys
import zlib
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from types import SimpleNamespace as Step

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

ASKED = r"|--die [1-9]\d* \S+ [1-9]\d{0,6}"
HERE = Path(__file__).resolve().parent  # entry.json is beside this program, or where the page is
PLACES = [folder / "entry.json" for folder in (HERE, HERE.parents[1] / "schemas")]
ENTRY = json.loads(next(filter(Path.is_file, PLACES)).read_text("ascii"))
KINDS = {*ENTRY["$defs"]["step"]["properties"]["do"]["enum"]}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
NO_CONDITIONS = {"$schema", "$id", "$defs", "title", "description", "then"}
canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
OTHER, ZEROS, SIGNATURE = {"A": "B", "B": "A"}, "0" * 64, "[A-Za-z0-9+/]{85}[AQgw]=="
FIRST, P = ["Apropose", "Baccept", "Astart"], (1 << 255) - 19
HEAD = "reveal|resign|rotate|renew|deputy|ruling"
TAG = r"[a-z][a-z0-9_]*(\.(0|[1-9]\d*)){2}"
TAIL = "say|offer|claim_forfeit|resign|rotate|deputy|ruling", "policy|say", "-"
BY_OTHERS, MINUTE, NEVER = ("opponent", "director"), "%Y-%m-%dT%H:%MZ", datetime.min
L, D = (1 << 252) + 27742317777372353535851937790883648493, -121665 * pow(121666, -1, P) % P


class Refused(Exception): ...  # something is wrong: its class (15) and why


def need(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


def parse(data: bytes) -> object:
    def number(text: str) -> int:
        return need(re.fullmatch(r"-?[1-9]\d{0,15}|0", text), f"E-CANON: {text:.20}") or int(text)

    numbers = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), number)
    try:
        return json.loads(data.decode("utf-8-sig"), **numbers, object_pairs_hook=lambda pairs: need(
            len(dict(pairs)) == len(pairs), "E-CANON: a name twice") or dict(pairs))  # fmt: skip
    except json.JSONDecodeError as odd:  # a raw tabulator or line end in a text comes of mail (3)
        need("control" not in odd.msg or odd.doc[odd.pos] in "\t\r\n", f"E-CANON: {odd}")
        raise


def domain(value: object, level: int = 1) -> None:
    need(not isinstance(value, dict | list) or level <= 16, "E-LIMIT: more than 16 levels")
    need(not isinstance(value, str | list) or len(value) <= 4096, "E-LIMIT: over 4096 long")
    need(not isinstance(value, int) or abs(value) < 1 << 53, "E-CANON: a number beyond 2^53-1")
    names = value if isinstance(value, dict) else ()
    for text in names or ([value] if isinstance(value, str) else ()):
        form = "[a-z][a-z0-9_]{0,39}" if names else "[^\0-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]*"
        need(re.fullmatch(form, text), f"E-CANON: a name or text outside the domain: {text!a:.60}")
    for item in value.values() if names else value if isinstance(value, list) else ():
        domain(item, level + 1)


def fits(value: object, schema: dict | bool = ENTRY) -> bool:  # as JSON Schema says it
    if isinstance(schema, bool):
        return schema
    words = schema.keys() - NO_CONDITIONS
    need(words <= CONDITIONS, "entry.json: a word unknown here")
    found = {**ALWAYS, **OF_TYPE.get(type(value), {})}
    return all(found[word](value, schema[word], schema) for word in words & found.keys())


def same(value: object, told: object) -> bool:  # true is no number
    return type(value) is type(told) and value == told


def all_fit(value: dict, _: object, schema: dict) -> bool:  # each member, and no other
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    return all(fits(value[name], known.get(name, others)) for name in value)


ALWAYS = {
    "$ref": lambda value, told, _: fits(value, ENTRY["$defs"][told.split("/")[-1]]),
    "type": lambda value, told, _: type(value) is TYPES.get(told, type(None)),
    "const": lambda value, told, _: same(value, told),
    "enum": lambda value, told, _: any(same(value, one) for one in told),
    "not": lambda value, told, _: not fits(value, told),
    "oneOf": lambda value, told, _: sum(fits(value, one) for one in told) == 1,
    "allOf": lambda value, told, _: all(fits(value, one) for one in told),
    "if": lambda value, told, schema: not fits(value, told) or fits(value, schema["then"]),
}
OF_TYPE = {
    str: {
        "pattern": lambda value, told, _: re.search(told, value) is not None,
        "minLength": lambda value, told, _: len(value) >= told,
        "maxLength": lambda value, told, _: len(value) <= told,
    },
    int: {
        "minimum": lambda value, told, _: value >= told,
        "maximum": lambda value, told, _: value <= told,
    },
    list: {
        "items": lambda value, told, _: all(fits(one, told) for one in value),
        "minItems": lambda value, told, _: len(value) >= told,
        "maxItems": lambda value, told, _: len(value) <= told,
        "uniqueItems": lambda value, told, _: len(set(map(repr, value))) == len(value),
    },
    dict: {
        "required": lambda value, told, _: value.keys() >= set(told),
        "properties": all_fit,
        "additionalProperties": all_fit,
        "propertyNames": lambda value, told, _: all(fits(name, told) for name in value),
        "minProperties": lambda value, told, _: len(value) >= told,
        "maxProperties": lambda value, told, _: len(value) <= told,
    },
}
CONDITIONS = {*ALWAYS}.union(*OF_TYPE.values())


def entries_of(data: bytes) -> list:
    if data[:2] == b"\x1f\x8b":
        need(len(data) <= 32 << 20, "E-LIMIT: more than 32 MiB compressed")
        pump = zlib.decompressobj(wbits=31)
        data = pump.decompress(data, (32 << 20) + 1)
        need(len(data) > 32 << 20 or (pump.eof and not pump.unused_data), "E-DAMAGED: gzip")
    need(len(data) <= 32 << 20, "E-LIMIT: more than 32 MiB")
    file = parse(data)
    right = isinstance(file, dict) and isinstance(file.get("entries"), list) and file["entries"]
    need(right and set(file) == {"format", "entries"}, "E-SCHEMA: it is not format and entries")
    need(file["format"] == "pbem-game/1", "E-VERSION: the format is not pbem-game/1")
    need(len(file["entries"]) <= 20000, "E-LIMIT: more than 20,000 entries")
    return file["entries"]


def pae(kind: str, body: bytes) -> bytes:  # of an entry (4), or to rotate (24)
    name = f"application/vnd.pbem.{kind}+json; v=1".encode()
    return b"DSSEv1 %d %s %d %s" % (len(name), name, len(body), body)


def signed(public: str, sig: str, message: bytes, otherwise: str) -> None:
    with suppress(InvalidSignature):
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        return key.verify(base64.b64decode(sig), message)
    raise Refused(otherwise)


def H(*fields: object, key: bytes = b"") -> bytes:  # with a key it is M (2)
    text = "\n".join(map(str, fields)).encode()
    return hmac.digest(key, text, "sha256") if key else hashlib.sha256(text).digest()


def moment(stated: str | None) -> datetime | None:  # a day that does not exist is none (34)
    with suppress(ValueError, TypeError):
        return datetime.strptime(stated, MINUTE)


def plus(p: tuple, q: tuple) -> tuple:  # of points of the curve (RFC 8032, 5.1)
    (x, y), (v, w), t = p, q, D * p[0] * p[1] * q[0] * q[1]
    return (x * w + y * v) * pow(1 + t, -1, P) % P, (y * w + x * v) * pow(1 - t, -1, P) % P


def sound(public: str) -> bool:  # whether a private key has it (6)
    sign, y = divmod(int.from_bytes(bytes.fromhex(public), "little"), 1 << 255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, P // 8 + 1, P)
    x = x if x * x % P == square else x * pow(2, P // 4, P) % P
    point, found = ((x if x % 2 == sign else P - x) % P, y), (0, 1)
    for bit in f"{L:b}":
        found = plus(found, found)
        found = plus(found, point) if bit == "1" else found
    return y < P and x * x % P == square and found == (0, 1) != point


def uniform(key: bytes, label: str, size: int, count: int = 0) -> int:
    width, block = 1 + (size > 256) + (size > 65536), H("pbem1/roll", label, count, key=key)
    words = [int.from_bytes(block[at : at + width], "big") for at in range(0, 33 - width, width)]
    fair = [word % size for word in words if word < 256**width // size * size]
    return fair[0] if fair else uniform(key, label, size, count + 1)


class Deck(Step):  # an epoch of it (20): by, deck, epoch, cards, c, n, m, age; t, leaves, opened
    groups = ()  # the sizes of those of a mix (31)

    def root(self, t: int, leaves: list) -> bytes:
        head = f"pbem1/deck\n{self.deck}\n{self.epoch}\n{t}\n".encode()
        return hashlib.sha256(head + b"".join(leaves)).digest()

    def roots(self, node: bytes, first: int, size: int) -> dict:  # of all trials below a node
        if size > 1:
            low, high = (H("pbem1/ggm", bit, key=node) for bit in (0, 1))
            half = size // 2
            return self.roots(low, first, half) | self.roots(high, first + half, half)
        cards, head = list(self.cards), ("pbem1/card", self.deck, self.epoch, first)
        for g, at in enumerate(accumulate(self.groups[:-1], initial=0)):  # each by itself (31)
            for i in range((self.groups or [len(cards)])[g] - 1, 0, -1):
                j = at + uniform(node, f"perm/{g}/{i}" if self.groups else f"perm/{i}", i + 1)
                cards[at + i], cards[j] = cards[j], cards[at + i]
        leaves = [H(*head, i, c, H("pbem1/nonce", i, key=node).hex()) for i, c in enumerate(cards)]
        return {first: self.root(first, leaves)}

    def bound(self, roots: dict) -> bool:
        every = b"".join(map(roots.get, range(self.m)))
        return self.c == hashlib.sha256(b"pbem1/roots\n" + every).hexdigest()


class Game:  # what the entries have settled, as far as it can be told without the rules
    def __init__(self) -> None:
        self.ids, self.decks, self.over, self.note = [], {}, False, ""
        self.chains, self.shown, self.beacons, self.void = {}, {"A": [], "B": []}, {}, []
        self.keys, self.taken, self.alone = {}, [], {}  # keys of A, B, "A spare", "B spare"
        self.tags = []  # what was laid anew, since a take-back at least
        self.past, self.base = {"A": [], "B": []}, {"A": 0, "B": 0}  # of new secrets (25)
        self.offers, self.fresh, self.bar = {}, set(), 0  # whose key is new; the last renewal
        self.named, self.seats, self.dates = {}, {}, {}  # deputies; who was seated; last dates (34)
        self.powers, self.fresh_secrets = {}, set()  # what deputies may do; new secrets since
        self.claim, self.wait = 0, []  # the entry on a claim that wins; what is to be answered (34)

    def take(self, entry: dict) -> None:  # one more entry, in the order of section 4
        domain(entry["payload"])
        payload, sig, i = entry["payload"], "".join(entry["sig"]), len(self.ids)
        steps, by, before = payload["steps"], payload["by"], [ZEROS, *self.ids][-1]
        known = {x["do"] for x in steps} <= KINDS
        need(repr(payload["v"]) == "1" and known, "E-VERSION: newer")
        need(len(steps) <= 2048, "E-LIMIT: over 2048 steps")
        sound_sum = {**entry, "sum": "0" * 8} if "sum" in entry else {}  # else it was damaged
        need(fits(sound_sum), "E-SCHEMA: not as entry.json says")
        forms = [{"doc", "c", "box"} & {*x} for x in steps if x["do"] == "policy"]
        need(all(x in ({"doc"}, {"c", "box"}) for x in forms), "E-SCHEMA: doc, or c and box")
        pins = [y for x in steps for y in (x, x.get("old"), x.get("new")) if "fixes" in (y or ())]
        need(all(y["fixes"] == sorted(y["fixes"]) for y in pins), "E-SCHEMA: fixes")  # (18)
        prev, told = payload["prev"], H(canonical(payload | {"prev": payload["prev"][:16]})).hex()
        payload = payload | {"prev": before if prev == before[:16] else prev}  # as it was signed
        message = pae("entry", body := canonical(payload).encode())
        need(len(body) <= 256 << 10, "E-LIMIT: over 256 KiB")
        right = H("pbem1/sum", told, sig).hex()[:8] == entry["sum"] and re.fullmatch(SIGNATURE, sig)
        need(right, "E-DAMAGED: sum")
        begins = [by + x["do"] for x in steps if x["do"] in ("propose", "accept", "start")]
        if i == 0:
            need(begins == ["Apropose"], "E-CHAIN: the file does not begin with a proposal")
            terms = self.terms = Step(**steps[0])
            on = [*{**terms.options, "seed": True}.values(), terms.m > 0 == 64 % terms.m]
            on += [0 < len({*deck["cards"]}) == len(deck["cards"]) for deck in terms.decks]
            need(all(x is True for x in on) and 63 < terms.chain_len < 65537, "E-SCHEMA: terms")
            _ = self.place("A", terms.pub_a), self.place("B", terms.pub_b)
            if hasattr(terms, "director"):
                self.place("director", terms.director)
            need(not (hasattr(terms, "silence") and "solo" in terms.options), "E-SCHEMA: alone")
            self.practice(terms.options)
            backs = [x for deck in terms.decks if "pieces" in deck for x in deck["cards"]]  # (30)
            sound = len({*backs}) == len(backs) and not any(re.fullmatch(TAG, x) for x in backs)
            need(sound, "E-DECK: a counter is a tag, or in two decks")
            need(steps[0].get("m_mix", 16) in (16, 32, 64), "E-SCHEMA: trials of a mix")
            need(len({x["deck"] for x in terms.decks}) == len(terms.decks), "E-DECK: a name twice")
        need(i != 1 or steps[0].get("pub", P) in (P, self.terms.pub_b), "E-KEY: another accepts")
        signer = by + " spare" * any(x.get("signed_by") == "spare" for x in steps)
        self.deputy, self.time = "as" in payload, moment(payload.get("time"))
        signer = by + " deputy" if self.deputy else signer
        need(self.keys.get(signer), f"E-KEY: they have named no key of {signer}")
        need((payload["seq"] > 1) == (i > 1), "E-CHAIN: a game begins here, and only here")
        need(payload["game"] == [ZEROS, *self.ids[1:2]][i > 1], "E-GAME: it is of another game")
        need([payload["seq"], payload["prev"]] == [i, before], "E-CHAIN: misplaced")
        signed(self.keys[signer], sig, message, f"E-FORGED: the key of {signer} is another")
        need(begins == FIRST[i : i + 1] and begins in ([], [by + steps[0]["do"]]), "E-TURN: begin")
        self.ids.append(hashlib.sha256(message).hexdigest())
        lead = len(self.shown[by]) > len(self.shown[OTHER[by]]) and not self.over  # a note (26)
        lead |= {x["do"] for x in steps} <= {"say", "offer", "claim_forfeit"}  # pays nothing (10)
        self.lock, last, self.note, self.agreed = False, self.note, by * lead, None
        other = [{"deputy": "deputy"}.get(x["do"], "silence" * ("silence" in x)) for x in steps]
        told = [x.get("what", x.get("signed_by", other[at])) for at, x in enumerate(steps)]
        said = " ".join(word for word, x in zip(told, steps, strict=True) if x["do"] != "say")
        own = "(opponent|director)( renew)?|extend|result|silence"  # on one's own note (T3, 24)
        alone = re.fullmatch(own + "|old|spare|deputy" * (last != by), said)
        odd = re.search("old|spare|opponent|director|deputy|extend|result", said)
        alone = alone or (last != by and not odd)
        need(alone, "E-TURN: a new key, or an entry on one's own note, holds other steps")
        for self.at, step in enumerate(steps):
            it = Step(**{"void": False, "spare": None, **step})
            self.agreed_before, self.agreed = self.agreed, None
            self.may_stand(by, it)
            getattr(self, f"do_{it.do.replace('accept', 'start')}", lambda *_: None)(by, it)
            if it.spare:
                self.place(by + " spare", it.spare)
        self.dates |= {by: self.time} if self.time else {}
        if not lead and not {x["do"] for x in steps} <= {"say", "rotate", "deputy", "ruling"}:
            self.wait = [by, self.time, {**self.dates}, 0]  # days are counted from an answer (34)
        need(not self.agreed, "E-CONSENT: agreed, and not carried out")

    def practice(self, options: dict) -> None:  # one person, who may let the program play (7)
        if {*options} & {"solo", "seed", "bot_a", "bot_b"}:
            seed, bots = options.get("seed"), {"bot_a", "bot_b"} <= {*options}
            right = isinstance(seed, str) and re.fullmatch(".{1,200}", seed) and "solo" in options
            need(right and not bots, "E-SCHEMA: no seed, one of no solo game, or two bots")
            for player in "AB":
                key = Ed25519PrivateKey.from_private_bytes(H("pbem1/solo", player, seed))
                public, told = key.public_key(), self.keys.get(player, self.terms.pub_b)
                need(told == public.public_bytes_raw().hex(), "E-KEY: not the keys of this game")

    def place(self, name: str, public: str) -> None:  # a key takes a place in the game (6, 24)
        taken = {*self.taken}.union(*self.named.values())
        need(sound(public) and public not in taken, "E-KEY: it binds nobody, or has a place")
        self.taken, self.keys[name] = [*self.taken, public], public

    def do_rotate(self, by: str, it: Step) -> None:  # (24)
        of, i = OTHER[by] if it.signed_by in BY_OTHERS else by, len(self.ids) - 1
        barred = of + " spare" in self.keys and it.signed_by == "opponent"
        barred = barred or len(self.shown[by]) < len(self.shown[of])
        need(of == by or not barred, "E-CONSENT: the other has a spare key, or not the pen")
        told = {"game": self.ids[1], "seq": i, "old": self.keys[of], "new": it.new_pub}
        message = self.place(of, it.new_pub) or pae("rotate", canonical(told).encode())
        need(re.fullmatch(SIGNATURE, it.proof), "E-KEY: the proof is no signature")
        signed(it.new_pub, it.proof, message, "E-KEY: the new key has not signed that it comes in")
        word = f"from entry {i} on the key of {of} rests on the word of {by} alone"
        if it.signed_by == "opponent":
            self.alone |= {of: self.alone.get(of, word)}
        if it.signed_by == "director":
            self.directed({"what": "deputy", "of": of, "new": it.new_pub}, it.sig)
            self.seats |= {of: self.seats.get(of, i)}
        self.keys[of + " deputy"] = None  # (34)
        self.fresh.add(of)

    def do_deputy(self, by: str, it: Step) -> None:  # (34)
        there, former = self.keys.get(by + " deputy"), self.named.get(OTHER[by], [])
        need(it.pub or there, "E-TURN: there is no deputy to withdraw")
        if it.pub:
            again = it.pub == there and by not in self.fresh_secrets
            taken = it.pub in self.taken or it.pub in former or again
            need(sound(it.pub) and not taken, "E-KEY: it binds nobody, or has a place")
            self.named[by] = [*self.named.get(by, []), it.pub]
            need(len(self.named[by]) <= 8, "E-LIMIT: more than eight deputies")
            self.fresh.add(by)
        self.fresh_secrets = self.fresh_secrets - {by}
        self.keys[by + " deputy"] = it.pub
        self.powers[by] = hasattr(it, "ends"), hasattr(it, "secrets")

    def directed(self, ruling: dict, sig: str) -> None:  # signed by the director, for this place
        need("director" in self.keys, "E-CONSENT: there is no director")
        told = {"game": self.ids[1], "prev": self.ids[-2], **ruling}
        need(re.fullmatch(SIGNATURE, sig), "E-KEY: the ruling is not signed")
        message = pae("ruling", canonical(told).encode())
        signed(self.keys["director"], sig, message, "E-KEY: the director has not signed this here")

    def do_ruling(self, by: str, it: Step) -> None:
        told = {"days": it.days} if it.what == "extend" else {"winner": it.winner}
        self.directed({"what": it.what, **told}, it.sig)
        if it.what == "extend":
            need(hasattr(self.terms, "silence") and not self.over, "E-TURN: no days are counted")
            self.wait[3] += it.days
            need(self.wait[3] <= 3650, "E-LIMIT: too many days are given")
        else:
            self.over, self.note = True, ""

    def do_claim_forfeit(self, by: str, it: Step) -> None:  # whether they owe it the rules say
        if hasattr(it, "silence"):
            need(hasattr(self.terms, "silence"), "E-TURN: there are no terms for silence")
            terms, (author, since, dates, more) = Step(**self.terms.silence), self.wait
            since = since if by == author else dates.get(by, NEVER)
            need(self.time and since, "E-TURN: a date is missing")
            since = max([since, *(x for p, x in dates.items() if p != by and x <= self.time)])
            days = timedelta(days=terms.days + more)
            need(NEVER < since <= self.time - days, f"E-TURN: {days} are not over since {since}")
            if terms.then == "result":
                self.over, self.claim = True, len(self.ids)

    def do_offer(self, by: str, it: Step) -> None:
        if it.what == "renew":
            need(OTHER[by] in self.fresh, "E-CONSENT: they have had no new key since their secrets")
        self.offers[self.ids[-1]] = it.what, by
        need(it.what != "takeback" or it.to >= self.bar, "E-CONSENT: back past new secrets")

    def renews(self, by: str, it: Step) -> bool:  # a yes to new secrets (25)
        return it.do == "answer" and it.yes and self.offers.get(it.offer) == ("renew", OTHER[by])

    def do_answer(self, by: str, it: Step) -> None:
        self.agreed = self.renews(by, it)

    def do_renew(self, by: str, it: Step) -> None:  # (25)
        need(self.agreed_before, "E-CONSENT: nothing was agreed that this could carry out")
        given = [anchor for chains in (*self.past[by], self.chains[by]) for anchor in chains]
        need(it.anchor not in given, "E-REVEAL: the anchor is not new")
        base, mine = max(map(len, self.shown.values())), self.shown[by]
        for deck in self.decks.values():  # P's are gone; what a burnt beacon was to challenge waits
            deck.gone = deck.gone or deck.by == by
            deck.n += deck.n == base > len(mine)
        self.past[by], self.base[by] = [*self.past[by], self.chains[by]], base
        self.chains[by], self.fresh, self.bar = [it.anchor], self.fresh - {by}, len(self.ids) - 1
        self.fresh_secrets = self.fresh_secrets | {by}
        mine += [""] * (base - len(mine))

    def may_stand(self, by: str, it: Step) -> None:  # around a beacon that is locked (10)
        ahead, do = len(self.shown[by]) - len(self.shown[OTHER[by]]), it.do
        if self.deputy:  # what only the player can do (34)
            ends, handed = self.powers[by]
            asked = it.what if do == "offer" else do == "answer" and it.yes and it.offer
            asked, _ = self.offers.get(asked, (asked, by))
            end = do == "resign" or asked in ("draw", "void", "upgrade", "takeback")
            end |= do in ("audit", "close") and self.claim == len(self.ids) - 1
            barred = do in ("rotate", "deputy") or (do == "renew" and handed) or (end and not ends)
            need(not barred, f"E-TURN: no {do} by a deputy")
        games = {x["ruleset"].split("/")[0] for x in map(vars(it).get, ("old", "new")) if x}
        need(len(games) < 2, "E-CONSENT: the rules of another game")
        need(not self.agreed_before or do == "renew", "E-CONSENT: agreed, and not carried out")
        first = re.fullmatch(HEAD, do) or self.renews(by, it)  # a yes to that replaces it (25)
        need(self.over or ahead >= 0 or first, "E-NOREVEAL: no reveal first")
        may = self.over or ahead <= 0 or re.fullmatch(TAIL[self.lock], do)
        need(may, f"{'E-EARLY' if self.lock and do == 'reveal' else 'E-TURN'}: no {do} now")
        self.over |= do in ("resign", "audit")

    def do_start(self, by: str, it: Step) -> None:
        if it.do == "accept":
            need(it.proposal == self.ids[0], "E-CHAIN: another proposal is accepted")
            need(it.data == self.terms.data, "E-RULES: the game data differ")
            self.context = {"A": self.ids[1], "B": it.nonce}
        self.chains[by] = [it.anchor]
        mine = {deck["deck"]: deck["cards"] for deck in self.terms.decks if deck["by"] == by}
        need(set(mine) == set(it.decks), "E-DECK: a commitment is missing or too many")
        for deck, c in it.decks.items():
            self.do_deck_commit(by, Step(deck=deck, epoch=1, cards=mine[deck], c=c))

    def do_deck_commit(self, by: str, it: Step) -> None:
        key, n = (it.deck, it.epoch), max(map(len, self.shown.values())) + 1  # n will challenge it
        groups, left, terms = getattr(it, "groups", []), iter(it.cards), vars(self.terms)
        parts = [[*islice(left, size)] for size in groups or [len(it.cards)]]  # of a mix (31)
        size = sum(groups) or len(it.cards)
        mixed = size == len(it.cards) and min([*groups, 2]) > 1 and parts == sorted(parts)
        before = getattr(self.decks.get((it.deck, it.epoch - 1)), "by", it.epoch == 1 and by)
        right = before == by and key not in self.decks and len({*it.cards}) == len(it.cards)
        right = right and mixed and all(part and part == sorted(part) for part in parts)
        need(right, f"E-DECK: not the epoch of {it.deck} that comes next, or its cards unsorted")
        for tag in filter(re.compile(TAG).fullmatch, it.cards):  # an older slot, laid once (29)
            deck, e, place = tag.split(".")
            older, self.tags = self.decks.get((deck, int(e))), [*self.tags, tag]
            there = deck == it.deck and older and int(place) < len(older.cards)
            need(there and self.tags.count(tag) == 1, f"E-DECK: {tag} is no slot, or laid twice")
        fixed = {"by": by, "n": n, "made": n, "age": len(self.past[by]), "groups": groups}
        fixed["m"] = terms.get("m_mix", 16) if groups else self.terms.m
        fixed["among"] = [part for part in parts for _ in part]  # of which one is in each place
        self.decks[key] = Deck(**vars(it) | fixed, leaves=None, opened={}, gone=False)

    def do_takeback(self, by: str, it: Step) -> None:
        self.tags = []

    def do_anchor(self, by: str, it: Step) -> None:
        owed = [len(self.chains[by]), len(self.chains[by]) * self.terms.chain_len + self.base[by]]
        need([it.q, len(self.shown[by])] == owed, f"E-TURN: no anchor {it.q} is owed")
        self.chains[by].append(it.anchor)

    def do_reveal(self, by: str, it: Step) -> None:
        mine, n = self.shown[by], len(self.shown[by]) + 1
        q, place = divmod(n - 1 - self.base[by], self.terms.chain_len)
        self.lock = n > len(self.shown[OTHER[by]])
        need(it.n == n and q < len(self.chains[by]), f"E-REVEAL: {it.n} where {n} comes next")
        link = H("pbem1/step", by, self.context[by], place + 1, it.x).hex()
        need(link == (mine[-1] if place else self.chains[by][q]), "E-REVEAL: the value is wrong")
        need(self.lock or not it.void, "E-REVEAL: a void beacon is marked by both")
        need(not it.void or n - 1 not in self.void, "E-TURN: two void beacons in a row")
        mine.append(it.x)
        self.void, self.lock = self.void + [n] * it.void, self.lock + it.void
        if not self.lock:
            values = self.shown["A"][-1], self.shown["B"][-1]
            self.beacons[n] = H("pbem1/beacon", n, *values, key=bytes.fromhex(self.ids[1]))

    def do_deck_reply(self, by: str, it: Step) -> None:
        deck = self.decks.get((it.deck, it.epoch))
        owed = deck and deck.by == by and not (deck.gone or deck.leaves) and deck.n in self.beacons
        need(owed, "E-DECK: no such reply is owed")
        t = uniform(self.beacons[deck.n], f"deck/{it.deck}/{it.epoch}/challenge", deck.m)
        right = it.t == t and len(it.leaves) == len(deck.cards) and 1 << len(it.siblings) == deck.m
        need(right, f"E-DECK: trial {t} is asked for, its siblings and a leaf for each card")
        deck.leaves, deck.t, size = [bytes.fromhex(leaf) for leaf in it.leaves], t, deck.m
        roots = {t: deck.root(t, deck.leaves)}
        for node in it.siblings:
            size //= 2
            roots |= deck.roots(bytes.fromhex(node), (t // size ^ 1) * size, size)
        need(deck.bound(roots), "E-DECK: the trials do not give the commitment")

    def do_open(self, by: str, it: Step) -> None:
        deck = self.decks.get((it.deck, it.epoch))
        need(deck and deck.by == by and not deck.gone, "E-CARD: it is no card of this player")
        need(deck.leaves and it.pos < len(deck.leaves), "E-OPEN: no reply has shown this leaf")
        leaf = H("pbem1/card", it.deck, it.epoch, deck.t, it.pos, it.card, it.nonce)
        need(leaf == deck.leaves[it.pos], "E-OPEN: card and nonce do not give the leaf")
        one = it.card in deck.among[it.pos] and deck.opened.setdefault(it.card, it.pos) == it.pos
        need(one, "E-DECK: shown in two places, or outside its group")

    def told(self) -> list:  # what was found, in lines
        decks, beacons = self.decks.values(), f"{len(self.beacons)} beacons, void: {self.void}"
        replied, opened = sum(bool(d.leaves) for d in decks), sum(len(d.opened) for d in decks)
        found = f"{len(decks)} decks bound, {replied} replied for, {opened} cards opened"
        return [f"{len(self.ids)} signed entries in a row; {beacons}", found, *self.alone.values()]

    def judge(self, data: bytes) -> str:  # the place and what is wrong there; empty if nothing is
        where = "the file"
        try:
            for i, entry in enumerate(entries_of(data)):
                where = f"entry {i}"
                self.take(entry)
        except Exception as error:  # whatever else goes wrong refuses the file or the entry (15)
            code = "E-DAMAGED: " if where == "the file" else "E-SCHEMA: "
            return f"{where}: {'' if isinstance(error, Refused) else code}{error}"
        return ""


def main(game: Game, path: str = "", *asked: str) -> int:
    if not re.fullmatch(ASKED, " ".join(asked)) or not Path(path).is_file():
        return print(__doc__.split("\n\n")[1], file=sys.stderr) or 2
    with open(path, "rb") as file:
        wrong = game.judge(file.read(33 << 20))
    if wrong or (asked and int(asked[1]) not in game.beacons):
        return print(f"{path}, {wrong or 'there is no such beacon'}") or 3
    if asked:
        R, (n, label, m) = game.beacons[int(asked[1])], asked[1:]
        return print(f"beacon {n} is {R.hex()}; {label} gives {1 + uniform(R, label, int(m))}") or 0
    return print("\n".join([*game.told(), __doc__.split("\n\n")[2]])) or 0


if __name__ == "__main__":
    sys.exit(main(Game(), *sys.argv[1:]))
