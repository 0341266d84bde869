"""What is refreshed while somebody looks at it: datasets and snapshots."""
