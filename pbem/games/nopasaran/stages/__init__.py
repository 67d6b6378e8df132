"""The sequence of play of ¡No Pasarán!."""
