"""What an entry may hold, and a player write in all: the table of section 17 of the page."""

import json

CANONICAL = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
LISTS = {"orders": "list", "react": "answers", "post_choice": "answers"}
FRAME = len('{\n "entries": [],\n "format": "pbem-game/1"\n}\n') + 2  # of a file, two in its list


def size(value: object) -> int:
    return len(json.dumps(value, **CANONICAL).encode())


def words(lines: list) -> int:
    return sum(len(json.dumps(line)) for line in lines)


def clauses(value: object) -> int:  # objects, this one included
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, dict) + sum(map(clauses, inside))


def stored(entry: dict) -> int:
    sig, payload = "".join(entry["sig"]), {**entry["payload"], "prev": "0" * 16}
    whole = {**entry, "payload": payload, "sig": [sig[:44], sig[44:]]}
    file = {"entries": [whole], "format": "pbem-game/1"}
    return len(json.dumps(file, indent=1, sort_keys=True)) + 2 - FRAME  # a line end, a comma


def over(by: str, entry: dict, written: dict) -> str:
    """Why an entry holds too much, or nothing; counts the bytes that each player has written."""
    written[by] += stored(entry)
    steps = entry["payload"]["steps"]
    said = [line for step in steps if step["do"] == "say" for line in step["text"]]
    orders = [one for step in steps for one in step.get(LISTS.get(step["do"], ""), [])]
    plans = [(x.get("scope"), x.get("until"), x.get("doc")) for x in steps
             if x["do"] in ("policy", "unseal")]  # fmt: skip
    terms = steps[0] if steps[0]["do"] == "propose" else {"options": {}, "m": 0, "decks": []}
    bounds = [
        ("words", words(said) > 4096),
        ("options", size(terms["options"]) > 2048),
        ("cards on trial", terms["m"] * sum(len(x["cards"]) for x in terms["decks"]) > 131072),
        ("orders", len(orders) > 1024 or size(orders) > 65536),
        ("what an order waits for", any(size(x.get("when", {})) > 1024 for x in orders)),
        ("scope", any(size([scope, until]) > 1024 for scope, until, _ in plans)),
        ("document", any(size(doc) > 3000 for _, _, doc in plans)),
        ("choice", any(size(x["order"]) > 2048 for x in steps if x["do"] == "tell")),
        ("clauses", any(sum(clauses(x) - isinstance(x, dict) for x in (scope, doc)) > 64
                        for scope, _, doc in plans)),
        ("of the file", written[by] > 12 << 20),
    ]  # fmt: skip
    found = [what for what, is_over in bounds if is_over]
    return f"E-LIMIT: too much of player {by}: {found[0]}" if found else ""
