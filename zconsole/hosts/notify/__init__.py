"""Senders of messages: by mail, by HTTP, by a local command. Each call blocks, with a time limit."""
