"""One memory for an organisation: what a machine shares with a server, and what it keeps of what others shared."""
