"""What became of a step whose end was not seen, or was."""
