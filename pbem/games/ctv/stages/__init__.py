"""The sequence of play of Santander 1937: who is asked, what is rolled, and what follows."""
