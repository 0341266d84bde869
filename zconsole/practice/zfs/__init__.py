"""The `zfs` commands of the practice host that change datasets, or tell what a change would do."""
