"""The rules of Santander 1937 as predicates and calculations, by chapter."""
