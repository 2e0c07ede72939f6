"""The notions that an author can claim: a module for each, or for a few related ones."""
