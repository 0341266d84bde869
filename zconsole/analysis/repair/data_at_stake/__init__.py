"""What speaks against a replacement because of the data: blocks that only a failed device may have whole."""
