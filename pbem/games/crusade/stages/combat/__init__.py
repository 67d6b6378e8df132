"""A combat (11.2), step by step. sequence.py has their order, and each step has its file."""
