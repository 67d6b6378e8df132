"""Boards and scenes as players see them: text for the terminal, pictures as SVG."""
