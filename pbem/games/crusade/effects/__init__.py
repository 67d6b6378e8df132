"""What cards do when played as events, found by card id."""
