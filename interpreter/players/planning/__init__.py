"""Look-ahead: plans, rollouts, priors and determinization."""
