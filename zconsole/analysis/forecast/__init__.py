"""Forecast of when a pool is full: a date with a range, and how often such ranges held."""
