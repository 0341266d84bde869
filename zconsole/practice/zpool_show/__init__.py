"""`zpool` commands of the practice host that show something."""
