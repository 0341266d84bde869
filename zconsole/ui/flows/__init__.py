"""What takes several dialogs: a change to a pool, freeing space, scenario files, timeline marks."""
