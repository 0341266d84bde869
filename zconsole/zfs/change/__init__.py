"""The argv of commands that change something, channel programs, libzfs_core."""
