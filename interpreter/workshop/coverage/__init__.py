"""What of a rulebook is implemented, cited and exercised."""
