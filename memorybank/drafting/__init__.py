"""The resident summary drafted by rule: from notes, open failures and recent episodes to a body, and from a body to the page it may go into."""
