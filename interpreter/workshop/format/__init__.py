"""Documents in one style."""
