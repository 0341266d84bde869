"""Actions on datasets, volumes, snapshots and bookmarks."""
