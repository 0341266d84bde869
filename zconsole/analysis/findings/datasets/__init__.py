"""Rules on file systems, volumes and clones: what is set for them, and what they hold."""
