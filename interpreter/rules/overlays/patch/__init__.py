"""Reads overlays and applies the verbs of their patches."""
