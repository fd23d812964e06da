"""Moves what only this machine knows of a bank to another machine: event logs, key, policy and backups, in one encrypted file.

`contents` says which files these are and how each is merged, `export_file` is the format, `merging` compares an export with this machine and
gives a plan, and `carry_out` executes it.
"""
