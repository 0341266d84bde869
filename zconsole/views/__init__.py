"""Contents of screens as values: tables and paragraphs of styled text, drawn and printed."""
