"""Hosts behind SSH, by asyncssh."""
