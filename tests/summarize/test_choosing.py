"""Which summarizer is used: from flags, then the environment, then the person's own settings, never from a bank. Keys are sent only to their host."""

import json
import os
import sys
import types

import pytest

from memorybank.config import own
from memorybank.config.own import SERVERS, SUMMARIZERS
from memorybank.errors import ConfigInvalid, MissingExtra, UsageError
from memorybank.installed import extra_command
from memorybank.summarize import choosing
from memorybank.summarize.choosing import PRESETS, WORDS, choose
from memorybank.summarize.extractive import ExtractiveSummarizer
from memorybank.summarize.llm import LlmSummarizer
from memorybank.summarize.summarizer import SummarizerUnusable, Tokens, weaker


@pytest.fixture
def person(tmp_path):
    """person({...}) → (their own settings, their environment)."""

    def make(settings=None, **environment):
        values = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "own"), **environment}
        if settings is not None:
            path = tmp_path / "own" / "memorybank" / "config.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(settings if isinstance(settings, str) else json.dumps(settings), encoding="utf-8")
        return own.load(values), values

    return make


def test_words_are_the_same_everywhere():
    assert (*SUMMARIZERS, *SERVERS) == WORDS and tuple(PRESETS) == SERVERS


def test_without_a_word_of_the_person_everything_stays_here(person):
    """A key in the environment alone enables nothing."""
    choice = choose(*person(OPENAI_API_KEY="k", GEMINI_API_KEY="k", SUMMARIZATION_MODEL="gemini-2.5-pro"))
    assert (choice.name, choice.leaves_by) == ("extractive", None) and isinstance(choice.build(None), ExtractiveSummarizer)


@pytest.mark.parametrize(
    ("settings", "environment", "flags", "name", "host"),
    [
        ({"use": "llm"}, {}, {}, "llm:gemini-2.5-flash", "generativelanguage.googleapis.com"),
        ({"use": "llm"}, {"SUMMARIZATION_MODEL": "gemini-2.5-pro"}, {}, "llm:gemini-2.5-pro", "generativelanguage.googleapis.com"),
        ({"use": "llm", "model": "own"}, {}, {}, "llm:own", "generativelanguage.googleapis.com"),
        ({"use": "llm", "model": "own"}, {"MEMORYBANK_LLM_MODEL": "env"}, {"model": "flag"}, "llm:flag", "generativelanguage.googleapis.com"),
        ({"use": "llm", "preset": "ollama", "model": "qwen3"}, {}, {}, "llm:qwen3", "localhost:11434"),
        ({}, {"MEMORYBANK_SUMMARIZER": "lmstudio", "MEMORYBANK_LLM_MODEL": "m"}, {}, "llm:m", "localhost:1234"),
        ({}, {"MEMORYBANK_SUMMARIZER": "llm", "MEMORYBANK_LLM_URL": "http://127.0.0.1:9999/v1", "MEMORYBANK_LLM_MODEL": "m"}, {}, "llm:m", "127.0.0.1:9999"),
        ({"use": "llm", "preset": "ollama", "model": "qwen3"}, {"MEMORYBANK_LLM_MODEL": "m"}, {"summarizer": "openai"}, "llm:gpt-4.1-mini", "api.openai.com"),
        ({"use": "llm", "preset": "ollama", "model": "qwen3"}, {}, {"summarizer": "extractive"}, "extractive", None),
        ({"preset": "vllm", "url": "https://gpu.example/v1", "model": "m"}, {}, {"summarizer": "vllm"}, "llm:m", "gpu.example"),
        ({"command": ["llm-tool", "-p"]}, {}, {"summarizer": "command"}, "command:llm-tool", "command:llm-tool"),
        ({"use": "command"}, {"MEMORYBANK_SUMMARY_COMMAND": "/opt/bin/tool 'two words'"}, {}, "command:tool", "command:tool"),
    ],
)
def test_flags_before_environment_before_own_settings(person, settings, environment, flags, name, host):
    choice = choose(*person({"summarizer": settings}, **environment), **flags)
    assert (choice.name, choice.leaves_by) == (name, host)


def test_the_words_of_a_program_are_never_a_shells(person):
    choice = choose(*person({}, MEMORYBANK_SUMMARIZER="command", MEMORYBANK_SUMMARY_COMMAND="tool 'a b' ; rm $(x)"))
    assert choice.command == ("tool", "a b", ";", "rm", "$(x)")


