"""Containers and virtual machines beside libvirt: what the host's files and commands tell of them."""
