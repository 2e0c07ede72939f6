"""Break the library on purpose, one line at a time, and prove that the tests notice."""
