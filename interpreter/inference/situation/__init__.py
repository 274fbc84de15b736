"""Situations: the position that odds are computed for, and how decisions are answered."""
