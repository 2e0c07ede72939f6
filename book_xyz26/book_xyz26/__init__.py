"""The statements of a paper, and the trials that examine them."""
