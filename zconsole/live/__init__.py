"""The imperative shell: collecting and executing, on a thread and loop of their own."""
