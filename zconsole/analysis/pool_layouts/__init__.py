"""Layouts of pools: usable space, survival, performance, risk."""
