"""Replicas, coverage, restoring from streams."""
