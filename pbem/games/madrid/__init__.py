"""Storm over Madrid 1936: areas, impulses in turn, event chits. It is being built, chapter by
chapter, and no line in `GAMES` offers it yet."""
