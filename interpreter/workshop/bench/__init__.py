"""Benchmarks and profiles of games."""
