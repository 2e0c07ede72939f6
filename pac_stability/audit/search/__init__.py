"""The search itself: one query for each sample, one comparison for each pair of neighbours."""
