"""Texts that people write: where things stand in them, and how to say what is wrong."""
