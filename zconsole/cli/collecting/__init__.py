"""Collecting for the console and for subcommands that run unattended."""
