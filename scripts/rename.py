"""Rename classes, functions and constants of the package everywhere: in the package, the tests and the scripts.

    python scripts/rename.py TABLE.tsv

TABLE.tsv has tab-separated columns: file of the definition, old name, new name. A name is renamed where it is defined, where it is imported
from that module, and where it is an attribute of that module. mypy and the tests find what a table leaves out.
"""

import ast
import io
import re
import sys
import tokenize
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def sources() -> list[Path]:
    """Every Python file of the repository, including the scripts without an ending."""
    found = [path for folder in ("memorybank", "tests", "scripts") for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if path.suffix == ".py" or (not path.suffix and path.read_bytes()[:40].split(b"\n")[0].endswith(b"python3")))


def dotted(path: Path) -> str:
    """The name by which a file is imported. Scripts import each other by the bare name."""
    if path.is_relative_to(ROOT / "scripts"):
        return path.stem
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def bound(tree: ast.Module, path: Path, table: dict[str, dict[str, str]]) -> tuple[dict[str, str], dict[str, str], dict[tuple[int, int], str]]:
    """({old name: new name} to rename everywhere in this file, {local name of a module: its dotted name}, {(row, column): new name})."""
    names, modules = dict(table.get(dotted(path), {})), {}
    aliased: dict[tuple[int, int], str] = {}
    package = dotted(path).rpartition(".")[0] if path.name != "__init__.py" else dotted(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*parts, *([node.module] if node.module else [])])
            for alias in node.names:
                new = table.get(origin, {}).get(alias.name)
                if new and alias.asname:  # the file knows it by another name
                    aliased[alias.lineno, alias.col_offset] = new
                elif new:
                    names[alias.name] = new
                if f"{origin}.{alias.name}" in table:
                    modules[alias.asname or alias.name] = f"{origin}.{alias.name}"
        elif isinstance(node, ast.Import):
            modules.update({alias.asname or alias.name: alias.name for alias in node.names if alias.name in table})
    return names, modules, aliased


def renamed(text: str, names: dict[str, str], modules: dict[str, str], aliased: dict[tuple[int, int], str], table: dict[str, dict[str, str]]) -> str:
    """The text of a file with its name tokens replaced."""
    lines = text.splitlines(keepends=True)
    annotations = quoted(ast.parse(text))
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    edits: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for number, token in enumerate(tokens):
        if token.type == tokenize.STRING and token.start in annotations:
            edits[token.start[0] - 1].append((token.start[1], token.end[1], in_annotation(token.string, names, modules, table)))
        if token.type != tokenize.NAME:
            continue
        is_attribute = number > 0 and tokens[number - 1].string == "."
        owner = tokens[number - 2].string if is_attribute and number > 1 else ""
        of_module = is_attribute and owner in modules and (number < 3 or tokens[number - 3].string != ".")
        new = table[modules[owner]].get(token.string) if of_module else None if is_attribute else aliased.get(token.start) or names.get(token.string)
        is_keyword = number + 1 < len(tokens) and tokens[number + 1].string == "=" and tokens[number - 1].string in ("(", ",")
        if new and not is_keyword:
            edits[token.start[0] - 1].append((token.start[1], token.end[1], new))
    for row, changes in edits.items():
        for begin, end, new in sorted(changes, reverse=True):
            lines[row] = lines[row][:begin] + new + lines[row][end:]
    return "".join(lines)


def in_annotation(text: str, names: dict[str, str], modules: dict[str, str], table: dict[str, dict[str, str]]) -> str:
    """A quoted annotation with its names replaced."""

    def replaced(match: re.Match[str]) -> str:
        owner, _, name = match[0].rpartition(".")
        if not owner:
            return names.get(name, name)
        return f"{owner}.{table[modules[owner]].get(name, name)}" if owner in modules else match[0]

    return re.sub(r"\w+(?:\.\w+)*", replaced, text)


def quoted(tree: ast.Module) -> set[tuple[int, int]]:
    """(row, column) of every annotation and cast that is written as a string."""
    found = set()
    for node in ast.walk(tree):
        expressions = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("cast", "typing.cast"):
            expressions += node.args[:1]
        for expression in filter(None, expressions):
            found |= {(part.lineno, part.col_offset) for part in ast.walk(expression) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return found


def main(path: str) -> None:
    table: dict[str, dict[str, str]] = defaultdict(dict)
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        file, old, new = line.split("\t")[:3]
        table[dotted(ROOT / file)][old] = new
    for source in sources():
        text = source.read_text(encoding="utf-8")
        names, modules, aliased = bound(ast.parse(text), source, table)
        changed = renamed(text, names, modules, aliased, table)
        if changed != text:
            source.write_text(changed, encoding="utf-8")
            print(source.relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1])
