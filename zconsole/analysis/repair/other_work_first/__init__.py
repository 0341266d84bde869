"""What else in the pool comes before a replacement: work of ZFS, and the repairs of other devices."""
