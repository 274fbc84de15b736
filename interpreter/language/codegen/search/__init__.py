"""Code for path searches."""
