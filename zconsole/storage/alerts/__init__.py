"""Alerts on disk: what was told, what waits to be sent, and which program tells."""
