"""The context in which one rule text is checked: the names of the ruleset, the scope, the findings."""
