"""Messages on alerts: which states and events are told, and their delivery in the background."""
