"""Type checking of statements."""
