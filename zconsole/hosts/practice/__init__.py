"""The other side of the wire: an in-memory ZFS that answers argv as OpenZFS 2.4 does."""
