"""One book a paper: its statements, the trials that examine them, and what was found."""
