"""Standing orders: the table of their parts, and next to each clause the functions that answer it.

Answers are total: whatever a document says, a legal order comes of it (engine/policy_table.py).
They depend on what both players know, whoever looks at the table, and name cards of a hand by
their slots. Where a policy has no part for a question, or none of its clauses holds, the null
policy answers: no card; losses that kill as few units as can be, then by reduced divisions, full
divisions, reduced corps, full corps; no cancelling; a retreat by supply, then by the fewest
enemies next to it, then in map order.

A card of a hidden hand is named by its slot in a document: whoever answers when the dice are known
could else say that they do not hold it.
"""
