"""Families by theme, each with its finite tables and its hypotheses."""
