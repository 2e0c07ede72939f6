"""Mutants drawn from the syntax tree, the list of directed roundings, and a judge for both."""
