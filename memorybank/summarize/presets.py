"""Servers known by name: their address, default model, and the variables that hold their key. Data only.

All of them offer the chat API of OpenAI. The model of Gemini is the one in the specification (`SUMMARIZATION_MODEL`). Servers on the person's machine
offer whatever model was loaded, so the person must name it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """A known server.

    url: base address of the API
    model: "" when the person must name it
    keys: environment variables for the key; the first that is set counts
    """

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
