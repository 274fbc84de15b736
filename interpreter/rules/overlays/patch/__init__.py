"""The patch verbs of overlays."""
