"""Pools, vdevs, latency, load, ARC and events."""
