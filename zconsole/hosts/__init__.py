"""Hosts on which commands run: this machine, SSH, recordings. Independent of the storage."""
