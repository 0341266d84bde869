"""Recordings of hosts, made and played."""
