"""Dependencies between datasets: closure, clones, promotion, users of storage."""
