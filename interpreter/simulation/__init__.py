"""Simulations of many games: plans, worker processes, statistics and paired comparison."""
