"""What the numbers of a benchmark are worth."""
