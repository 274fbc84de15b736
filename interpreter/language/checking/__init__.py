"""Names, types and effects over a whole ruleset."""
