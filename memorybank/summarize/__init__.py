"""Summaries of one day: the extractive summarizer (default, offline, deterministic), a model behind a chat API, or a program that the person configured."""
