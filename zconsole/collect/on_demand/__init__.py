"""Readings refreshed while a screen shows them: datasets and snapshots."""
