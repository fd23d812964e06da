"""Anchors: what a prompt names and what a call touches, in English and in Japanese without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.commands import error_excerpt
from memorybank.text.commands.anchors import ERROR_SIGNS, of_call, of_error, of_path, of_text

ROOT = "/srv/shop"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fix src/cart.py please", ["file:src/cart.py"]),
        ("see `src/cart.py:12` and (docs/plan.md).", ["file:src/cart.py", "file:docs/plan.md"]),
        ("tests/test_a.py::test_b fails, README.md too.", ["file:tests/test_a.py", "file:README.md"]),
        ("open /srv/shop/src/a.go:3:1, not /etc/hosts", ["file:src/a.go"]),
        ("[plan](docs/plan.md) and src/a.rb,src/b.rb", ["file:docs/plan.md", "file:src/a.rb", "file:src/b.rb"]),
        ("**docs/plan.md**: **Updated src/cart.py:12** (`src/a.go`**)", ["file:docs/plan.md", "file:src/cart.py", "file:src/a.go"]),
        ("**/docs/*.md and lib/x/**", ["file:**/docs/*.md", "file:lib/x/**"]),
        ("**docs/設計.md**を更新", ["file:docs/設計.md"]),
        ("src/cart.pyを直して、docs/設計.mdも見て", ["file:src/cart.py", "file:docs/設計.md"]),
        ("「src/画面/一覧.tsx」を開いてください。", ["file:src/画面/一覧.tsx"]),
        ("設定はconfig/app.yamlとsrc/main.rsにあります", ["file:config/app.yaml", "file:src/main.rs"]),
        ("ファイルはsrc/auth/login.tsの42行目です。", ["file:src/auth/login.ts"]),
        ("設計/方針.md を読んで（docs/仕様書.mdを更新）", ["file:設計/方針.md", "file:docs/仕様書.md"]),
        ("src/utils/format と lib/ を比べて", ["file:src/utils/format", "file:lib"]),
        ("Makefileではなく Makefile を", ["file:Makefile"]),
        ("why does `npm test 2>&1 | tail` fail?", ["cmd:npm test"]),
        ("`python -m pytest tests/a.py -q` を実行して", ["file:tests/a.py", "cmd:pytest tests/a.py"]),
        ("`git` and `let x = 1` are no commands", []),
        ("It says\nValueError: bad value 17\nwhat now?", ["err:Bash: ValueError: bad value #"]),
        ("fatal: not a git repository", ["err:Bash: fatal: not a git repository"]),
        ("I get an error: nothing works at all", []),
        ("and/or TCP/IP, https://example.org/a/b.html, Next.js, 9/10, v1.2.3, e.g. this", []),
        ("look at .claude/memory/active/planning/cart.md", ["file:.claude/memory/active/planning/cart.md", "note:planning/cart.md"]),
        ("ログイン画面を作ってください", []),
        ("", []),
    ],
)
def test_of_text(text, expected):
    assert of_text(text, ROOT) == expected


def test_relative_paths_begin_in_the_working_folder():
    assert of_text("fix ./a.py and `pytest t.py`", ROOT, "/srv/shop/app") == ["file:app/a.py", "file:app/t.py", "cmd:pytest app/t.py"]


@pytest.mark.parametrize(
    ("tool", "inputs", "expected"),
    [
        ("Edit", {"file_path": "/srv/shop/src/a.py"}, ["file:src/a.py"]),
        ("Read", {"file_path": "/srv/shop/.claude/memory/active/sync/x.md"}, ["file:.claude/memory/active/sync/x.md", "note:sync/x.md"]),
        ("Read", {"file_path": "/etc/hosts"}, []),
        ("Read", {"paths": ["a.py", "設計.md", 3]}, ["file:a.py", "file:設計.md"]),
        ("Grep", {"pattern": "x", "path": "/srv/shop"}, []),
        ("Grep", {"pattern": "x", "path": "src"}, ["file:src"]),
        ("Bash", {"command": "cd app && npm test a.test.ts | tail && git push"}, ["file:app/a.test.ts", "cmd:npm test app/a.test.ts", "cmd:git push"]),
        ("Bash", {"command": "cat src/a.py | head"}, ["file:src/a.py", "cmd:cat src/a.py"]),
        ("Bash", {"command": "cd app"}, []),
        ("WebFetch", {"url": "https://example.org/a.html"}, []),
        ("Agent", {"prompt": "look at src/a.py", "subagent_type": "x"}, []),
        ("Edit", {"file_path": None, "path": 7, "paths": None, "command": None}, []),
    ],
)
def test_of_call(tool, inputs, expected):
    assert of_call(tool, inputs, ROOT) == expected


def test_of_call_outside_the_repository():
    assert of_call("Read", {"file_path": "/home/ann/x.md"}, ROOT, home="/home/ann", key=b"k") == ["file:~/x.md"]
    [outside] = of_call("Read", {"file_path": "/etc/hosts"}, ROOT, home="/home/ann", key=b"k")
    assert outside.startswith("file:outside:") and "hosts" not in outside


def test_a_prompt_and_a_call_meet():
    """The purpose of anchors: what a person names equals what a tool touched."""
    assert set(of_text("テストtests/test_cart.pyが`pytest tests/test_cart.py`で落ちる", ROOT)) == set(
        of_call("Bash", {"command": "cd /srv/shop && uv run pytest -q tests/test_cart.py 2>&1 | tail -3"}, ROOT)
    )
    assert of_text("KeyError: 'cart' が出ます", ROOT)[0].startswith("err:Bash: KeyError:")


def test_of_path_and_error():
    assert of_path("") == of_path(".") == []
    assert of_path("vendor/.claude/memory/active/a.md") == ["file:vendor/.claude/memory/active/a.md", "note:a.md"]
    assert of_error("Edit", "<tool_use_error>File does not exist.</tool_use_error>") == ["err:Edit: File does not exist."]
    assert of_error("Bash", None) == of_error("Bash", "") == []


@given(st.text("ab ./~-_:`'\"()「」をのsrcpymd#\n0語é", max_size=60))
def test_any_text_is_taken(text):
    for anchor in of_text(text, ROOT):
        kind, colon, rest = anchor.partition(":")
        assert kind in ("file", "cmd", "err", "note") and colon and rest.strip()
        assert not rest.startswith(("/", "../"))


def test_many_paths_are_cut():
    assert len(of_text(" ".join(f"src/a{number}.py" for number in range(500)), ROOT)) == 40


@pytest.mark.parametrize("sharp", error_excerpt._SHARP)
@pytest.mark.parametrize("written", ["{} it broke", "\x1b[31m{}\x1b[0m it broke", "Look:\n  {} it broke"])
def test_every_mark_of_an_error_is_among_the_signs_that_are_looked_for_first(sharp, written):
    text = written.format(sharp.upper())
    assert any(sign in text.lower() for sign in ERROR_SIGNS)


@pytest.mark.parametrize("line", ["ValueError: no kettle", "app.errors.TeaException: cold", "fatal: not a git repository", "sh: brew: command not found"])
def test_an_error_in_a_prompt_is_an_anchor(line):
    assert any(anchor.startswith("err:") for anchor in of_text(f"I got this\n{line}\nwhy?", "/r"))
