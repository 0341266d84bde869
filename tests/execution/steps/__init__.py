"""One step of a plan."""
