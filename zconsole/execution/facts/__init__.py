"""Reading one host for one plan."""
