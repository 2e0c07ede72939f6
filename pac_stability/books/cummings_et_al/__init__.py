"""The trials of the statements of CLNRW16, by key."""
