"""Single readings of a host: snapshots, files, users of storage, replication."""
