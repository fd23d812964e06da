"""A bank can come from a stranger: what it says about programs, addresses, models and keys is ignored and reported, and no request is sent."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.config import settings
from memorybank.errors import ConfigInvalid
from memorybank.summarize import choosing

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("summarizer", "llm", "url", "base_url", "model", "api_key", "command", "program", "endpoint", "SUMMARIZATION_MODEL", "key-variable", "provider")


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("capability", settings.FILES)
def test_a_bank_that_names_one_is_told_so_and_works_on(bank, capability, name):
    scratch = bank()
    section = {"memory": {}} if capability == "cycle" else {}
    scratch.configure(capability, json.dumps({**section, name: "https://evil.example/v1"}))
    loaded, problems = settings.load_with_problems(scratch.layout)
    assert [(problem.code, problem.line) for problem in problems] == [("config_untrusted", 1)] and "your own config.json" in problems[0].message
    assert loaded is not None and loaded == settings.DEFAULTS


def test_a_nested_one_is_told_too(bank):
    scratch = bank()
    scratch.configure("index", '{"keyword_extraction": {"model": "x", "stop_word": 1}}')
    assert {problem.code for problem in settings.load_with_problems(scratch.layout)[1]} == {"config_unknown_key", "config_untrusted"}


def test_nothing_in_a_repository_chooses_a_summarizer(bank, server, counting_clock, day, monkeypatch):
    """The working folder is a repository with files of every name from which tools read such settings."""
    scratch = bank(git=True)
    evil = {"summarizer": {"use": "llm", "url": server.url, "model": "m", "command": ["touch", "/"]}}
    for place in ("config.json", "summarizer.json", "config/config.json", "config/summarizer_config.json", "memorybank/config.json"):
        for root in (scratch.root, scratch.repository):
            path = root / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(evil), encoding="utf-8")
    (scratch.repository / ".env").write_text(f"MEMORYBANK_SUMMARIZER=llm\nMEMORYBANK_LLM_URL={server.url}\nOPENAI_BASE_URL={server.url}\n", encoding="utf-8")
    monkeypatch.chdir(scratch.repository)
    choice = choosing.choose(choosing.read_own(os.environ), os.environ)
    summary = choice.build(counting_clock).summarise(day)
    assert (choice.name, choice.leaves_by, summary.by, server.requests) == ("extractive", None, "extractive", [])


def test_config_validate_says_what_a_bank_named_and_what_is_wrong_with_ones_own(bank, tmp_path):
    scratch = bank()
    scratch.configure("index", '{"llm": {"url": "https://evil.example"}}')
    own = tmp_path / "own" / "memorybank"
    own.mkdir(parents=True)
    command = [sys.executable, "-m", "memorybank", "--bank", str(scratch.root), "config", "validate", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path / "own")}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=60)
    assert done.returncode == 0 and [problem["code"] for problem in json.loads(done.stdout)] == ["config_untrusted"]
    (own / "config.json").write_text('{"summarizer": {"api_key": "sk-1234"}}', encoding="utf-8")
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=60)
    assert done.returncode == ConfigInvalid.exit_code and [problem["code"] for problem in json.loads(done.stdout)] == ["config_untrusted", "config_secret"]
    assert "sk-1234" not in done.stdout + done.stderr
