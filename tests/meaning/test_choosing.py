"""The embedder follows from the person's own settings alone."""

import pytest

from memorybank.bank.bank import Bank
from memorybank.config import own
from memorybank.config.own import EmbedderSettings
from memorybank.errors import ConfigInvalid
from memorybank.meaning import choosing
from memorybank.meaning.embedder import PASSAGE, QUERY, EmbedderUnusable
from memorybank.meaning.prefixes import prefixes_of


@pytest.fixture
def chosen(choose_embedder, tmp_path):
    def make(environment=None, **settings):
        choose_embedder(**settings)
        values = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "own"), **(environment or {})}
        return choosing.choose(own.load(values), values)

    return make


def test_nobody_has_an_embedder_unasked(chosen):
    assert chosen({"OPENAI_API_KEY": "sk-1"}) is None


def test_a_bank_chooses_none(chosen, bank, choose_embedder):
    choose_embedder()
    scratch = bank({"a.md": "# A\n\nText.\n"})
    scratch.configure("index", '{"embedder": {"use": "command", "command": ["/bin/sh"]}}')
    said = []
    opened = Bank.open(str(scratch.root))
    opened.notice = said.append
    with pytest.raises(ConfigInvalid, match="no embedder is configured"):
        opened.meaning.choice()


@pytest.mark.parametrize(
    ("settings", "name", "host"),
    [
        ({"use": "endpoint", "model": "nomic-embed-text"}, "endpoint:nomic-embed-text", "localhost:11434"),
        ({"use": "endpoint", "preset": "lmstudio", "model": "m"}, "endpoint:m", "localhost:1234"),
        ({"use": "endpoint", "preset": "openai", "model": "text-embedding-3-small"}, "endpoint:text-embedding-3-small", "api.openai.com"),
        ({"use": "endpoint", "url": "https://tei.example/v1", "model": "m"}, "endpoint:m", "tei.example"),
        ({"use": "command", "command": ["embed", "--fast"]}, "command:embed", "command:embed"),
    ],
)
def test_what_can_be_chosen(chosen, settings, name, host):
    choice = chosen(**settings)
    assert (choice.name, choice.leaves_by) == (name, host)


@pytest.mark.parametrize(
    "settings",
    [
        {"use": "endpoint"},
        {"use": "command"},
        {"use": "command", "command": ["./embed"]},
        {"use": "endpoint", "model": "m", "url": "file:///etc/passwd"},
        {"use": "model"},
        {"batch": 0},
    ],
)
def test_settings_that_lack_something(chosen, settings):
    with pytest.raises(ConfigInvalid):
        chosen(**settings)


def test_a_key_is_sent_only_to_its_host(chosen, counting_clock):
    environment = {"OPENAI_API_KEY": "sk-1"}
    assert chosen(environment, use="endpoint", preset="openai", model="m").build(counting_clock)._api._key == "sk-1"
    with pytest.raises(EmbedderUnusable, match=r"no key for other\.example"):
        chosen(environment, use="endpoint", preset="openai", url="https://other.example/v1", model="m").build(counting_clock)


def test_other_vectors_have_another_identity(chosen):
    base = {"use": "endpoint", "model": "multilingual-e5-small"}
    same = chosen(**base).identity
    assert chosen(**base, url="http://127.0.0.1:9/v1", batch=7).identity == same
    others = [{**base, "model": "other"}, {**base, "prefixes": "none"}, {**base, "query_prefix": "q: "}, {"use": "command", "command": ["embed"]}]
    assert len({same, *(chosen(**other).identity for other in others)}) == len(others) + 1


@pytest.mark.parametrize(
    ("settings", "query", "passage"),
    [
        ({"model": "intfloat/multilingual-e5-small"}, "query: ", "passage: "),
        ({"model": "nomic-embed-text:v1.5"}, "search_query: ", "search_document: "),
        ({"model": "cl-nagoya/ruri-v3-310m"}, "検索クエリ: ", "検索文書: "),
        ({"model": "bge-m3"}, "", ""),
        ({"model": "text-embedding-3-small"}, "", ""),
        ({"model": "multilingual-e5-small", "prefixes": "none"}, "", ""),
        ({"model": "multilingual-e5-small", "query_prefix": "Q "}, "Q ", ""),
    ],
)
def test_prefixes_follow_from_the_family_of_a_model(settings, query, passage):
    found = prefixes_of(EmbedderSettings(**settings))
    assert (found.of(QUERY), found.of(PASSAGE), found.as_parameter) == (query, passage, False)


def test_the_kind_as_a_parameter_replaces_prefixes():
    found = prefixes_of(EmbedderSettings(model="multilingual-e5-small", prefixes="input_type"))
    assert (found.of(QUERY), found.parameters(QUERY), found.parameters(PASSAGE)) == ("", {"input_type": "query"}, {"input_type": "passage"})
