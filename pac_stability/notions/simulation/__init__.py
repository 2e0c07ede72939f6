"""The search for the best simulator, which perfect generalization stands on."""
