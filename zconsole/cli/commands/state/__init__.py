"""Subcommands that show the state of hosts: pools, disks, datasets, I/O."""
