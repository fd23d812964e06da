"""Write plugins/: the plugin of Claude Code with a marketplace of one, and the extension of Gemini CLI, as `memorybank hooks plugin` writes them.

python scripts/plugins.py            rewrite the folder
python scripts/plugins.py --check    end with exit code 1 if a file differs from the code
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memorybank import __version__
from memorybank.hosts import plugin

FOLDER = Path(__file__).resolve().parents[1] / "plugins"
MARKETPLACE = {
    "name": plugin.NAME,
    "owner": {"name": plugin.NAME},
    "description": "Long-term memory for coding agents, as plain Markdown in your repository.",
    "plugins": [{"name": plugin.NAME, "source": f"./{plugin.CLAUDE_CODE}", "description": "Records sessions and shows relevant memories, locally."}],
}


def files() -> dict[str, str]:
    """Return {path below plugins/: text}."""
    found = {".claude-plugin/marketplace.json": json.dumps(MARKETPLACE, indent=2) + "\n"}
    for host in plugin.MANIFESTS:
        found |= {f"{host}/{name}": text for name, text in plugin.files(__version__, host).items()}
    return found


def outdated() -> list[str]:
    """Return the paths that differ from the code."""
    shipped = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*") if path.is_file()}
    wanted = files()
    return sorted(name for name in wanted.keys() | shipped.keys() if wanted.get(name) != shipped.get(name))


def main(arguments: list[str]) -> int:
    found = outdated()
    if arguments or not found:
        print(*found, sep="\n", end="\n" if found else "")
        return bool(found and arguments)
    for name, text in files().items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"plugins/ rewritten: {', '.join(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
