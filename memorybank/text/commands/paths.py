"""File paths as commands and prose contain them, and the one form in which they are recorded.

The module only reads text and never looks at a disk, so anything that looks like a path counts as one.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import hmac_sha256
from memorybank.storage.path_names import join, normpath
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from re import Match

EXTENSIONS = frozenset(
    str.split("""adoc astro avif bash bat bib c cc cfg clj cljs cmake conf cpp cs css csv cxx dart db diff dockerfile edn eex el elm env erb erl ex exs
    fish fs fsx gd gemspec gif go gql gradle graphql groovy h haml hbs hcl heex hh hpp hrl hs html htm http ico ini ipynb java jpeg jpg js json json5 jsonc
    jsonl jsx jl key kt kts less lock log lua m4 mak md mdx mjs mk ml mli mm mod nim nix nu org patch pcss pdf pem php pl plist pm png pod po pot prisma
    proto ps1 pug py pyi pyx r rake rb rego res rkt rs rst sass sbt scala scm scss service sh sln snap sol sql sqlite sqlite3 sum sv svelte svg swift
    tcl tex tf tfvars thrift toml ts tsv tsx txt v vala vb vhd vim vue wasm webp xml xsd xsl yaml yml zig zsh zst""")
)
"""File name extensions that make a word a file name."""
FILE_NAMES = frozenset(
    str.split("""Makefile Dockerfile Gemfile Rakefile Procfile Justfile justfile Vagrantfile Jenkinsfile Brewfile Podfile Caddyfile LICENSE CODEOWNERS
    .gitignore .gitattributes .dockerignore .editorconfig .env .envrc .npmrc .prettierrc .eslintrc .bashrc .zshrc .profile""")
)
"""Names of files without an extension."""
_PRODUCTS = frozenset(str.split("node.js next.js vue.js nuxt.js react.js three.js express.js d3.js alpine.js ember.js backbone.js chart.js deno.js asp.net"))
_SEGMENT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-@+~*?[]{},=%#")
_DOMAINS = frozenset(str.split("com org net io dev jp ai app co edu gov uk de fr example local"))
OUTSIDE = "outside:"
_FOLDERS = lazy_pattern(r"(?:\bhttps?://[\w-]+(?:\.[\w-]+)+(?::\d+)?/|(?<![\w.~/-])(?:~|/(?:Users|home|root|tmp|var|private|opt|mnt))/)(?:[\w.@%~+-]+/)*")
"""Matches the host and the folders of an address, and those of a path that begins outside the repository."""
_REFERENCE = lazy_pattern(r"""(?<![\w.@/-])@(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|([\w.~+-]*/[^\s,;:)"'`\]}>、。]*))|(?<=\w)\?[\w%.-]{1,80}=[^\s)"'`\]}>]*""")
"""Matches a file to which a person refers with the host's sign (`@src/app/page.tsx`), and the query of an address."""

_SCOPE = lazy_pattern(r"[a-z0-9][a-z0-9-]{0,60}(?:\.js)?")
_DOCUMENTS = (".pdf", ".ipynb", ".md", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".html", ".log", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp")
_DRIVE = (":\\", ":/")
_NUMBER = lazy_pattern(r"\d+")


def without_folders(text: str) -> str:
    """Return a text with only the last part of each address and of each path that begins outside the repository: their folders are no words of it. Of a
    file to which the host attaches its content (`@src/app/page.tsx`) the name is left, and nothing of a folder or a document, which the agent reads anyway. The
    query of an address is data."""
    return _FOLDERS.sub("", _REFERENCE.sub(_name_of, text)) if "/" in text else text


def _name_of(reference: Match[str]) -> str:
    path = next(filter(None, reference.groups()), "").rstrip(".?!")
    folder, _, name = path.rpartition("/")
    if _SCOPE.fullmatch(folder) and _SCOPE.fullmatch(name) and not has_file_name(name):
        return path  # a package: `@nestjs/core`
    return name if has_file_name(name) and not name.lower().endswith(_DOCUMENTS) else ""


def looks_like_path(word: str) -> bool:
    """Return whether a word of prose or of a command looks like a file or folder: it has an extension, a `./`, or two slashes. No disk is consulted."""
    if not word or "://" in word or word.startswith(("//", "-")) or not any(sign.isalnum() for sign in word):
        return False
    folder, slash, name = word.rstrip("/").rpartition("/")
    if not slash and not word.endswith("/"):
        return has_file_name(name) and name.lower() not in _PRODUCTS and (name[-2:-1] != "." or name.count(".") == 1)
    if any(not sign.isalnum() and sign not in _SEGMENT and sign != "/" for sign in word) or "//" in word:
        return False
    first = word.split("/", 1)[0]
    if "." in first and first.rpartition(".")[2].lower() in _DOMAINS and not has_file_name(name):
        return False
    if word.startswith(("./", "../", "~/", "/")) or word.endswith("/") or has_file_name(name):
        return True
    return folder.count("/") >= 1 and any(len(part) > 1 and not part.isdecimal() for part in word.split("/"))


def has_file_name(name: str) -> bool:
    """Return whether the last part of a path is a file name by its extension, or as a known name (`Makefile`)."""
    stem, dot, ending = name.rpartition(".")
    if dot and ending.lower() in EXTENSIONS and (stem or name in FILE_NAMES):
        return stem.strip(".") != "" or name in FILE_NAMES
    return name in FILE_NAMES


def without_line(word: str) -> str:
    """Return a path without what follows the file name in `src/a.py:12:5`, `a.py#L12`, `a.py(12,3)`, `tests/a.py::test_b[1]`."""
    for sign in ("::", "#L", "("):
        at = word.find(sign)
        if at > 0:
            word = word[:at]
    while True:
        head, colon, tail = word.rpartition(":")
        if not colon or not head or tail.strip("0123456789-,"):
            return word
        word = head


def relative(path: str, root: str, home: str = "", key: bytes | None = None, folder: str = "") -> str:
    """Return the recorded form of a path: POSIX, relative to the repository `root` (`.` for the root itself).

    A path outside the repository becomes `~/…` below `home`, else `outside:` and 16 hexadecimal digits of a keyed hash; without
    a key it becomes "", because nothing about it may be recorded.
    folder: the working folder from which a relative path starts, absolute or relative to root; "" means root
    """
    if not path or "\0" in path:
        return ""
    root = root.rstrip("/")
    if path.startswith("~/") or path == "~":
        if not home:
            return normpath(path)
        path = home.rstrip("/") + path[1:]
    full = normpath(join(root or "/", folder, path))
    if root and (full == root or full.startswith(root + "/")):
        return full[len(root) + 1 :] or "."
    if not root and not path.startswith("/") and not folder.startswith("/"):
        plain = normpath(join(folder, path))
        return plain if not plain.startswith("..") else _hashed(plain, key)
    home = home.rstrip("/")
    if home and full.startswith(home + "/"):
        return "~" + full[len(home) :]
    return _hashed(full, key)


def shown(name: str) -> str:
    """Return a recorded path as texts name it: of one that begins with a drive (`d:\\shop\\web\\page.tsx`), the last two parts."""
    return "/".join(name.replace("\\", "/").split("/")[-2:]) if name[1:3] in _DRIVE else name


def without_long_numbers(text: str, least: int) -> str:
    """Return a text with `#` for every run of `least` or more digits, because such numbers differ from one text to the next."""
    if sum(map(str.isdecimal, text)) < least:
        return text  # as most texts are, which then need no regular expressions
    return _NUMBER.sub(lambda found: found[0] if len(found[0]) < least else "#", text)


def without_places(text: str, places: Sequence[tuple[str, str]]) -> str:
    """Return a text without the folders of one machine. places: (folder, replacement); `.` is the one that paths are relative to."""
    for folder, sign in places:
        folder = folder.rstrip("/")
        if folder and folder in text:
            text = _without(text, folder, sign)
    return text


def _without(text: str, folder: str, sign: str) -> str:
    parts = []
    begin = 0
    while (at := text.find(folder, begin)) >= 0:
        end = at + len(folder)
        below = text[end : end + 1] == "/"
        after = text[end:].lstrip(".")[:1] if text[end : end + 1] == "." else text[end : end + 1]
        # The occurrence is part of a longer name (`/home/ann` in `/home/anna` or in `x/home/ann`) and stays.
        if (at and (_continues_name(text[at - 1]) or text[at - 1] in "./")) or (not below and _continues_name(after)):
            parts.append(text[begin:end])
        elif sign == "." and below and (text[end + 1 : end + 2].isalnum() or text[end + 1 : end + 2] in ("_", ".")):
            parts.append(text[begin:at])
            end += 1
        else:
            parts += [text[begin:at], sign if text[end : end + 1] != sign else sign + "/"]
        begin = end
    return "".join((*parts, text[begin:]))


def _continues_name(sign: str) -> bool:
    """Return whether an ASCII name continues with this character. Next to Japanese text a path ends."""
    return sign[:1].isascii() and (sign[:1].isalnum() or sign[:1] in ("_", "-", "~"))


def _hashed(path: str, key: bytes | None) -> str:
    return OUTSIDE + hmac_sha256(key, path.encode("utf-8", "surrogatepass"))[:8].hex() if key else ""
