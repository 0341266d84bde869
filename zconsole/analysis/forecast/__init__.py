"""Forecast of when a pool is full: a date with a range of stated confidence."""
