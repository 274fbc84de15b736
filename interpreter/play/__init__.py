"""A game under way: sequence, decisions, dice, log, undo, saves and views."""
