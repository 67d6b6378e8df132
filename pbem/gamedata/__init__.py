"""The data of the games: where they are, what they say, and what is wrong with a folder of them."""
