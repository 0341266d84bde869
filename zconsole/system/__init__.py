"""Disks, mounts, open files and guests of a host: one module per command, with argv and parser."""
