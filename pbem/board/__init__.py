"""What any board game has; knows no game and no file."""
