"""The one reader of people's tables: from files and data frames to classes and points."""
