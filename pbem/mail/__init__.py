"""How a game travels by mail: blocks to paste, letters to send, and reading what arrived."""
