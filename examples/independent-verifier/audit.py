"""Goes on where verify.py ends: content, opened orders, the end, its secrets (10, 17, 21, 22).

audit.py GAME.pbem.json[.gz] [--die N LABEL SIDES | --sample N LABEL LENGTH COUNT]

Not checked, since it takes the rules of the game: whether orders are legal, what they roll, what
comes of it (`post`), who owes what but reveals, lock times, hands, what both agree on (23)."""

import base64
import hashlib
import json
import re
import sys

import limits
import verify
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from verify import Game, H, Refused, Step, canonical, need, uniform


def sample(key: bytes, label: str, items: list, count: int) -> list:  # (8)
    left, times = list(items), range(1, min(count, len(items)) + 1)
    return [left.pop(uniform(key, f"{label}/{j}", len(left))) for j in times]


def commitment(slot: str, seq: int, salt: str, digest: str) -> str:  # (21)
    return H("pbem1/commit", slot, seq, salt, digest).hex()


def choice(one: Step, salt: str, text: bytes) -> str:  # what binds to a secret one (21)
    return H("pbem1/choice", one.seq, one.step, salt, hashlib.sha256(text).hexdigest()).hex()


class Whole(Game):
    def __init__(self) -> None:
        super().__init__()
        self.sealed, self.audits, self.resigned, self.written = {}, [], False, {"A": 0, "B": 0}
        self.chosen, self.untold, self.slots, self.lists = [], [], set(), {}
        self.standing = []

    def take(self, entry: dict) -> None:
        self.was_over = self.over
        super().take(entry)
        need(not (why := limits.over(entry["payload"]["by"], entry, self.written)), why)
        kinds = {step["do"] for step in entry["payload"]["steps"]}
        need(not self.was_over or kinds != {"say"}, "E-TURN: the game is over")

    def do_seal(self, by: str, it: Step) -> None:  # a secret choice (21)
        place = {"seq": len(self.ids) - 1, "step": self.at, "age": len(self.past[by])}
        self.chosen.append(Step(by=by, c=it.c, box=it.box, **place))
        self.untold.append(self.chosen[-1])

    def do_tell(self, by: str, it: Step) -> None:  # whose turn it is to be told the rules say
        text = canonical(it.order).encode()
        shown = [x for x in self.untold if x.by == by and x.c == choice(x, it.salt, text)]
        need(shown, "E-POLICY: no such choice was sealed")
        self.untold.remove(shown[0])

    def do_list_seal(self, by: str, it: Step) -> None:  # (32)
        long, new = 46 * it.size + 16, (by, it.slot, len(self.ids) - 1)
        right = len(it.box) == -(-long // 3) * 4 and new not in self.lists
        need(right, "E-POLICY: a box of another length, or a list twice")
        self.lists[new] = Step(**vars(it), told=set(), age=len(self.past[by]))

    def do_list_tell(self, by: str, it: Step) -> None:  # which are due the rules say
        own = self.lists.get((by, it.slot, it.seq), Step(c="", size=0, age=-1))
        for one in (Step(**each) for each in it.items):
            text = hashlib.sha256(canonical(one.item).encode()).hexdigest()
            node, at = H("pbem1/item", it.slot, it.seq, one.at, text, one.nonce), one.at
            for beside in map(bytes.fromhex, one.path):
                pair = beside + node if at % 2 else node + beside
                node, at = hashlib.sha256(b"pbem1/node\n" + pair).digest(), at // 2
            right = 1 << len(one.path) == own.size > one.at not in own.told
            right = right and node.hex() == own.c and own.age == len(self.past[by])
            need(right, f"E-POLICY: item {one.at} of the list {it.slot}")
            own.told.add(one.at)

    def do_takeback(self, by: str, it: Step) -> None:
        super().do_takeback(by, it)
        self.untold, now = [], [*self.policies("A"), *self.policies("B")]
        self.standing = [x for x in self.standing if x.seq <= it.to and (x in now or not x.hidden)]

    def do_renew(self, by: str, it: Step) -> None:
        super().do_renew(by, it)
        self.untold = [one for one in self.untold if one.by != by]
        self.standing = [one for one in self.standing if one.by != by or not one.hidden]

    def may_stand(self, by: str, it: Step) -> None:
        may = "audit|close|say|ruling" if self.was_over else "-" if self.resigned else "audit|say"
        need(not self.over or re.fullmatch(may, it.do), f"E-TURN: the game is over, and no {it.do}")
        super().may_stand(by, it)
        self.resigned |= it.do == "resign"

    def do_policy(self, by: str, it: Step) -> None:  # a slot takes one an entry (12)
        need((len(self.ids), it.slot) not in self.slots, "E-POLICY: a slot twice in one entry")
        self.slots.add((len(self.ids), it.slot))
        it.by, it.seq, it.hidden = by, len(self.ids) - 1, hasattr(it, "c") and hasattr(it, "box")
        self.standing.append(it)
        if it.hidden:
            it.age = len(self.past[by])
            self.sealed[by, it.slot, it.seq] = it

    def policies(self, by: str) -> list:  # that may answer, in the order they are looked at (12)
        last = {x.slot: x for x in self.standing if x.by == by}
        there = [x for x in self.standing[::-1] if x in last.values() and not hasattr(x, "open")]
        return sorted(
            (x for x in there if x.hidden or getattr(x, "doc", None) is not None),
            key=lambda x: x.hidden,
        )

    def do_unseal(self, by: str, it: Step) -> None:
        policy = self.sealed.get((by, it.slot, it.seq), Step(c=""))
        policy.open = commitment(it.slot, it.seq, it.salt, H(canonical(it.doc)).hex())
        need(policy.c == policy.open, "E-POLICY: this is not the document that was sealed")

    def do_audit(self, by: str, it: Step) -> None:  # the secret against all they are bound to (22)
        owed = by not in self.audits and (self.decks or self.sealed or self.chosen or self.lists)
        need(owed, "E-TURN: no audit is owed")
        self.audits, before = [*self.audits, by], getattr(it, "earlier", [])
        right = len(before) == len(self.past[by]) and hasattr(it, "earlier") == bool(before)
        need(right, "E-AUDIT: earlier is one for each time of new secrets, and only then there")
        for age, secret in enumerate([*before, it.gsec]):
            if secret is not None:
                self.shows(by, age, bytes.fromhex(secret))

    def shows(self, by: str, age: int, gsec: bytes) -> None:  # what a secret of a time bound (25)
        for q, anchor in enumerate([*self.past[by], self.chains[by]][age]):
            x = H("pbem1/chain", by, q, key=gsec)
            for i in range(self.terms.chain_len, 0, -1):
                x = H("pbem1/step", by, self.context[by], i, x.hex())
            need(x.hex() == anchor, f"E-AUDIT: the secret does not give anchor {q}")
        for deck in [each for each in self.decks.values() if (each.by, each.age) == (by, age)]:
            mixed = [",".join(map(str, deck.groups))] if deck.groups else []
            late = [deck.made, H(*deck.cards).hex(), *mixed] if deck.epoch > 1 or mixed else []
            node = H("pbem1/deckseed", deck.deck, deck.epoch, *late, key=gsec)
            need(deck.bound(deck.roots(node, 0, deck.m)), f"E-AUDIT: deck {deck.deck} {deck.epoch}")
        for (whose, slot, seq), own in self.sealed.items():
            if (whose, own.age) == (by, age):
                text = self.unboxed(gsec, f"pbem1/box\n{slot}\n{seq}", own.box, seq)
                digest = hashlib.sha256(text).hexdigest()
                salt = H("pbem1/salt", slot, seq, digest, key=gsec).hex()
                right = own.c == commitment(slot, seq, salt, digest)
                need(right, f"E-AUDIT: the box of entry {seq} holds another document")
        for (whose, slot, seq), own in self.lists.items():
            if (whose, own.age) == (by, age):
                text = self.unboxed(gsec, f"pbem1/list\n{slot}\n{seq}", own.box, seq)
                items = json.loads(text)["items"]
                digest = hashlib.sha256(canonical(items).encode()).hexdigest()
                nonces = [H("pbem1/itemnonce", slot, seq, i, digest, key=gsec).hex()
                          for i in range(own.size)]  # fmt: skip
                level = [H("pbem1/item", slot, seq, i, H(canonical(one)).hex(), nonces[i])
                         for i, one in enumerate(items)]  # fmt: skip
                while len(level) > 1:
                    pairs = zip(level[::2], level[1::2], strict=True)
                    level = [hashlib.sha256(b"pbem1/node\n" + x + y).digest() for x, y in pairs]
                right = len(items) == own.size and level[0].hex() == own.c
                need(right, f"E-AUDIT: the box of entry {seq} holds another list")
        for own in [each for each in self.chosen if (each.by, each.age) == (by, age)]:
            place = f"{own.seq}\n{own.step}"
            text = self.unboxed(gsec, f"pbem1/choicebox\n{place}", own.box, own.seq).rstrip(b" ")
            salt = H("pbem1/choicesalt", place, hashlib.sha256(text).hexdigest(), key=gsec).hex()
            need(own.c == choice(own, salt, text), f"E-AUDIT: the box of entry {own.seq} lies")

    def unboxed(self, gsec: bytes, label: str, box: str, seq: int) -> bytes:
        cipher = AESSIV(H("pbem1/box", 1, key=gsec) + H("pbem1/box", 2, key=gsec))
        try:
            return cipher.decrypt(base64.b64decode(box), [label.encode()])
        except InvalidTag:
            raise Refused(f"E-AUDIT: the box of entry {seq} does not open") from None

    def told(self) -> list:
        opened = sum(hasattr(policy, "open") for policy in self.sealed.values())
        secret = f"{len(self.chosen)} secret choices, {len(self.untold)} not told"
        shown = f"{len(self.sealed)} documents sealed, {opened} unsealed; {secret}"
        return [*super().told(), f"{shown}; audits: {self.audits}"]


def main(path: str = "", *asked: str) -> int:
    verify.__doc__, game = __doc__, Whole()
    if not re.fullmatch(r"--sample [1-9]\d* \S+ [1-9]\d{0,6} [1-9]\d{0,6}", " ".join(asked)):
        return verify.main(game, path, *asked)
    _, n, label, length, count = asked
    found = verify.main(game, path, "--die", n, label, "1")  # judges the file, and has the beacon
    if found == 0:
        picked = sample(game.beacons[int(n)], label, [*range(int(length))], int(count))
        print(f"{label} gives {picked}")
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
