"""What a change of rules does to recorded games, and why."""
