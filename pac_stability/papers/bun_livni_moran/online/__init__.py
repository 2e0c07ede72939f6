"""The online side: thresholds and trees, the figures, the regret of the introduction."""
