"""What one rule text is checked in: the names of the ruleset, the scope, the findings."""
