"""`zfs send` and `zfs receive` of the practice host."""
