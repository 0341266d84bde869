"""Outcome of steps, from conditions, processes and history."""
