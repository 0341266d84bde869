"""The world at its worst: hosts that print rubbish, keys that nobody guides, and what else is outside."""
