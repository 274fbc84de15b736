"""What an editor asks about a ruleset."""
