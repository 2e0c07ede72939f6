"""What the statements of DF20 are asked of: trials, by key."""
