"""Hypotheses that a person can read, on grids of integers: finite lists with a public prior."""
