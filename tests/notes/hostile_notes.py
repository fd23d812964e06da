"""Notes written to break a reader, by name. Run as a script, each is parsed in a process of its own.

Usage: python hostile_notes.py SECONDS MEGABYTES → one JSON line a note: {name, outcome, problems, seconds}; SECONDS and seconds are processor time; outcome is
`parsed`, or what ended the process.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from importlib import import_module

BIG = 100_000


def front(block: str | bytes, body: str = "# H\nbody\n") -> bytes:
    raw = block if isinstance(block, bytes) else block.encode(errors="surrogatepass")
    return b"---\n" + raw + b"\n---\n" + body.encode()


def notes() -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of every hostile note; at least 150."""
    yield from _whole_files()
    yield from ((f"front/{name}", front(block)) for name, block in _blocks())
    for key in ("rating", "created", "tags"):
        yield from ((f"value/{key}/{number}", front(f"{key}: {value}")) for number, value in enumerate(VALUES))
    yield from ((f"markdown/{name}", text.encode()) for name, text in _markdown())


VALUES = [
    ".nan",
    "-.inf",
    "010",
    "12:30:00",
    "1:2:3:4:5:6:7:8.9",
    "2025-13-45",
    "0001-01-01+14:00",
    "9999-12-31T23:59:60Z",
    "0x" + "f" * 5000,
    "9" * 5000,
    "1e" + "9" * 400,
    "!!timestamp 0000-00-00",
    "!!float x",
    "!!int ''",
    "!!binary ////",
    "!!set {a, b}",
    "!!omap [a: b]",
    "!!python/object/apply:os._exit [1]",
    "!!python/name:os.system",
    "! x",
    "!<tag:a> b",
    "&a",
    "*a",
    "&a [*a]",
    "|\n " + "x" * 9000,
    ">-\n\n\n x",
    "'" + "''" * 4000 + "'",
    '"' + "\\u0000" * 2000 + '"',
    '"\\ud800"',
    '"\\xff\\0"',
    "{? [a]: b}",
    "[" * 12 + "]" * 12,
    "{<<: {a: b}}",
    "<<: [1]",
    "? x",
    "- - - - x",
    "%TAG",
    "@x",
    "`x`",
    "null",
    "",
]


def _whole_files() -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "nul", b"\0"
    yield "nuls", b"\0" * BIG
    yield "bom", b"\xef\xbb\xbf"
    yield "two boms", b"\xef\xbb\xbf\xef\xbb\xbf---\ntitle: x\n---\n"
    yield "utf-16", "---\ntitle: x\n---\n# 設計\n".encode("utf-16")
    yield "utf-32", "---\ntitle: x\n---\n# 設計\n".encode("utf-32")
    yield "shift jis", "---\ntitle: 設計\n---\n# 見出し\n".encode("shift_jis")
    yield "every byte", bytes(range(256)) * 100
    yield "continuation bytes", b"\x80" * BIG
    yield "overlong", b"\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf" * 1000
    yield "surrogates", b"\xed\xa0\x80\xed\xb0\x80" * 1000
    yield "beyond unicode", b"\xf4\x90\x80\x80" * 1000
    yield "truncated character", "設計".encode()[:-1]
    yield "truncated in the front matter", "---\ntitle: 設".encode()[:-1] + b"\n---\n"
    yield "only fences", b"---\n---"
    yield "fence without end", b"---"
    yield "many fences", b"---\n" * BIG
    yield "carriage returns", b"---\rtitle: x\r---\r# H\r"
    yield "mixed line ends", b"---\r\ntitle: x\n---\r\n# H\r\ny\n"
    yield "json", b'{"title": "x", "rating": 9}\n'
    yield "open json", b"{" * BIG
    yield "toml", b"+++\ntitle = 'x'\n+++\n"
    yield "long line", b"x" * (4 << 20)
    yield "long japanese line", "設".encode() * (1 << 20)
    yield "line separators", "\u2028\u2029\x85\x0b\x0c\x1c".encode() * 10_000
    yield "zero width and bidi", "\u200b\u202e\u2066\ufeff".encode() * 10_000
    yield "combining marks", ("a" + "\u0301" * BIG).encode()
    yield "emoji sequences", "👩‍👩‍👧‍👦".encode() * 10_000
    yield "two megabytes", "A line. 記憶ノート [link](x.md) `code`\n\n- item\n\n".encode() * 40_000
    yield "megabytes of brackets", b"[" * (4 << 20)
    yield "prose between rules", b"---\nprose\n\nprose\n---\n" * 1000
    yield "prose like a mapping", b"---\nNote: this is prose\n---\n"
    yield "rule and no end", b"---\ntitle: x\n" + b"y\n" * BIG
    yield "front matter over the cap", b"---\n" + b"key: value\n" * BIG + b"---\n"
    yield "brackets over the cap", front("a: " + "[" * 400_000)


