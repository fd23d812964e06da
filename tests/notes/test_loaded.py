"""Which hosts load which files themselves, and what instructions import."""

import pytest

from memorybank.config.sources import Source
from memorybank.notes import loaded


def source(kind: str, key: str) -> Source:
    return Source("x", kind, "/p/" + key.removeprefix("./"), key)


@pytest.mark.parametrize(
    ("kind", "root", "key", "opening", "hosts"),
    [
        ("instructions", "./CLAUDE.md", "./CLAUDE.md", "", "claude-code copilot cursor opencode"),
        ("instructions", "./.claude/CLAUDE.md", "./.claude/CLAUDE.md", "", "claude-code copilot cursor opencode"),
        ("instructions", "./AGENTS.md", "./AGENTS.md", "", "codex copilot cursor opencode"),
        ("instructions", "./GEMINI.md", "./GEMINI.md", "", "copilot gemini"),
        ("docs", "./docs", "./docs/CLAUDE.md", "", ""),
        ("rules", "./.cursor/rules", "./.cursor/rules/a.mdc", "---\nalwaysapply: true\n---\n", "cursor"),
        ("rules", "./.cursor/rules/sub", "./.cursor/rules/sub/a.mdc", "---\r\nalwaysapply: true\r\n---\r\n", "cursor"),
        ("rules", "./.cursor/rules", "./.cursor/rules/a.mdc", "---\nalwaysapply: false\n---\n", ""),
        ("rules", "./.cursor/rules", "./.cursor/rules/a.mdc", "", ""),
        ("rules", "./.claude/rules", "./.claude/rules/a.md", "", "claude-code"),
        ("rules", "./.claude/rules", "./.claude/rules/a.md", '---\npaths: ["src/**"]\n---\n', ""),
        ("auto-memory", "/h/memory", "/h/memory/MEMORY.md", "", "claude-code"),
        ("auto-memory", "/h/memory", "/h/memory/topic.md", "", ""),
    ],
)
def test_hosts(kind, root, key, opening, hosts):
    assert sorted(loaded.hosts(source(kind, root), key, opening)) == hosts.split()


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("./CLAUDE.md", "see @docs/a.md and @./b.md", ["./docs/a.md", "./b.md"]),
        ("./.claude/CLAUDE.md", "@../AGENTS.md", ["./AGENTS.md"]),
        ("./CLAUDE.md", "@docs/設計.md。", ["./docs/設計.md"]),
        ("./CLAUDE.md", "write to me@example.org, or `@docs/a.md`", []),
        ("./CLAUDE.md", "", []),
    ],
)
def test_imports(key, text, found):
    assert loaded.imports(key, text) == found
