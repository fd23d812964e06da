"""Whatever the command line contains, the answer is a result or a sentence with an exit code: never a bug, never a traceback."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NOTES = {
    "planning/a.md": "# A\n\nText of a. 検索\n",
    "shared/\u304c.md": "# NFC\n",
    "shared/\u304b\u3099.md": "# NFD\n",
    "sync/odd.md": b"---\nrating: [\n---\n\xff\x00",
}
ODD = [
    "",
    " ",
    "\n",
    "..",
    "../../etc/passwd",
    "/",
    "/etc/passwd",
    "planning",
    "planning/",
    "planning/a.md/",
    "./planning/a.md",
    "planning//a.md",
    "a\x00b",
    "\udcff",
    "\udcff.md",
    "x" * 5000,
    "が.md",
    "[",
    "*",
    "'",
    '"',
    '"""',
    "(",
    "a AND OR NOT NEAR(",
    "title:x",
    "^a*",
    "-",
    "--",
    "%s%n",
    "\x1b[2J",
    "🙂" * 100,
    "1e999",
    "NaN",
    "+99999d",
]
ALLOWED = {0, 1, 2, 3, 4, 6, 8, 9}
TEMPLATES = [
    ["show", "{}"],
    ["show", "--no-record", "--format", "json", "--", "{}"],
    ["score", "--", "{}"],
    ["score", "--explain", "{}"],
    ["search", "--", "{}"],
    ["search", "--format", "json", "--type", "content", "--", "{}"],
    ["search", "--type", "content", "--regex", "--", "{}"],
    ["search", "--archive", "--format", "summary", "--", "{}"],
    ["search", "--category", "{}", "--tag", "{}", "--as", "{}", "text"],
    ["search", "--type", "recent", "--since", "{}", "--until", "{}"],
    ["list", "--category", "{}"],
    ["index", "--mode", "selective", "--", "{}"],
    ["rate", "--", "{}", "5"],
    ["rate", "planning/a.md", "--", "{}"],
    ["bookmark", "remove", "--", "{}"],
    ["add", "--folder", "{}", "--", "title"],
    ["add", "--", "{}"],
    ["remember", "--", "{}"],
    ["config", "show", "{}"],
    ["--bank", "{}", "list"],
    ["{}"],
]


def check(result, arguments):
    assert result.code in ALLOWED, (arguments, result)
    assert "Traceback" not in result.err and "bug in memorybank" not in result.err
    assert (result.code == 0) or result.err.startswith(("memorybank: ", '{"error"')) or result.out


@pytest.mark.slow
@pytest.mark.parametrize("template", TEMPLATES, ids=" ".join)
def test_odd_arguments(bank, run, template):
    scratch = bank(NOTES)
    outside = scratch.repository / "outside.md"
    outside.write_text("mine")
    for odd in ODD:
        if template[0] == "remember" and odd == "-":
            continue
        arguments = [part.replace("{}", odd) for part in template]
        check(run(scratch, *arguments), arguments)
    assert outside.read_text() == "mine"
    assert not [name for name in os.listdir(scratch.repository) if name not in (".git", ".claude", "outside.md")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=st.text(max_size=60),
    kind=st.sampled_from(["keyword", "content", "importance", "recent"]),
    form=st.sampled_from(["table", "json", "markdown", "summary"]),
)
def test_any_text_is_a_query(bank, run, query, kind, form):
    scratch = getattr(test_any_text_is_a_query, "bank", None)
    if scratch is None or not scratch.root.exists():
        scratch = test_any_text_is_a_query.bank = bank(NOTES)
    arguments = ["search", "--type", kind, "--format", form, "--", query]
    check(run(scratch, *arguments), arguments)
