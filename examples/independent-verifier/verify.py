"""Checks a pbem game file without pbem: written from schemas/protocol.md, whose sections it cites.

verify.py GAME.pbem.json[.gz] [--die N LABEL SIDES | --sample N LABEL LENGTH COUNT]

Not checked, since it takes the rules of the game: whether orders are legal, what they roll and
draw and what comes of it (`post`), who owes what beyond reveals, when a beacon is locked and
closed, which cards lie in which hand, what policies answer, and what ends the game."""

import base64
import hashlib
import hmac
import json
import re
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace as Step

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

ASKED = r"|--die [1-9]\d* \S+ [1-9]\d{0,6}|--sample [1-9]\d* \S+ [1-9]\d{0,6} [1-9]\d{0,6}"
MEMBERS = """propose pub_a pub_b nonce ruleset data scenario options sides chain_len m decks \
 terms? match? umpire? spare?; accept proposal pub nonce anchor data decks spare?; reveal n x void?
start anchor decks; anchor q anchor; orders list; react answers; post_choice answers; audit gsec
policy slot scope until doc? c? box?; unseal slot seq doc salt; open deck epoch pos card nonce
deck_commit deck epoch cards c; deck_reply deck epoch t siblings leaves; say text; resign
claim_forfeit since owed"""
KINDS = {each.split()[0]: ["do", *each.split()[1:]] for each in re.split("[;\n]", MEMBERS)}
ENTRY, BODY = ["payload", "id", "sig", "sum"], ["v", "game", "seq", "prev", "by", "steps", "post"]
DIGESTS = "id|prev|game|post|pub_[ab]|data|proposal|pub|anchor|x|salt|c|gsec|since|leaves|siblings"
TYPE, OTHER, ZEROS = b"application/vnd.pbem.entry+json; v=1", {"A": "B", "B": "A"}, "0" * 64
FIRST, HEAD, P = ["Apropose", "Baccept", "Astart"], ["reveal", "resign"], (1 << 255) - 19
TAIL = ["say", "resign", "claim_forfeit", "audit"], ["say", "policy"]  # while a reveal is awaited
SMALL = {0, 1, P - 1, 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
         0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7}  # fmt: skip


