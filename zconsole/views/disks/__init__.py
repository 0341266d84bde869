"""Disks of a host: the list, and the details of one."""
