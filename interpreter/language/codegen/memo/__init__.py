"""Code that memoizes results of rules."""
