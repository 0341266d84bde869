"""`zpool` commands of the practice host that change vdevs."""
