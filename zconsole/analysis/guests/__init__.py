"""Guests and their storage: which live where, and what the state of the storage means for them."""
