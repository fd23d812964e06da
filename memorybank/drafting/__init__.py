"""Drafts the resident summary by rules: from notes, open failures and recent episodes to a body, and from a body to the page it may replace."""
