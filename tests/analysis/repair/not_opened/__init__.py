"""Tests of devices that ZFS does not open."""
