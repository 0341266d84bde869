"""Disks of a host: the list, and what is known of one."""
