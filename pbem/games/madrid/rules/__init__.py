"""The rules, one named function each, with their numbers."""
