"""Faults that users saw, by what they saw."""
