"""Screens of commands that were run: those of the console, and the history of a pool."""
