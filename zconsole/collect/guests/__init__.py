"""Guests of hosts: readings and events."""
