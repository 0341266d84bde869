"""Disks that are a little slower than their peers, second after second: a paired sequential test."""