@pytest.mark.parametrize(
    ("settings", "environment", "flags", "kind"),
    [
        ({}, {}, {"summarizer": "gpt"}, UsageError),
        ({}, {"MEMORYBANK_SUMMARIZER": "LLM"}, {}, UsageError),
        ({}, {}, {"summarizer": "ollama"}, ConfigInvalid),
        ({}, {}, {"summarizer": "command"}, ConfigInvalid),
        ({"command": ["./tool"]}, {}, {"summarizer": "command"}, ConfigInvalid),
        ({"command": ["bin/tool"]}, {}, {"summarizer": "command"}, ConfigInvalid),
        ({}, {"MEMORYBANK_SUMMARY_COMMAND": "tool 'open"}, {"summarizer": "command"}, ConfigInvalid),
        ({}, {}, {"summarizer": "openai", "url": "https://x.example/v1"}, ConfigInvalid),
        *(
            ({}, {}, {"summarizer": "openai", "model": "m", "url": url}, ConfigInvalid)
            for url in ("file:///etc/passwd", "x", "https://", "https://[1/", "https://a:b/")
        ),
        *(
            ({}, {}, {"summarizer": "openai", "model": "m", "url": f"https://{url}"}, ConfigInvalid)
            for url in ("me:secret@host/v1", "host/v1?key=secret", "h\u202e/")
        ),
    ],
)
def test_what_cannot_be_used_says_what_to_do(person, settings, environment, flags, kind):
    with pytest.raises(kind) as raised:
        choose(*person({"summarizer": settings}, **environment), **flags)
    assert raised.value.next_step and "secret" not in f"{raised.value} {raised.value.next_step}"


