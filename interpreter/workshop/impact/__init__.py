"""The effects of changed rules on recorded games, and their causes."""
