"""Checked rule text becomes Python source."""
