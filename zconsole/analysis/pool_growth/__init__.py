"""Changes to a live pool: what-if, migration, write balance."""
