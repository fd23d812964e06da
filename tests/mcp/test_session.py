"""The server as agents' programs run it: a process of its own, asked by the SDK's own client and by bare lines of the protocol."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from memorybank.mcp import table

from .bare import OPENING, Bare, M, call, environment, request
from .conftest import inside

pytestmark = pytest.mark.slow

NOTES = {
    "planning/staging.md": "# Staging\n\nThe staging database is reset every Monday.\n",
    "shared/認証.md": "# 認証トークン\n\n認証トークンは24時間で失効する。\n",
    "planning/hidden.md": "---\nprivacy: private\nagent_created: main\n---\n# Hidden staging\n\nThe staging database has a CANARY.\n",
}
MODES = ["legacy", "auto"]
"""The handshake that clients of 2025 begin with, and the discovery of 2026."""


def session(scratch, question: Callable[[Client], Awaitable[None]], *options: str, mode: str = "auto", errors: Path | None = None, **more: str) -> None:
    """Ask a server of its own. errors: where its standard error goes."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "memorybank", "mcp", *options], env=environment(**more), cwd=str(scratch.repository), encoding="utf-8"
    )

    async def run() -> None:
        with open(errors or os.devnull, "w", encoding="utf-8") as stderr:
            async with Client(stdio_client(parameters, errlog=stderr), mode=mode, read_timeout_seconds=60) as client:
                await question(client)

    asyncio.run(asyncio.wait_for(run(), 120))


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_answers_a_real_client(bank, mode, tmp_path):
    """The client checks each answer against the schema of its tool."""
    scratch = bank(NOTES)
    scratch.episodes({"date": "2025-09-10", "summary": "the parser was mended"})

    async def question(client: Client) -> None:
        offered = (await client.list_tools()).tools
        assert [tool.name for tool in offered] == [tool.name for tool in table.TOOLS]
        assert {tool.name for tool in offered if tool.annotations and not tool.annotations.read_only_hint} == {"remember", "rate", "tick", "bookmark"}
        calls = {
            "search": {"query": "staging database"},
            "read": {"id": "note:shared/認証.md"},
            "recall": {"situation": "how often is the staging database reset"},
            "recent": {"limit": 50},
            "episodes": {},
            "status": {},
            "remember": {"text": "Tea is at four."},
            "rate": {"id": "note:planning/staging.md", "rating": 7},
            "tick": {"id": "note:planning/staging.md", "verdict": "helpful"},
            "bookmark": {"id": "note:planning/staging.md"},
        }
        assert set(calls) == {tool.name for tool in table.TOOLS}
        for name, given in calls.items():
            result = await client.call_tool(name, given)
            assert not result.is_error and result.structured_content, name
            (content,) = result.content
            assert "CANARY" not in str(result)
            if "memory" in result.structured_content:
                assert inside(content.text) and result.structured_content["items"]
        assert (scratch.active / "shared" / "tea-is-at-four.md").exists()

    session(scratch, question, "--allow-write", mode=mode, errors=tmp_path / "stderr")
    assert (tmp_path / "stderr").read_text() == ""


@pytest.mark.parametrize("mode", MODES)
def test_resources_answer_a_real_client(bank, mode):
    scratch = bank(NOTES)
    (scratch.root / "summary.md").write_text("---\nupdated_at: 2025-09-01T00:00:00Z\n---\nTea is at four.\n")

    async def question(client: Client) -> None:
        found = (await client.list_resources()).resources
        assert [each.name for each in found] == ["summary", "note:planning/staging.md", "note:shared/認証.md"]
        texts = [(await client.read_resource(each.uri)).contents[0].text for each in found]
        assert [words in inside(text) for words, text in zip(["at four", "every Monday", "24時間"], texts, strict=True)] == [True] * 3
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == [f"memorybank://{form}" for form in ("note/{+key}", "archive/{id}", "episode/{date}")]
        for uri in ("memorybank://note/planning/hidden.md", "memorybank://note/../../../etc/passwd", "file:///etc/passwd"):
            with pytest.raises(Exception, match="there is no") as refused:
                await client.read_resource(uri)
            assert "CANARY" not in str(refused.value)

    session(scratch, question, mode=mode)


