"""This machine: subprocesses and files."""
