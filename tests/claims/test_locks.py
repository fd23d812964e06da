"""Versions in lock files: which of them stands there, and whether a manifest still allows another one."""

import json

import pytest

from memorybank.claims.locks import versions_in
from memorybank.claims.ranges import allows

POETRY = '[[package]]\nname = "Django"\nversion = "{}"\ndescription = "x"\n\n[[package]]\nname = "orjson"\nversion = "3.10.1"\n'


@pytest.mark.parametrize(
    ("path", "text", "versions"),
    [
        ("package-lock.json", '"": {\n "version": "1.0.0"\n},\n    "node_modules/react": {\n      "version": "18.2.0",\n', [("react", "18.2.0")]),
        ("a/package-lock.json", '"node_modules/a/node_modules/@types/node": {\n  "version": "20.1.0",', [("@types/node", "20.1.0")]),
        (
            "pnpm-lock.yaml",
            "  /react@18.2.0:\n    resolution: {}\n  '@types/node@20.1.0(x@1)':\n  /left-pad/1.3.0:\n",
            [("react", "18.2.0"), ("@types/node", "20.1.0"), ("left-pad", "1.3.0")],
        ),
        ("yarn.lock", 'react@^18.0.0:\n  version "18.2.0"\n\n"@types/node@npm:^20":\n  version: 20.1.0\n', [("react", "18.2.0"), ("@types/node", "20.1.0")]),
        ("poetry.lock", POETRY.format("4.2.1"), [("django", "4.2.1"), ("orjson", "3.10.1")]),
        ("uv.lock", '[[package]]\nname = "pydantic_core"\nversion = "2.1.0"\n', [("pydantic-core", "2.1.0")]),
        ("Cargo.lock", '[[package]]\nname = "serde"\nversion = "1.0.200"\n', [("serde", "1.0.200")]),
        ("go.sum", "github.com/go-chi/chi/v5 v5.0.8 h1:x=\ngithub.com/go-chi/chi/v5 v5.0.8/go.mod h1:y=\n", [("chi", "5.0.8")]),
        ("Gemfile.lock", "GEM\n  specs:\n    rails (7.0.4)\n      actionpack (= 7.0.4)\n", [("rails", "7.0.4")]),
    ],
)
def test_each_kind_of_lock_file(path, text, versions):
    assert list(versions_in(path, text)) == versions


@pytest.mark.parametrize(
    ("written", "version", "expected"),
    [
        ("^18.2.0", "18", True),
        ("^18.2.0", "18.3", True),
        ("^18.2.0", "18.1", False),
        ("^18.2.0", "17", False),
        ("^0.3.1", "0.4", False),
        ("~4.2", "4.2.9", True),
        ("~=4.2", "4.9", True),
        ("~=4.2.1", "4.3", False),
        (">=3.11,<4", "3.12", True),
        (">=3.11,<4", "4", False),
        (">=3.11,<4", "3.9", False),
        (">=16", "20.1", True),
        ("4.2.1", "4.2", True),
        ("4.2.1", "4.3", False),
        ("18.x", "18.2", True),
        ("^17 || ^18", "18.2", True),
        ("1.2 - 2.3", "9", True),
        ("<5.1", "5", True),
        ("<5", "5.0", False),
        ("latest", "9", True),
    ],
)
def test_what_a_range_allows(written, version, expected):
    assert allows(written, version) is expected


def state(repository, subject):
    claim = next(each for each in repository.bank().claims.list() if each.claim.subject == subject)
    said = repository.git("log", "-1", "--format=%s", claim.found.commit).strip() if claim.found.commit else ""
    return claim.found.state, claim.found.target, said


def npm(**versions: str) -> str:
    packages = {f"node_modules/{name}": {"version": version, "resolved": "x", "integrity": "y"} for name, version in versions.items()}
    return json.dumps({"lockfileVersion": 3, "packages": {"": {"name": "x", "version": "1.0.0"}, **packages}}, indent=2)


def test_a_lock_file_says_which_version_stands_there(planted):
    repository = planted()
    package = '{"dependencies": {"react": "%s", "zod": "^3.0.0"}}'
    repository.commit(0, "Begin", write={"package.json": package % "^17.0.0", "package-lock.json": npm(react="17.0.2", zod="3.1.0", ms="2.0.0")})
    repository.note("a.md", "The table is written for React 17. `zod 3.1` checks it, `ms 2.0` waits. 画面は React 17.0 で書いている。", 1)
    repository.commit(4, "Newest", write={"package-lock.json": npm(react="17.0.2", zod="3.9.0", ms="2.0.0")})
    assert state(repository, "zod 3.1")[0] == "holds"  # the manifest allows it
    assert state(repository, "React 17")[0] == "holds"
    repository.commit(5, "React 18", write={"package.json": package % "^18.0.0", "package-lock.json": npm(react="18.3.1", zod="3.9.0")})
    assert state(repository, "React 17") == ("changed", "18.3.1", "React 18")
    assert state(repository, "React 17.0") == ("changed", "18.3.1", "React 18")
    assert state(repository, "ms 2.0") == ("gone", "", "React 18")


def test_versions_of_a_lock_file_alone(planted):
    repository = planted()
    repository.commit(0, add={"poetry.lock": POETRY.format("4.2.1")})
    repository.note("a.md", "サーバーは Django 4.2 で動く。`Django 4.2.1` exactly; `Django 9.9` elsewhere.", 1)
    assert [state(repository, name)[0] for name in ("Django 4.2", "Django 4.2.1")] == ["holds", "holds"]
    repository.commit(5, "Django 5", write={"poetry.lock": POETRY.format("5.0.3")})
    assert state(repository, "Django 4.2") == state(repository, "Django 4.2.1") == ("changed", "5.0.3", "Django 5")
    assert all(each.claim.subject != "Django 9.9" for each in repository.bank().claims.list())


def test_two_versions_in_a_lock_file_are_no_change(planted):
    repository = planted()
    both = '[[package]]\nname = "syn"\nversion = "1.0.1"\n'
    repository.commit(0, add={"Cargo.lock": both})
    repository.note("a.md", "We use `syn 1.0`.", 1)
    repository.commit(5, write={"Cargo.lock": both.replace("1.0.1", "2.0.1") + "\n" + both.replace("1.0.1", "3.0.1")})
    assert repository.bank().claims.list() == []


def test_a_version_that_changed_before_the_note_is_unknown(planted):
    repository = planted()
    repository.commit(0, add={"poetry.lock": POETRY.format("4.2.1")})
    repository.commit(5, write={"poetry.lock": POETRY.format("5.0.3")})
    repository.note("a.md", "Their server runs on Django 4.2.", 6)
    assert repository.bank().claims.list() == []
