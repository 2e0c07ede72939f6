"""Algorithm G on examples that come one by one, in plain Python and by the compiled kernel."""
