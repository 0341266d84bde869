"""Vdevs and devices: redundancy, safety of devices, scans, the tree after a change."""
