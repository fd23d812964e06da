"""Finds out who wrote each statement of a note: the commit, the session of an agent, the command."""
