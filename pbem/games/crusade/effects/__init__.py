"""The events of cards, found by card id."""
