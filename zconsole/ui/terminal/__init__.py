"""Terminal layer below Textual: fewer bytes, no foreign sequences, and a usable terminal at the end."""
