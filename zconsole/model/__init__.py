"""Frozen typed values: what is known of a host, without knowing how it was learnt."""
