"""Actions on vdevs and disks."""
