"""Send streams: records, resume tokens, progress."""
