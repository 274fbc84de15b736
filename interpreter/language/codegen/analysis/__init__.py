"""Static analyses that decide what code to write."""
