"""The demonstration host."""
