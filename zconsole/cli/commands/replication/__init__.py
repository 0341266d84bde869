"""Subcommands about replication: replicas of datasets, and send streams in files."""
