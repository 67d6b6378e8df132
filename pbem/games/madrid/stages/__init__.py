"""The sequence of play: who is asked, what is rolled, what comes of it."""
