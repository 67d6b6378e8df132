"""Standing orders: the table of their parts, and next to each clause the function that answers it.

Every question after the dice of an impulse has a part, of one's own impulses and of the enemy's.
Where a policy says nothing the answer is the one a form offers first: nobody counter-attacks, fire
is opened, no chit is played. What begins something (impulses, draws, rebuilding, chits put back,
the pause) a policy answers only where its author has said so.
"""
