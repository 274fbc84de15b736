"""State and nothing else: kinds, pieces, spaces, indexes, journal and hash."""
