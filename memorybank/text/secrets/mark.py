"""How the mark begins that redaction leaves in place of a secret. Readers of texts know it without loading what finds secrets."""

__light__ = True

MARK = "[REDACTED:"
