"""Which types there are, and which fit where."""
