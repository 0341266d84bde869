"""Accidents that others had, each tried again."""
