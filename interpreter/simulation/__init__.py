"""Many games: plans, processes, statistics and paired comparison."""
