"""Disks of which half or more are slow at once: what they share, or their kind, explains it as well."""
