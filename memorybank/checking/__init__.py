"""Checks the files of a bank that are committed, in the working tree or as git's index contains them."""
