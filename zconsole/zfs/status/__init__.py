"""`zpool status` and `zpool import`, as JSON and as text."""
