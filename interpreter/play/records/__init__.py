"""Saves, log files and the records they hold."""
