"""Hosts that cut, freeze and lie, and consoles that are left or killed."""
