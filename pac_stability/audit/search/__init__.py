"""Every sample asked about once, and every pair of neighbours compared: the search itself."""
