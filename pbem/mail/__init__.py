"""How a game travels by mail: blocks to paste, letters to send, and the game out of what came."""
