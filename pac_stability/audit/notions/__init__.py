"""What an algorithm can be claimed to be: a module for each notion, or for some that are near."""
