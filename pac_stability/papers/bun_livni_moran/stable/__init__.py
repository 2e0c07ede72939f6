"""Theorem 10: algorithm G, one of whose outputs is frequent."""
