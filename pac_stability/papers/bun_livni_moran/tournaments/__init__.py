"""Section 3: the distributions D_k, their laws and budgets, and the frequencies they reach."""
