"""What the host says of its disks: one module a command, its argv beside its parser."""
