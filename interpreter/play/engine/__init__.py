"""The engine of a game: steps, decisions, budgets, bulk play."""
