"""Corollary 2: M without a hypothesis that fits, its sizes and its runs."""
