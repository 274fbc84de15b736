"""The log of a game, built from trace events."""
