"""The specification's metrics and alerts for a bank, derived from the sources of truth and from the log of operations."""
