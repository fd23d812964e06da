"""Servers that are known by name: where they answer, which model is meant, which variable holds their key. Data.

All speak the chat API of OpenAI. The model of Gemini is that of the document (`SUMMARIZATION_MODEL`); servers on the own machine serve what was
loaded there, so their model is named by the person.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """url: base of the API; model: "" where it must be named; keys: environment variables, the first that is set counts."""

    url: str
    model: str = ""
    keys: tuple[str, ...] = ()


PRESETS = {
    "openai": Preset("https://api.openai.com/v1/", "gpt-4.1-mini", ("OPENAI_API_KEY",)),
    "gemini": Preset("https://generativelanguage.googleapis.com/v1beta/openai/", "gemini-2.5-flash", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    "anthropic": Preset("https://api.anthropic.com/v1/", "claude-haiku-4-5", ("ANTHROPIC_API_KEY",)),
    "ollama": Preset("http://localhost:11434/v1/"),
    "vllm": Preset("http://localhost:8000/v1/"),
    "lmstudio": Preset("http://localhost:1234/v1/"),
}
