"""The world at its worst: hosts that print rubbish, and what else comes from outside."""
