"""Somebody else acts at any moment of a run."""
