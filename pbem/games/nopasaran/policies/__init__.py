"""Standing orders: the table of their parts, with the function that answers each clause.

Whatever is asked of the side that is not active has a part, and whatever is asked behind the dice
of one's own attacks. If a policy says nothing, the defence stays, all guns and aircraft that can
support it, the best unit leads, nobody answers guns or reacts, the stack retreats together as far
as it must, and nothing is built.
"""