KEYS = {"OPENAI_API_KEY": "key-openai", "GEMINI_API_KEY": "key-gemini", "ANTHROPIC_API_KEY": "key-anthropic", "MY_KEY": "key-mine"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "flags", "environment", "key"),
    [
        ({}, {"summarizer": "openai"}, {}, "key-openai"),
        ({}, {"summarizer": "gemini"}, {}, "key-gemini"),
        ({}, {"summarizer": "anthropic"}, {}, "key-anthropic"),
        ({}, {"summarizer": "openai", "url": "https://elsewhere.example/v1/", "model": "m"}, {}, None),
        ({}, {"summarizer": "ollama", "model": "m"}, {}, ""),
        ({"preset": "openai", "url": "https://gate.example/v1/", "model": "m", "key_variable": "MY_KEY"}, {"summarizer": "openai"}, {}, "key-mine"),
        ({"preset": "openai", "key_variable": "MY_KEY"}, {"summarizer": "openai", "url": "https://elsewhere.example/v1/", "model": "m"}, {}, None),
        ({"preset": "openai", "key_variable": "MY_KEY"}, {"summarizer": "gemini"}, {}, "key-gemini"),
        ({"use": "llm"}, {}, {"MEMORYBANK_LLM_URL": "https://gate.example/v1/", "MEMORYBANK_LLM_MODEL": "m", "MEMORYBANK_LLM_KEY": "key-env"}, "key-env"),
        ({"use": "llm"}, {}, {"MEMORYBANK_LLM_URL": "https://gate.example/v1/", "MEMORYBANK_LLM_MODEL": "m"}, None),
    ],
)
def test_a_key_goes_to_its_own_host_only(person, monkeypatch, counting_clock, settings, flags, environment, key):
    """Without a key the run ends and says where the key is looked for."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    choice = choose(*person({"summarizer": settings}, **KEYS, **environment), **flags)
    if key is None:
        with pytest.raises(SummarizerUnusable) as raised:
            choice.build(counting_clock)
        assert raised.value.kind == "key" and "keyring set memorybank" in raised.value.next_step
    else:
        built = choice.build(counting_clock)
        assert isinstance(built, LlmSummarizer) and built._api._key == key
    assert not any(value in repr(choice) for value in KEYS.values())


def test_a_key_of_the_keyring_is_that_of_the_host(person, monkeypatch, counting_clock):
    asked = []
    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=lambda *names: asked.append(names) or "key-ring"))
    built = choose(*person({}), summarizer="anthropic").build(counting_clock)
    assert isinstance(built, LlmSummarizer) and built._api._key == "key-ring" and asked == [("memorybank", "api.anthropic.com")]


def test_a_keyring_that_cannot_be_opened_is_none(person, monkeypatch, counting_clock):
    def locked(*_):
        raise RuntimeError("locked")

    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=locked))
    with pytest.raises(SummarizerUnusable):
        choose(*person({}), summarizer="anthropic").build(counting_clock)


def test_a_key_is_not_sent_unencrypted_to_another_machine(person, counting_clock):
    own_settings, environment = person(
        {}, MEMORYBANK_SUMMARIZER="llm", MEMORYBANK_LLM_URL="http://gpu.example/v1/", MEMORYBANK_LLM_MODEL="m", MEMORYBANK_LLM_KEY="k"
    )
    with pytest.raises(ConfigInvalid, match="unencrypted"):
        choose(own_settings, environment).build(counting_clock)


def test_a_key_that_no_header_can_carry_ends_the_run(person, counting_clock):
    for key in ("two words", "鍵", "line\nend"):
        with pytest.raises(SummarizerUnusable) as raised:
            choose(*person({}, OPENAI_API_KEY=key), summarizer="openai").build(counting_clock)
        assert key not in f"{raised.value} {raised.value.next_step}"


def test_without_the_extra_the_command_that_installs_it_is_named(person, monkeypatch, counting_clock):
    """Exit code 5, and only when a model is actually used."""
    monkeypatch.setitem(sys.modules, "openai", None)
    choice = choose(*person({}, OPENAI_API_KEY="k"), summarizer="openai")
    with pytest.raises(MissingExtra) as raised:
        choice.build(counting_clock)
    assert raised.value.exit_code == 5 and extra_command("llm") in raised.value.next_step


def test_money_is_told_only_with_a_price(person):
    tokens = Tokens(1_000_000, 500_000)
    assert choose(*person({}), summarizer="gemini").price.of(tokens) is None
    assert choose(*person({"summarizer": {"price": {"prompt": 0.3, "completion": 2.5}}}), summarizer="gemini").price.of(tokens) == pytest.approx(1.55)
    assert choose(*person({"summarizer": {"price": {"prompt": 0.3, "completion": 2.5}}}), summarizer="openai").price.of(tokens) is None


def test_a_draft_is_what_a_weaker_summarizer_wrote():
    assert weaker("extractive", "llm:m") and weaker("extractive", "command:x") and not weaker("llm:m", "extractive") and not weaker("extractive", "extractive")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "config_json"),
        ("[]", "config_json"),
        ('{"summarizer": {"use": "gpt"}}', "config_range"),
        ('{"summarizer": {"command": "claude -p"}}', "config_type"),
        ('{"summarizer": {"api_key": "sk-1"}}', "config_secret"),
        ('{"sumarizer": {}}', "config_unknown_key"),
    ],
)
def test_own_settings_that_are_wrong_stop_the_run_with_their_line(person, text, code):
    with pytest.raises(ConfigInvalid) as raised:
        person(text)
    assert "config.json:1" in str(raised.value) and raised.value.next_step
    _, problems = own.load_with_problems(person_environment(raised))
    assert [problem.code for problem in problems] == [code] and "sk-1" not in str(raised.value)


def person_environment(raised):
    path = str(raised.value).split(":")[0]
    return {"XDG_CONFIG_HOME": os.path.dirname(os.path.dirname(path)), "HOME": "/nowhere"}


def test_a_relative_config_home_does_not_count(tmp_path, monkeypatch):
    """A relative path would lead into the folder of a repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "memorybank").mkdir()
    (tmp_path / "memorybank" / "config.json").write_text('{"summarizer": {"use": "llm"}}')
    found = own.load({"XDG_CONFIG_HOME": ".", "HOME": str(tmp_path / "home")})
    assert found.settings.summarizer.use == "extractive" and found.folder == str(tmp_path / "home" / ".config" / "memorybank")


def test_consent_is_asked_once_for_a_bank_and_a_host(tmp_path, counting_clock):
    folder, bank, other = str(tmp_path / "own"), str(tmp_path / "a"), str(tmp_path / "b")
    assert not choosing.has_consent(folder, bank, "api.openai.com")
    choosing.give_consent(folder, bank, "api.openai.com", counting_clock)
    assert choosing.has_consent(folder, bank, "api.openai.com") and choosing.has_consent(folder, f"{bank}/../a/", "api.openai.com")
    assert not choosing.has_consent(folder, bank, "api.openai.com:8080") and not choosing.has_consent(folder, other, "api.openai.com")
    with open(os.path.join(folder, choosing.CONSENTS), "ab") as lines:
        lines.write(b'\xff{"bank"\n[]\n')
    choosing.give_consent(folder, other, "api.openai.com", counting_clock)
    assert choosing.has_consent(folder, other, "api.openai.com") and choosing.has_consent(folder, bank, "api.openai.com")


def test_reading_own_settings_is_the_same_by_both_names():
    assert choosing.read_own is own.load
