"""Findings, and slow disks with their evidence."""
