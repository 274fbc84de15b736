"""The formatter for documents and rule text."""
