"""Standing orders: answers a player writes once, which a game gives whenever it asks.

A policy has a slot, a public scope, a time until which it is in force, and a document, which may be
sealed until it is first used. Scope and document come from a game file: nothing in them is ever
trusted. What a player writes is first `bound`, as an order is: names become ids, and 2006 is an id
where a hex is meant.

A game declares its parts once, in a `table` of `rows`. Over that table, `reading` judges what a
player writes, `sealing` turns it into what a game file holds and back, `scopes` says which
questions a policy speaks about, `answering` gives the answers, and `help` makes the example, the
schema and the vocabulary.
"""

HELD = "held"
"""In a document: slots of its author's hand, each with the card it claims is there."""
