"""The kernel: decisions, chances, outcomes. Knows no game, no file and no board."""
