"""Flows of several dialogs: a change, freeing space, scenario files, timeline marks."""
