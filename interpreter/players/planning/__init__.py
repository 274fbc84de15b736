"""Look-ahead: plans, rollouts, priors and what cannot be known."""
