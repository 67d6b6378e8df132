"""A game played in a browser: a draft of orders that grows by clicks and by typing."""
