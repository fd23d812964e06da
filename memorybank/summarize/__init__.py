"""Summaries of one day: the extractive summarizer (default, offline, deterministic), a model behind a chat API, a program of the person's own."""
