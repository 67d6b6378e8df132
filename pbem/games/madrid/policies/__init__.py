"""Standing orders: the table of their parts, with the function that answers each clause.

Every question after the dice of an impulse has a part, in one's own impulses and the enemy's. If a
policy says nothing, the answer is the first one in the form: nobody counter-attacks, units fire, no
chit is played. A policy begins something (impulses, draws, rebuilding, chits put back, the pause)
only if its author has said so.
"""
