"""Self-play tuning of the evaluation of a ruleset."""
