"""Instances that a search found: one JSON file for each climb, read by the trials as instances."""
