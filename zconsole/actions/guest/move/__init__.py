"""Moves of a guest's storage to another dataset, pool or host."""
