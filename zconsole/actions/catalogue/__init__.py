"""Lists of all actions by the object that they change: the whole of each is loaded with its list."""
