"""Between Textual and the terminal: fewer bytes, no foreign sequences, and an end that leaves it usable."""
