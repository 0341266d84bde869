"""ZFS's interface: one module per command, with its argv and its parser."""
