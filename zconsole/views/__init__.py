"""What is said of each subject, as values: tables and paragraphs of styled text, drawn by the screen."""
