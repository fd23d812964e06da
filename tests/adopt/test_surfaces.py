"""Where sources appear: status, the page, MCP, `list --sources`; and what one sees there of them."""

import json

from memorybank.bank import Bank
from memorybank.mcp import table
from memorybank.mcp.answers import ToolRequest
from tests.adopt.conftest import NAME


def test_status(world):
    made = world("documentation", "obsidian")
    assert "read in place" not in made.run("status").out
    made.adopt("adr", "vault")
    assert "read in place" in made.run("status").out
    assert "adr (2 files), vault (3 files)" in made.run("status").out
    told = json.loads(made.run("status", "--json").out)["sources"]
    assert [(each["name"], each["files"], each["private"], each["path"]) for each in told] == [
        ("adr", 2, False, "docs/adr"),
        ("vault", 3, True, f"~/Vault/Projects/{NAME}"),
    ]


def test_list_sources_as_table_and_json(world):
    made = world("instructions")
    made.adopt("--all")
    lines = made.run("list", "--sources").out.split("\n")
    assert lines[0].split() == ["name", "kind", "files", "size", "private", "loaded", "by", "path"]
    told = {each["name"]: each for each in json.loads(made.run("list", "--sources", "--json").out)}
    assert told["claude"]["loaded_by"] == ["claude-code", "copilot", "cursor", "opencode"]
    assert told["cursor-rules"]["paths"] == [".cursor/rules/always.mdc", ".cursor/rules/sql.mdc"]
    assert made.run("list", "--sources", "--problems").code == 2


def test_show_score_and_open(world):
    made = world("documentation", "claude-mem")
    made.adopt("adr", "claude-mem")
    path = "docs/adr/0002-retry-with-jitter.md"
    for name in (path, f"./{path}", str(made.project / path), "0002-retry-with-jitter", "2. Retry uploads with full jitter"):
        shown = made.run("show", name)
        assert shown.out.startswith("# 2. Retry uploads"), (name, shown.err)
    assert made.run("score", path).out.split("\n")[1].endswith(f"./{path}")
    assert "because" in made.run("score", path, "--explain").out
    assert made.run("open", path, "--path").out == f"{made.project}/{path}\n"
    row = made.run("show", str(made.home / ".claude-mem/claude-mem.db/observation-1.md")).out
    assert "The tolerance is 300 seconds" in row
    assert made.run("show", str(made.home / ".claude-mem/claude-mem.db/observation-2.md")).code == 3


def test_a_note_of_the_bank_comes_before_a_file_with_its_name(world):
    made = world("documentation")
    made.run("add", "Index", "--body", "The bank's own.", "--folder", "docs")
    made.adopt("docs")
    assert "The bank's own." in made.run("show", "docs/index.md").out
    assert "Handbook" in made.run("show", "./docs/index.md").out
    assert made.run("rate", "docs/index.md", "7").code == 0


def test_mcp(world):
    made = world("documentation", "obsidian")
    made.adopt("docs", "adr", "vault")
    bank = Bank.open(made.root)
    request = ToolRequest(bank, "planner")
    (tool,) = [each for each in table.TOOLS if each.name == "status"]
    assert "by source: adr (2), docs (3), vault (3)" in request.call(tool, {}).text
    assert "note:./docs/index.md" in [memory for memory, _ in request.resources(0)[0]]
    view = bank.seen_by("planner")
    (first, *_) = view.search("label printer firmware").memories
    assert first.id.startswith("note:/")
    assert "firmware 4.12" in view.read(first.id).text
    assert view.state().sources == {"adr": 2, "docs": 3, "vault": 3}


def test_names_are_completed(world):
    import click

    from memorybank.cli.adopt import command, complete_name
    from memorybank.cli.main import root

    made = world("documentation", "obsidian")
    made.adopt("adr")
    context = click.Context(command, parent=click.Context(root, info_name="memorybank"))
    names = [item.value for item in complete_name(context, command.params[0], "")]
    assert names == ["docs", "learnings", "changelog", "vault"]
    assert [item.value for item in complete_name(context, command.params[0], "ch")] == ["changelog"]


def test_search_in_json_names_the_source(world):
    made = world("documentation")
    made.run("add", "Jitter", "--body", "A note of the bank about jitter.")
    made.adopt("adr")
    for kind in ("keyword", "content"):
        hits = json.loads(made.run("search", "jitter", "--type", kind, "--json").out)["hits"]
        named = {(hit.get("file_path") or hit.get("path")): hit.get("source") for hit in hits}
        assert named["docs/adr/0002-retry-with-jitter.md"] == "adr"
        assert named[".claude/memory/active/shared/jitter.md"] is None
