"""Does a program answer by its sample and its coins alone? How an audit checks this."""
