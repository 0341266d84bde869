"""Guests: what is said of them."""
