"""What the load of a disk explains of its latency."""
