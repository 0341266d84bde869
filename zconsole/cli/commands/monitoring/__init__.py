"""Subcommands that run unattended: metrics for Prometheus, and messages on findings."""
