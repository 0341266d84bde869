"""Every rule, and all findings of a host."""
