"""Disks, mounts, open files and guests of a host: one module a command, its argv beside its parser."""
