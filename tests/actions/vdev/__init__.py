"""Tests of actions on vdevs and disks."""
