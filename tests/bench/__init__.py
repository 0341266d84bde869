"""Measurements: ratios, bytes and counts. Run alone: `python -m tests.bench`."""
