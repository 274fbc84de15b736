"""Players that answer decisions without a person: random, greedy and search."""