def _blocks() -> Iterator[tuple[str, str | bytes]]:
    yield "brackets at the cap", "a: " + "[" * 16_000
    yield "balanced brackets at the cap", "a: " + "[" * 8_000 + "]" * 8_000
    yield "braces at the cap", "a: " + "{" * 16_000
    yield "nested mappings in flow", "a: " + "{b: " * 4_000
    yield "nested mappings in blocks", "\n".join(" " * depth + "a:" for depth in range(170))
    yield "nested lists in blocks", "- " * 8_000 + "x"
    yield "question marks", "? " * 8_000 + "x"
    yield "billion laughs", "a: &a [x, x]\n" + "\n".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]" for n in range(20))
    yield "recursive alias", "a: &a [*a]"
    yield "merge bomb", "a: &a {x: 1}\nb:\n  <<: [*a, *a]"
    yield "anchors", "\n".join(f"k{n}: &a{n} x" for n in range(900))
    yield "many keys", "\n".join(f"k{n}: v" for n in range(1500))
    yield "same key", "title: x\n" * 1500
    yield "long key", "k" * 2000 + ": v"
    yield "long quoted key", '"' + "k" * 12_000 + '": v'
    yield "key is a list", "[a, b]: c"
    yield "key is a mapping", "{a: b}: c"
    yield "key is null", "~: x\nnull: y\n: z"
    yield "reserved keys", "content: a\nhandler: b\nmetadata: c\nself: d\nkey: e\n__class__: f\ntitle: T"
    yield "documents", "a: b\n--- c\n... \nd: e"
    yield "directives", "%YAML 9.9\n%TAG ! tag:x,2000:\na: b"
    yield "open quote", 'title: "x\ny: z'
    yield "open single quote", "title: 'x\ny: z"
    yield "open flow", "tags: [a, b"
    yield "tab indented", "a:\n\tb: c"
    yield "control characters", "a: \x01\x02\x1b[31m"
    yield "nul in a value", "title: a\0b"
    yield "bom in a value", "title: a\ufeffb"
    yield "line separators", "title: a\u2028b\u0085c"
    yield "no utf-8", b"title: \xff\xfe\nrating: \x80"
    yield "tags of tags", "a: " + "!!str " * 3000 + "x"
    yield "python objects", "a: !!python/object/apply:os.system ['exit 1']\nb: !!python/object/new:os._exit [1]"
    yield "comments", "# c\n" * 4000
    yield "colons", ":" * 16_000
    yield "dashes in a line", "-" * 16_000
    yield "spaces", " " * 16_000
    yield "newlines", "\n" * 16_000
    yield "tabs", "\t" * 16_000
    yield "quotes", '"' * 16_001
    yield "escapes", 'a: "' + "\\" * 15_000 + '"'
    yield "pipes", "a: |" + "\n " * 7000
    yield "hashes", "a: b " + "#" * 15_000
    yield "ampersands", "a: " + "&" * 15_000
    yield "exclamations", "a: " + "!" * 15_000
    yield "commas", "a: [" + "," * 15_000 + "]"
    yield "percent", "%" * 15_000


