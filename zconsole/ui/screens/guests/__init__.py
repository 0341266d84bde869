"""Screens of guests."""
