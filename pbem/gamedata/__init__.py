"""The data of the games: where they lie, what they say, and what is wrong with a folder of them."""
