"""A game played at in a browser: a draft of orders that grows by clicks and by writing."""
