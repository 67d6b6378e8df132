"""Whole finished games, one for each way a game can end, and one Campaign as a signed file."""
