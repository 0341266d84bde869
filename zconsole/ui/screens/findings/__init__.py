"""Screens of what is wrong, and of what could be better."""
