"""Standing orders: the table of their parts, and next to each clause the functions that answer.

Answers are total: any document gives a legal order (engine/policies). They depend on what
both players know, and name cards of a hand by their slots. Where a policy has no part for a
question, or none of its clauses holds, the null policy answers: no card; losses that kill as few
units as possible, then fall on reduced divisions, full divisions, reduced corps, full corps; no
cancelling; a retreat by supply, then by the fewest adjacent enemies, then in map order.

A card of a hidden hand is named by its slot in a document: otherwise its author, who answers when
the dice are known, could deny holding it.
"""
