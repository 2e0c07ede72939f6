"""The trials of the statements of DF20, by key."""
