"""Containers of the practice host."""
