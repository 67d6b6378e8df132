"""The sequence of play: who is asked, what is rolled, what follows."""
