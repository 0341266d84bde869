"""Where commands run, and nothing about ZFS."""
