"""What ZFS says: one module a command, its argv beside its parser."""
