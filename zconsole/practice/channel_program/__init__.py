"""`zfs program` of the practice host."""
