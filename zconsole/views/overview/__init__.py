"""Sections of the first screen: capacity bars, bandwidth and latency, the wall of disks, last events."""
