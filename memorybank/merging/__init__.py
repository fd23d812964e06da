"""Merges what two clones of a bank changed: merge drivers for git, their installation, and the repair of a merge that ran without them."""
