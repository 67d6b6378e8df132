"""What is kept of each release, and that later ones still play it."""
