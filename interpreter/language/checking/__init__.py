"""The type checker: names, types and effects over a whole ruleset."""
