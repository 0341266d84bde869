"""What depends on what: closure, clones, promotion, users of storage."""
