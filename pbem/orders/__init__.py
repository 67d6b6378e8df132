"""The order file: read with a place for every word, bound to the names of a game, and written."""
