"""Exact inference: blocks, calls and continuations enumerated and merged."""
