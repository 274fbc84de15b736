"""Types: how they are resolved and how they relate."""
