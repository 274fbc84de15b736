"""The commands of `bicorne`, one module per command."""
