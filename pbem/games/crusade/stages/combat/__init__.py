"""A combat (11.2), step by step: sequence.py says in which order, each step has its file."""
