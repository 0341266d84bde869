"""One step of a plan: its host, and its command."""
