"""The checking of statements."""
