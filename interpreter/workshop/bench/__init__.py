"""Benchmarks and profiles."""
