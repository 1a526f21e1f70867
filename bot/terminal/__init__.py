"""The terminal: the commands of the command line, one module each, and how answers are drawn there."""
