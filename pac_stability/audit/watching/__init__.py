"""Does a program answer by its sample and its coins alone? All that an audit asks about that."""
