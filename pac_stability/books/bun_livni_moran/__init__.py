"""The trials of the statements of BLM20, by key."""
