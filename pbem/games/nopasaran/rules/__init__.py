"""The rules of ¡No Pasarán! as predicates and calculations, by chapter."""