def _markdown() -> Iterator[tuple[str, str]]:
    yield from (
        (f"repeated {unit!r}", unit * (BIG // len(unit)))
        for unit in [
            "[",
            "]",
            "![",
            "[a](",
            "[a](<b",
            "[]()",
            "(",
            ">",
            "> ",
            "* ",
            "- ",
            "1. ",
            "#",
            "# ",
            "*",
            "_",
            "*a ",
            "**a ",
            "*a _b ",
            "a**b",
            "`",
            "``` ",
            "```\n",
            "~~~\n",
            "<",
            "<a ",
            "<!--",
            "<!-- ",
            "<?",
            "<![CDATA[",
            "<!A ",
            "&",
            "&#",
            "&amp",
            "\\",
            "|",
            "|-|\n",
            "[^a]",
            "[a]: b\n",
            "[a]",
            "[[",
            "]]",
            "[[a]]",
            "[[a|",
            ".md",
            "a.md",
            "a.md ",
            ".md|",
            "@a.md",
            "設計.md",
            "はを.md",
            "https://",
            "https://a.md/",
            "<https://a>",
            "\r",
            "\r\n",
            "\n",
            "\t",
            " ",
            "    a\n\n",
            "a\n=\n",
            "a\n-\n",
            "-\n",
            "***\n",
            "$",
            "~",
            ":",
            "a\\\n",
            "\0",
        ]
    )
    yield "nested links", "[" * 50_000 + "](a)" * 50_000
    yield "nested images", "![" * 50_000 + "](a)" * 50_000
    yield "nested quotes", ">" * 5_000 + "x"
    yield "nested lists", "".join("  " * depth + "- x\n" for depth in range(600))
    yield "nested emphasis", "*" * BIG + "a" + "*" * BIG
    yield "backtick runs", "".join("`" * (length % 1000) + " " for length in range(400))
    yield "reference definitions", "".join(f"[a{number}]: /u{number}\n" for number in range(20_000))
    yield "long reference", "[a]: /" + "u" * 1000 + "\n\n" + "[a]" * 20_000
    yield "long wiki link", "[[" + "x" * BIG + "]]"
    yield "long mention", "x" * BIG + ".md"
    yield "long japanese mention", "設は" * BIG + ".md"
    yield "distinct mentions", " ".join(f"n{number}.md" for number in range(20_000))
    yield "long heading", "# " + "x" * BIG
    yield "paragraph as a heading", ("x " * 50 + "\n") * 2000 + "---\n"
    yield "percent escapes", "[a](" + "%ff" * 20_000 + ")"
    yield "html blocks", "<div>\n" * 20_000


def _parse_in_a_child(data: bytes, seconds: int, megabytes: int) -> dict[str, object]:
    """Fork, parse, and tell how it ended; the child has a limit on processor time and memory."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        from memorybank.notes.parse import parse

        begin = time.process_time()
        try:
            problems = sorted({problem.code for problem in parse("a/b.md", data).problems})
            answer: dict[str, object] = {"outcome": "parsed", "problems": problems, "seconds": time.process_time() - begin}
        except BaseException as error:
            answer = {"outcome": repr(error)[:200]}
        os.write(write_end, json.dumps(answer).encode())
        os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as stream:
        answered = stream.read()
    _, status = os.waitpid(child, 0)
    if not answered:
        return {"outcome": f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"}
    result: dict[str, object] = json.loads(answered)
    return result


if __name__ == "__main__":
    import_module("memorybank.notes.yaml_reader")  # loaded once, before the forks
    import_module("pyromark")
    for name, data in notes():
        print(json.dumps({"name": name, **_parse_in_a_child(data, int(sys.argv[1]), int(sys.argv[2]))}), flush=True)
