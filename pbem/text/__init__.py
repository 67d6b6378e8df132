"""Texts that people write: where things are in them, and how to say what is wrong."""
