"""What the statements of BLM20 are asked of: trials, by key."""
