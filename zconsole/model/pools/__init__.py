"""Pools, vdevs, disks and their I/O."""
