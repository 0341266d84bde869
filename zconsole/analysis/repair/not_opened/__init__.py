"""Devices that ZFS does not open although the host has them."""
