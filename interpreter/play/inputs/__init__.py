"""Dice, answers and where they come from."""
