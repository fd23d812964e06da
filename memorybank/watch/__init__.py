"""Keeps the index up to date while somebody works. It runs in the foreground, and nothing depends on it."""
