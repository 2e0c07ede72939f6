"""Statements of Filmus, Hanneke, Mehalel & Moran (COLT 2023) on randomized online learning."""
