"""Standing orders: the table of their parts, with the function that answers each clause.

Whatever is asked of the side that is not moving has a part, and whatever is asked behind the dice
of one's own attacks. If a policy says nothing, nobody bombards, no step is traded, the weakest
units lose steps first, and stacks are driven to the safest hex. A policy advances, breaks through
or bombards in its author's own attacks only if its author has said so.
"""
