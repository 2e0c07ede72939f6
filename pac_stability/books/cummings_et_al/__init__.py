"""What the statements of CLNRW16 are asked of: trials, by key."""
