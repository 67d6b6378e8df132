"""The rules, one named function each, under their numbers."""
