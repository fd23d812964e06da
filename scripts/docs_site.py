"""Build the site of the documentation with Zensical, from a copy of the repository's Markdown in build/docs. `scripts/docs` runs it.

python scripts/docs_site.py                       build/docs/site; exit code 1 for a broken link or anchor
python scripts/docs_site.py --serve [--port N]    build it, then show it on 127.0.0.1 until Ctrl-C
"""

import argparse
import functools
import re
import shutil
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "docs"
PAGES = ("README.md", "CHANGELOG.md", "LICENSES.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "scripts/bench", ".claude/memory/active")
"""What the site shows, as paths of the repository: files, and folders with their Markdown."""
_SHOWN = {".md", ".png", ".svg"}
_HIDDEN, _VISIBLE = ".claude/memory/", "bank/memory/"
"""The generator leaves out folders that begin with a dot, so the notes get another one of the same depth."""


def copy(target: Path) -> None:
    """Copy the pages with their pictures below `target`. Their paths stay as they are, so relative links need no change."""
    shutil.rmtree(target, ignore_errors=True)
    for name in PAGES:
        paths = [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*"))
        for path in paths:
            if path.suffix in _SHOWN and path.is_file():
                place = target / path.relative_to(ROOT).as_posix().replace(_HIDDEN, _VISIBLE)
                place.parent.mkdir(parents=True, exist_ok=True)
                if path.suffix == ".md":
                    place.write_text(_with_visible_links(path.read_text(encoding="utf-8")), encoding="utf-8")
                else:
                    shutil.copyfile(path, place)


def _with_visible_links(text: str) -> str:
    """Return a page whose links lead to the notes where the site has them. Links to a folder of the repository, which the site lacks, become text."""
    text = re.sub(r"\[([^\]\n]+)\]\([^)\s]*\.claude/memory/active/?\)", r"\1", text)
    return re.sub(r"\]\(([^)\s]*)\.claude/memory/", rf"](\1{_VISIBLE}", text)


def build() -> int:
    """Build the site. Returns the exit code of the generator; its warnings are printed."""
    copy(BUILD / "source")
    shutil.copyfile(ROOT / "mkdocs.yml", BUILD / "mkdocs.yml")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    output = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).partition("Traceback")[0]
    if done.returncode:
        print(output, end="")
        return 1
    name_languages(BUILD / "site")
    return 0


def name_languages(site: Path) -> None:
    """Say in the pages below docs/ja that they are Japanese. The generator knows one language for the entire site."""
    for page in sorted((site / "docs" / "ja").rglob("*.html")):
        page.write_text(page.read_text(encoding="utf-8").replace('<html lang="en"', '<html lang="ja"', 1), encoding="utf-8")


def serve(port: int) -> None:
    """Show the site on 127.0.0.1 until Ctrl-C."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=BUILD / "site")
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/  (Ctrl-C ends)", flush=True)
        server.serve_forever()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", action="store_true", help="show the site on 127.0.0.1 until Ctrl-C")
    parser.add_argument("--port", type=int, default=8000, help="port of --serve; 0 for any free one (default: 8000)")
    options = parser.parse_args(arguments)
    ended = build()
    if ended == 0:
        print(f"built {(BUILD / 'site').relative_to(ROOT)}")
        if options.serve:
            try:
                serve(options.port)
            except OSError as reason:
                parser.error(f"cannot listen on port {options.port} ({reason.strerror}): choose another one with --port")
    return ended


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
