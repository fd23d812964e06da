"""Reads the transcripts that hosts keep of their sessions, as the Events that their hooks would have reported."""