def test_writing_tools_are_not_there_without_leave(bank):
    scratch = bank(NOTES)

    async def question(client: Client) -> None:
        assert not {tool.name for tool in (await client.list_tools()).tools} & {"remember", "rate", "tick", "bookmark"}
        for name, given in (
            ("remember", {"text": "x"}),
            ("rate", {"id": "note:planning/staging.md", "rating": 1}),
            ("tick", {"id": "note:planning/staging.md", "verdict": "wrong"}),
            ("bookmark", {"id": "note:planning/staging.md"}),
        ):
            with pytest.raises(Exception, match="there is no tool"):
                await client.call_tool(name, given)

    before = scratch.snapshot("active")
    session(scratch, question)
    assert scratch.snapshot("active") == before


def test_a_mistake_is_an_answer_that_says_what_to_do(bank):
    scratch = bank(NOTES)

    async def question(client: Client) -> None:
        for name, given, words in (
            ("search", {"query": 3}, "query: 3 is not of type 'string'"),
            ("search", {"query": "x", "since": "soon"}, "since: 'soon' is not a date"),
            ("read", {"id": "note:planning/gone.md"}, "'search' and 'recent' return the ids of existing memories"),
            ("read", {"id": "planning/staging.md"}, "ids look like note:KEY"),
        ):
            result = await client.call_tool(name, given)
            assert result.is_error and words in result.content[0].text
        assert (await client.call_tool("search", {"query": "staging"})).structured_content["items"]

    session(scratch, question)


def test_a_note_that_changes_while_the_server_runs_is_read_as_it_is_now(bank):
    scratch = bank(NOTES)

    async def question(client: Client) -> None:
        assert "Monday" in (await client.call_tool("search", {"query": "staging"})).content[0].text
        scratch.write("planning/staging.md", "# Staging\n\nThe staging database is reset every Friday.\n", days_old=0)
        scratch.configure("index", '{"freshness": {"max_sweep_notes": 10}}')
        assert "Friday" in (await client.call_tool("search", {"query": "staging"})).content[0].text
        (scratch.active / "planning" / "staging.md").unlink()
        assert (await client.call_tool("read", {"id": "note:planning/staging.md"})).is_error

    session(scratch, question)


def test_twenty_questions_at_once_are_all_answered(bank):
    scratch = bank({f"planning/n{number}.md": f"# Note {number}\n\nzebra{number} words\n" for number in range(20)})

    async def question(client: Client) -> None:
        answers = await asyncio.gather(*(client.call_tool("search", {"query": f"zebra{number}", "limit": 1}) for number in range(20)))
        assert [answer.structured_content["items"][0]["id"] for answer in answers] == [f"note:planning/n{number}.md" for number in range(20)]

    session(scratch, question)


def test_without_a_bank_a_server_starts_and_says_how_to_make_one(tmp_path):
    """A client that starts its servers in every folder must not see one fail."""

    class Nowhere:
        repository = tmp_path

    async def question(client: Client) -> None:
        assert (await client.list_tools()).tools
        result = await client.call_tool("status", {})
        assert result.is_error and "memorybank init" in result.content[0].text

    session(Nowhere, question)


def test_the_bank_is_that_of_the_project_which_the_host_names(bank, tmp_path):
    scratch = bank(NOTES)

    class Elsewhere:
        repository = tmp_path

    async def question(client: Client) -> None:
        assert (await client.call_tool("search", {"query": "staging"})).structured_content["items"]

    session(Elsewhere, question, CLAUDE_PROJECT_DIR=str(scratch.repository))


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ((), {}),
        (("-W", "always", "-X", "dev"), {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}),
        (("-X", "importtime"), {"PYTHONVERBOSE": "", "PYTHONUNBUFFERED": "1"}),
        ((), {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0", "NO_COLOR": "1", "FORCE_COLOR": "1"}),
    ],
    ids=["plain", "warnings", "import times", "ascii"],
)
def test_standard_output_is_the_protocol_and_nothing_else(bank, options, more):
    """Also under warnings, with notes that have problems, settings that cannot be read, and lines that are no protocol."""
    scratch = bank({**NOTES, "planning/bad.md": b"---\ntitle: [\n---\n\xff\xfe staging\n"})
    bare = Bare(scratch.repository, *options, *M, **more)
    bare.say(OPENING, answers=1)
    bare.say(request(2, "tools/list"), answers=1)
    bare.say(call(3, "search", query="staging 認証"), answers=1)
    bare.say(call(4, "recall", situation="the staging database is reset"), answers=1)
    scratch.configure("index", "{ broken")
    bare.say(call(5, "status"), answers=1)
    bare.say("this is no JSON\n[]\n{}\n\n", answers=3)
    bare.say(request(6, "no/such/method"), answers=1)
    code, _ = bare.end()
    assert code == 0
    by_id = {message.get("id"): message for message in bare.answers}
    assert set(by_id) >= {1, 2, 3, 4, 5, 6}
    assert "認証" in by_id[3]["result"]["content"][0]["text"]
    assert by_id[5]["result"]["isError"] and "error" in by_id[6]