class Refused(Exception):
    """Something is wrong: its class (15) and why. In parsed JSON: what is outside the domain."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


def parse(data: bytes) -> object:
    bad = Refused("E-CANON: a number that is not plain, or a member name twice")
    return json.loads(data.decode("utf-8-sig"), strict=False, parse_constant=lambda _: bad,
        parse_float=lambda _: bad, parse_int=lambda x: bad if x == "-0" or len(x) > 17 else int(x),
        object_pairs_hook=lambda m: dict(m) if len(dict(m)) == len(m) else bad)  # fmt: skip


def domain(value: object, level: int = 1) -> None:
    need(not isinstance(value, Refused), f"{value}")
    need(not isinstance(value, dict | list) or level <= 16, "E-LIMIT: more than 16 levels")
    need(not isinstance(value, str | list) or len(value) <= 4096, "E-LIMIT: over 4096 long")
    need(type(value) is not int or abs(value) < 1 << 53, "E-CANON: a number beyond 2^53-1")
    names = value if isinstance(value, dict) else ()
    for text in names or ([value] if isinstance(value, str) else ()):
        form = "[a-z][a-z0-9_]{0,39}" if names else "[^\0-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]*"
        need(re.fullmatch(form, text), f"E-CANON: a name or text outside the domain: {text!a:.60}")
    for item in value.values() if names else value if isinstance(value, list) else ():
        domain(item, level + 1)


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def shaped(value: dict, names: list) -> bool:
    must, may = {x for x in names if x[-1] != "?"}, {x.rstrip("?") for x in names}
    told = [canonical(value[x]).decode() for x in value if re.fullmatch(DIGESTS, x)]
    right = all(re.fullmatch(r'\[?("[0-9a-f]{64}",?)*\]?', x) for x in told)
    return right and must <= set(value) <= may and not {"doc", "c"} <= set(value)


def entries_of(data: bytes) -> list:
    if data[:2] == b"\x1f\x8b":
        need(len(data) <= 8 << 20, "E-LIMIT: more than 8 MiB compressed")
        pump = zlib.decompressobj(wbits=31)
        data = pump.decompress(data, (32 << 20) + 1)
        need(len(data) > 32 << 20 or (pump.eof and not pump.unused_data), "E-DAMAGED: gzip")
    need(len(data) <= 32 << 20, "E-LIMIT: more than 32 MiB")
    file = parse(data)
    need(not isinstance(file, Refused), "E-CANON: outside the domain")
    right = isinstance(file, dict) and isinstance(file.get("entries"), list) and file["entries"]
    need(right and set(file) == {"format", "entries"}, "E-SCHEMA: it is not format and entries")
    need(file["format"] == "pbem-game/1", "E-VERSION: the format is not pbem-game/1")
    need(len(file["entries"]) <= 20000, "E-LIMIT: more than 20,000 entries")
    return file["entries"]


def H(*fields: object, key: bytes = b"") -> bytes:  # with a key it is M (2)
    text = "\n".join(map(str, fields)).encode()
    return hmac.digest(key, text, "sha256") if key else hashlib.sha256(text).digest()


def uniform(key: bytes, label: str, size: int, count: int = 0) -> int:
    width, block = 1 + (size > 256) + (size > 65536), H("pbem1/roll", label, count, key=key)
    for at in range(0, 33 - width, width):
        word = int.from_bytes(block[at : at + width], "big")
        if word < 256**width // size * size:
            return word % size
    return uniform(key, label, size, count + 1)


def sample(key: bytes, label: str, items: list, count: int) -> list:
    left, times = list(items), range(1, min(count, len(items)) + 1)
    return [left.pop(uniform(key, f"{label}/{j}", len(left))) for j in times]


class Deck(Step):  # an epoch of it (20): by, deck, epoch, cards, c, n, m; later t, leaves, opened
    def root(self, t: int, leaves: list) -> bytes:
        head = f"pbem1/deck\n{self.deck}\n{self.epoch}\n{t}\n".encode()
        return hashlib.sha256(head + b"".join(leaves)).digest()

    def roots(self, node: bytes, first: int, size: int) -> dict:  # of all trials below a node
        if size > 1:
            low, high = (H("pbem1/ggm", bit, key=node) for bit in (0, 1))
            half = size // 2
            return self.roots(low, first, half) | self.roots(high, first + half, half)
        cards, head = list(self.cards), ("pbem1/card", self.deck, self.epoch, first)
        for i in range(len(cards) - 1, 0, -1):
            j = uniform(node, f"perm/{i}", i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        leaves = [H(*head, i, c, H("pbem1/nonce", i, key=node).hex()) for i, c in enumerate(cards)]
        return {first: self.root(first, leaves)}

    def bound(self, roots: dict) -> bool:
        every = b"".join(map(roots.get, range(self.m)))
        return self.c == hashlib.sha256(b"pbem1/roots\n" + every).hexdigest()


class Game:  # what the entries have settled, as far as it can be told without the rules
    def __init__(self) -> None:
        self.ids, self.decks, self.sealed, self.audits, self.over = [], {}, {}, [], False
        self.chains, self.shown, self.beacons, self.void = {}, {"A": [], "B": []}, {}, []

    def take(self, entry: dict) -> None:  # one more entry, in the order of section 4
        domain(entry)
        payload, sig, i = entry["payload"], "".join(entry["sig"]), len(self.ids)
        steps, by, body = payload["steps"], payload["by"], canonical(payload)
        need(payload["v"] == 1 and {x["do"] for x in steps} <= {*KINDS}, "E-VERSION: not known yet")
        parts = [(entry, ENTRY), (payload, [*BODY, "tool", "time?"])]
        parts += [(step, KINDS[step["do"]]) for step in steps]
        need(steps and all(shaped(*part) for part in parts), "E-SCHEMA: not as entry.json says")
        need(len(body) <= 256 << 10 and len(steps) <= 200, "E-LIMIT: over 256 KiB or 200 steps")
        pae = b"DSSEv1 %d %s %d %s" % (len(TYPE), TYPE, len(body), body)
        sums = [hashlib.sha256(pae).hexdigest(), H("pbem1/sum", entry["id"], sig).hex()[:16]]
        need(sums == [entry["id"], entry["sum"]], "E-DAMAGED: id or sum do not fit the entry")
        need(re.fullmatch("[A-Za-z0-9+/]{85}[AQgw]==", sig), "E-DAMAGED: this is no signature")
        need(i > 2 or by + steps[0]["do"] == FIRST[i], "E-TURN: propose, accept, start come first")
        if i == 0:
            self.terms = Step(**steps[0])
            raw = bytes.fromhex(self.terms.pub_a), bytes.fromhex(self.terms.pub_b)
            y = {int.from_bytes(key, "little") % (1 << 255) for key in raw}
            need(raw[0] != raw[1] and not y & SMALL and max(y) < P, "E-KEY: no two sound keys")
            self.keys = dict(zip("AB", map(Ed25519PublicKey.from_public_bytes, raw), strict=True))
        need(i != 1 or steps[0]["pub"] == self.terms.pub_b, "E-KEY: accepted with another key")
        self.keys[by].verify(base64.b64decode(sig), pae)
        need(payload["game"] == [ZEROS, *self.ids[1:2]][i > 1], "E-GAME: it is of another game")
        need([payload["seq"], payload["prev"]] == [i, [ZEROS, *self.ids][-1]], "E-CHAIN: misplaced")
        self.ids.append(entry["id"])
        self.lock, over = False, self.over
        for it in (Step(**{"void": False, "c": None, **step}) for step in steps):
            free = ["audit"] if over else ["audit", "say"] * bool(self.audits)
            need(not self.over or it.do in free, "E-TURN: the game is over")
            late = [x for x in OTHER if len(self.shown[x]) < len(self.shown[OTHER[x]])]
            need(by not in late or it.do in HEAD, "E-NOREVEAL: the reveal comes first")
            need(it.do in TAIL[self.lock] or OTHER[by] not in late, f"E-TURN: no {it.do} here")
            getattr(self, f"do_{it.do}", lambda *_: None)(by, it)
            self.over |= it.do in ("resign", "audit")
            self.sealed |= {(by, it.slot, i): it} if it.do == "policy" and it.c and it.box else {}

    def do_start(self, by: str, it: Step) -> None:
        need(by not in self.chains, "E-TURN: the game has begun before")
        if it.do == "accept":
            need(it.proposal == self.ids[0], "E-CHAIN: another proposal is accepted")
            need(it.data == self.terms.data, "E-RULES: the game data differ")
            self.context = {"A": self.ids[1], "B": it.nonce}
        self.chains[by] = [it.anchor]
        mine = {deck["deck"]: deck["cards"] for deck in self.terms.decks if deck["by"] == by}
        need(set(mine) == set(it.decks), "E-DECK: a commitment is missing or too many")
        for deck, c in it.decks.items():
            self.do_deck_commit(by, Step(deck=deck, epoch=1, cards=mine[deck], c=c))

    do_accept = do_start

    def do_deck_commit(self, by: str, it: Step) -> None:
        n = max(map(len, self.shown.values())) + 1  # the beacon that will challenge it
        before = self.decks.get((it.deck, it.epoch - 1))
        right = (before.by == by if before else it.epoch == 1) and it.cards == sorted({*it.cards})
        need(right and (it.deck, it.epoch) not in self.decks, f"E-DECK: {it.deck} is not so laid")
        fresh = {"n": n, "m": self.terms.m, "leaves": None, "opened": {}}
        self.decks[it.deck, it.epoch] = Deck(**vars(it), **fresh, by=by)

    def do_anchor(self, by: str, it: Step) -> None:
        owed = [len(self.chains[by]), len(self.chains[by]) * self.terms.chain_len]
        need([it.q, len(self.shown[by])] == owed, f"E-TURN: no anchor {it.q} is owed")
        self.chains[by].append(it.anchor)

    def do_reveal(self, by: str, it: Step) -> None:
        mine, n = self.shown[by], len(self.shown[by]) + 1
        (q, place), self.lock = divmod(n - 1, self.terms.chain_len), n > len(self.shown[OTHER[by]])
        need(it.n == n and q < len(self.chains[by]), f"E-REVEAL: {it.n} where {n} comes next")
        link = H("pbem1/step", by, self.context[by], place + 1, it.x).hex()
        need(link == (mine[-1] if place else self.chains[by][q]), "E-REVEAL: the value is wrong")
        need(self.lock or not it.void, "E-REVEAL: a void beacon is marked by both")
        need(not it.void or n - 1 not in self.void, "E-TURN: two void beacons in a row")
        mine.append(it.x)
        self.void += [n] * it.void
        if not self.lock:
            values = self.shown["A"][-1], self.shown["B"][-1]
            self.beacons[n] = H("pbem1/beacon", n, *values, key=bytes.fromhex(self.ids[1]))

    def do_unseal(self, by: str, it: Step) -> None:
        digest = H(canonical(it.doc).decode()).hex()
        sealed = self.sealed.get((by, it.slot, it.seq), Step(c=""))
        sealed.open = H("pbem1/commit", it.slot, it.seq, it.salt, digest).hex()
        need(sealed.c == sealed.open, "E-POLICY: this is not the document that was sealed")

    def do_deck_reply(self, by: str, it: Step) -> None:
        deck = self.decks.get((it.deck, it.epoch))
        owed = deck and deck.by == by and not deck.leaves and deck.n in self.beacons
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
        need(deck and deck.by == by and it.pos not in deck.opened, "E-CARD: no hidden card")
        need(deck.leaves and it.pos < len(deck.leaves), "E-OPEN: no reply has shown this leaf")
        need(it.card in {*deck.cards} - {*deck.opened.values()}, "E-DECK: no card left in it")
        leaf = H("pbem1/card", it.deck, it.epoch, deck.t, it.pos, it.card, it.nonce)
        need(leaf == deck.leaves[it.pos], "E-OPEN: card and nonce do not give the leaf")
        deck.opened[it.pos] = it.card

    def do_audit(self, by: str, it: Step) -> None:  # the secret against all he is bound to (22)
        need(by not in self.audits and (self.decks or self.sealed), "E-TURN: no audit is owed")
        self.audits, gsec = [*self.audits, by], bytes.fromhex(it.gsec)
        for q, anchor in enumerate(self.chains[by]):
            x = H("pbem1/chain", by, q, key=gsec)
            for i in range(self.terms.chain_len, 0, -1):
                x = H("pbem1/step", by, self.context[by], i, x.hex())
            need(x.hex() == anchor, f"E-AUDIT: the secret does not give anchor {q}")
        for deck in [deck for deck in self.decks.values() if deck.by == by]:
            late = [deck.n, H(*deck.cards).hex()] if deck.epoch > 1 else []
            node = H("pbem1/deckseed", deck.deck, deck.epoch, *late, key=gsec)
            need(deck.bound(deck.roots(node, 0, deck.m)), f"E-AUDIT: deck {deck.deck} {deck.epoch}")
        cipher = AESSIV(H("pbem1/box", 1, key=gsec) + H("pbem1/box", 2, key=gsec))
        for (_, slot, seq), own in [each for each in self.sealed.items() if each[0][0] == by]:
            box, label = base64.b64decode(own.box), f"pbem1/box\n{slot}\n{seq}".encode()
            digest = hashlib.sha256(cipher.decrypt(box, [label])).hexdigest()
            salt = H("pbem1/salt", slot, seq, digest, key=gsec).hex()
            need(own.c == H("pbem1/commit", slot, seq, salt, digest).hex(), f"E-AUDIT: box {seq}")


def judged(data: bytes) -> tuple[Game, str, str]:
    game, where, why = Game(), "the file", ""
    try:
        for i, entry in enumerate(entries_of(data)):
            where = f"entry {i}"
            game.take(entry)
    except Exception as error:  # whatever else goes wrong refuses the file or the entry (15)
        known = {"InvalidSignature": "E-FORGED", "InvalidTag": "E-AUDIT"}
        code = known.get(type(error).__name__, "E-DAMAGED" if where == "the file" else "E-SCHEMA")
        why = str(error) if isinstance(error, Refused) else f"{code}: {error!r}"
    return game, where, why


def main(path: str = "", *asked: str) -> int:
    if not re.fullmatch(ASKED, " ".join(asked)) or not Path(path).is_file():
        return print(__doc__.split("\n\n")[1], file=sys.stderr) or 2
    with open(path, "rb") as file:
        game, where, why = judged(file.read(33 << 20))
    if why or (asked and int(asked[1]) not in game.beacons):
        return print(f"{path}, {where}: {why or 'there is no such beacon'}") or 3
    if asked:
        R, label, (size, *count) = game.beacons[int(asked[1])], asked[2], map(int, asked[3:])
        roll = sample(R, label, [*range(size)], *count) if count else 1 + uniform(R, label, size)
        return print(f"beacon {asked[1]} is {R.hex()}; {label} gives {roll}") or 0
    decks, sealed = game.decks.values(), [hasattr(it, "open") for it in game.sealed.values()]
    replied, opened = sum(map(bool, (d.leaves for d in decks))), sum(len(d.opened) for d in decks)
    print(f"{len(game.ids)} entries: form, ids, sums, signatures and links are right")
    print(f"{len(game.beacons)} beacons (void: {game.void or 'none'}), all values lead to anchors")
    print(f"{len(decks)} decks bound, {replied} replied for, {opened} cards opened")
    print(f"{len(sealed)} documents sealed, {sum(sealed)} unsealed; audits: {game.audits}")
    return print(__doc__.split("\n\n")[2]) or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
