"""Settings screen: the settings, their values, and where each comes from."""
