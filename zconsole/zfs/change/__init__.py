"""Argv of commands that change something, channel programs, libzfs_core."""