def test_what_a_library_prints_does_not_reach_the_client(bank):
    """File descriptor 1 itself is standard error while the server runs."""
    scratch = bank(NOTES)
    noisy = """
import os, subprocess, sys
sys.argv = ["memorybank", *sys.argv[1:]]
from memorybank.bank.view import BankView
real = BankView.search
def search(*given, **more):
    print("PRINTED")
    os.write(1, b"WRITTEN\\n")
    subprocess.run(["echo", "CHILD"])
    return real(*given, **more)
BankView.search = search
from memorybank.__main__ import main
main()
"""
    bare = Bare(scratch.repository, "-c", noisy)
    bare.say(OPENING + call(2, "search", query="staging"), answers=2)
    code, err = bare.end()
    assert code == 0 and len(bare.answers) == 2
    assert [word in err for word in ("PRINTED", "WRITTEN", "CHILD")] == [True] * 3


PROBE = """
import sys
sys.argv = ["memorybank", *sys.argv[1:]]
from memorybank.__main__ import main
try:
    main()
finally:
    sys.stderr.write("\\n" + " ".join(sorted(sys.modules)))
"""


def test_a_server_that_says_what_it_offers_has_loaded_the_table_and_the_sdk(bank):
    """The facade and the bank come with the first question: a client waits for the start of each of its servers."""
    bare = Bare(bank(NOTES).repository, "-c", PROBE)
    bare.say(OPENING + request(2, "tools/list") + request(3, "resources/templates/list"), answers=3)
    code, err = bare.end()
    assert code == 0
    loaded = {name for name in err.splitlines()[-1].split() if name.startswith("memorybank.")}
    assert loaded <= {
        *(
            "memorybank.__main__",
            "memorybank.bytecode",
            "memorybank.cli",
            "memorybank.cli.call",
            "memorybank.cli.light_click",
            "memorybank.cli.main",
            "memorybank.cli.mcp",
        ),
        *(
            "memorybank.clock",
            "memorybank.errors",
            "memorybank.installed",
            "memorybank.mcp",
            "memorybank.mcp.lines",
            "memorybank.mcp.server",
            "memorybank.mcp.table",
        ),
        *("memorybank.storage", "memorybank.storage.beneath", "memorybank.storage.layout", "memorybank.storage.path_names", "memorybank.storage.system"),
        "memorybank.values",
    }


def test_without_the_extra_the_command_says_which_one_it_needs(bank):
    without = "import sys; sys.modules['mcp'] = None; sys.argv = ['memorybank', 'mcp']; from memorybank.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", without], cwd=bank(NOTES).repository, env=environment(), input="", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (5, "")
    assert "[mcp]" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_ends_at_a_signal(bank, how):
    """Ctrl-C in a terminal, or a host that shuts its servers down: at once, though its reader waits for input."""
    bare = Bare(bank(NOTES).repository, *M)
    bare.say(OPENING + call(2, "search", query="staging"), answers=2)
    bare.process.send_signal(how)
    assert bare.process.wait(timeout=120) == -how
    bare.end()


def test_a_client_that_leaves_in_the_middle_ends_the_server(bank):
    bare = Bare(bank(NOTES).repository, *M)
    bare.say(OPENING, answers=1)
    bare.say("".join(call(number, "search", query="staging") for number in range(2, 20)))
    bare.process.stdout.close()
    bare.process.stdin.close()
    assert bare.process.wait(timeout=60) == 0
    with bare.errors:
        bare.errors.seek(0)
        assert bare.errors.read().decode() == "", "a client may leave; no bug is reported"
