"""Alerts of the console: the line that stays, and the list of them."""
