"""Theorems 17 and 1: frequent items, the generic learner, and algorithm M over both."""
