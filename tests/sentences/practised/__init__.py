"""Scenes in the practice world, read by the program's own commands and parsers."""
