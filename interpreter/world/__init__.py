"""The state of a game: kinds, pieces, spaces, indexes, undo journal, memo tables and hash."""
