"""Code for each form of statement and expression."""
