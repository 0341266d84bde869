"""Settings of ZFS on a host: of its datasets, of the module, of the event daemon."""
