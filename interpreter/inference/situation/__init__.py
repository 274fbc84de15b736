"""The situation that odds are computed for, and who answers what is asked in it."""
