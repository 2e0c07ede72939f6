"""One book for each paper: its statements, the trials that check them, and the findings."""
