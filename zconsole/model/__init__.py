"""Frozen typed values: what is known of a host, independent of how it was read."""
