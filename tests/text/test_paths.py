"""Paths in their recorded form, and words that look like a path."""

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.commands.paths import looks_like_path, relative, without_line, without_places

FOLDERS = st.lists(st.sampled_from(["a", "b.py", "..", ".", "", "日本"]), max_size=6).map("/".join)
ROOT, HOME, KEY = "/home/ann/shop", "/home/ann", b"k" * 32


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("/home/ann/shop/src/a.py", "", "src/a.py"),
        ("src/a.py", "", "src/a.py"),
        ("./src/../src/a.py", "", "src/a.py"),
        ("a.py", "src", "src/a.py"),
        ("../a.py", "/home/ann/shop/src", "a.py"),
        ("/home/ann/shop", "", "."),
        ("/home/ann/shop/", "", "."),
        ("設計/方針.md", "", "設計/方針.md"),
        ("/home/ann/.config/x", "", "~/.config/x"),
        ("~/notes/b.md", "", "~/notes/b.md"),
        ("~/shop/src/a.py", "", "src/a.py"),
        ("../other/a.py", "", "~/other/a.py"),
        ("", "", ""),
        ("a\0b", "", ""),
    ],
)
def test_the_recorded_form(path, folder, expected):
    assert relative(path, ROOT, HOME, KEY, folder) == expected


def test_outside_of_everything_only_a_keyed_hash_is_said():
    found = relative("/etc/hosts", ROOT, HOME, KEY)
    assert found.startswith("outside:") and len(found) == len("outside:") + 16 and "hosts" not in found
    assert found != relative("/etc/hosts", ROOT, HOME, b"x" * 32)
    assert relative("/etc/hosts", ROOT, HOME) == "" == relative("/home/ann-two/x", "/home/ann", "/home/ann")
    assert relative("/home/annex/x", ROOT, HOME, KEY).startswith("outside:")


@given(st.text("ab./~-", max_size=20), st.sampled_from(["", "/home/ann/shop"]), st.sampled_from(["", "src", "/home/ann/shop/src", "/etc"]))
def test_nothing_recorded_is_absolute_or_climbs(path, root, folder):
    found = relative(path, root, HOME, KEY, folder)
    assert not found.startswith("/") and ".." not in found.split("/") and "//" not in found
    assert relative(found, root, HOME, KEY) in (found, ".") or found.startswith(("outside:", "~")) or not root


PATHS = """src/a.py a.py README.md Makefile docs/設計.md ./x ../x /srv/x ~/x src/ src/app/main package.json .env .gitignore a.test.ts"""
NO_PATHS = """and/or TCP/IP client/server 9/10 n/a e.g i.e v1.2.3 https://x.org/a.html example.com/a/b Next.js node.js a.b.c ... / -x.py //
2023/05/08 A/B/C hello"""


@pytest.mark.parametrize("word", str.split(PATHS))
def test_paths(word):
    assert looks_like_path(word)


@pytest.mark.parametrize("word", str.split(NO_PATHS))
def test_no_paths(word):
    assert not looks_like_path(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("a.py:12", "a.py"),
        ("a.py:12:5", "a.py"),
        ("a.py#L3-L9", "a.py"),
        ("a.ts(12,3)", "a.ts"),
        ("t.py::test_a[x]", "t.py"),
        ("a.py:1-9", "a.py"),
        ("a.py", "a.py"),
        ("a:b", "a:b"),
        (":12", ":12"),
    ],
)
def test_without_line(word, expected):
    assert without_line(word) == expected


@given(FOLDERS, FOLDERS)
def test_a_relative_path_is_normal_as_posixpath_makes_it(folder, path):
    whole = posixpath.normpath(posixpath.join(folder, path))
    if path and not whole.startswith(("/", "..")):
        assert relative(path, "", folder=folder) == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cd /home/ann/shop && npm test", "cd . && npm test"),
        ("python /home/ann/shop/src/a.py --in /home/ann/data.csv", "python src/a.py --in ~/data.csv"),
        ("x=/home/ann/shop/.env; ls /home/ann/shop/", "x=.env; ls ./"),
        ("場所は/home/ann/shop/設計.mdです。/home/ann/shopを見て", "場所は設計.mdです。.を見て"),
        ("It lies in /home/ann/shop.", "It lies in ./."),
        ("/home/ann/shop2/x and /home/ann/shop-old", "~/shop2/x and ~/shop-old"),
        ("/mnt/home/ann/shop/x /home/anna/x", "/mnt/home/ann/shop/x /home/anna/x"),
        ("nothing of a machine", "nothing of a machine"),
    ],
)
def test_a_text_loses_the_places_of_one_machine(text, expected):
    assert without_places(text, [(ROOT, "."), (HOME, "~")]) == expected


@given(st.text("/homeansp .日", max_size=60))
def test_a_place_of_no_name_takes_nothing(text):
    assert without_places(text, [("/", "."), ("", "~")]) == text
