"""Programs and files of the practice host beside ZFS."""
