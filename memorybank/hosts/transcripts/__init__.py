"""Transcripts that hosts keep of their sessions, read into the Events that their hooks would have reported."""
