"""Datasets, snapshots, replication and streams."""
