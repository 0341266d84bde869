"""Datasets, snapshots, clones, files and differences."""
