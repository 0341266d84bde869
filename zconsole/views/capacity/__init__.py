"""Capacity planning sessions."""
