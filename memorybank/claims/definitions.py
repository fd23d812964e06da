"""Which names a line of source code defines, and which files say something about the names of a project."""

from __future__ import annotations

from memorybank.text.pattern import lazy_pattern

_NAME = r"([A-Za-z_$][\w$]*)"
_MODIFIERS = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|async|abstract|final|sealed|partial|override|open|virtual|inline|unsafe"
    r"|extern|pub(?:\([^)]{0,40}\))?|data|readonly|suspend)\s+)"
)
_WITH_BODY = (
    rf"\s*{_MODIFIERS}{{0,6}}(?:def|defp|defmodule|defmacro|class|function(?:\s*\*)?|fn|func|fun|struct|interface|enum|trait|protocol|object|record|module"
    rf"|namespace|macro_rules!|union|proc|sub)\s+(?:\([^)]{{0,80}}\)\s*)?(?:self\.|[A-Z]\w*\.)?{_NAME}"
)
"""Definitions that a body follows. Only these are recognised after they were renamed: a body of two other lines is rarely the same by chance."""
_BODY = lazy_pattern(_WITH_BODY)
_DEFINED = tuple(
    map(
        lazy_pattern,
        (
            _WITH_BODY,
            rf"\s*{_MODIFIERS}{{0,6}}(?:type|typedef|const|let|var|val|mod)\s+(?:mut\s+)?{_NAME}",
            rf"\s*{_MODIFIERS}{{0,6}}static\s+(?:mut\s+)?{_NAME}\s*:",
            rf"\s*{_MODIFIERS}{{1,6}}(?:[\w<>\[\],.?:*&]{{1,80}}\s+){{0,3}}{_NAME}\s*(?:<[^>]{{0,80}}>)?\(",
            rf"\s*(?:async\s+|\*\s*|get\s+|set\s+)?{_NAME}\s*\([^;{{}}\"'`=]{{0,200}}\)(?:\s*:\s*(?!\s)[\w<>\[\]|., ]{{1,80}})?\s*\{{\s*$",
            rf"\s*(?:(?:export|ENV|ARG|set|local|declare|readonly)\s+)?(?:-\s+)?[\"']?(?:self\.|this\.|@)?{_NAME}[\"']?\s*(?:\??:(?!:)|[:?+]?=(?!=))",
            rf"\s*#\s*define\s+{_NAME}",
            r"\s*[a-z]?[\"'`]{0,3}(?i:create\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|virtual|unique|materialized)\s+){0,2}"
            r"(?:table|view|index|function|procedure|trigger|type|sequence)\s+(?:if\s+not\s+exists\s+)?)[\"`]?" + _NAME,
        ),
    )
)
_KEY = lazy_pattern(r"\s*(?:-\s+)?[\"']?((?:[A-Za-z_][\w-]*\.)*[A-Za-z_][\w-]*)[\"']?\s*[:=](?![:=])")
_FUNCTION_OF_C = lazy_pattern(rf"(?!return|else|typedef|if|for|while|switch)(?:[\w*&:<>]{{1,80}}\s+){{1,4}}[*&]*(?:\w+::)*{_NAME}\s*\([^;]*$")
_OF_C = (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".m", ".mm")
_READ = lazy_pattern(
    r"(?:environ(?:\.(?:get|pop|setdefault)\(|\[)|getenv\(|env::var(?:_os)?\(|env\.fetch\(|ENV\[|\benv(?:var)?\s*[(=]|(?:process|import\.meta)\.env\.|\$\{?"
    r"|\b(?:secrets|vars|env)\.)\s*[\"']?([A-Z][A-Z0-9_]{2,})\b"
)
"""A place at which a program reads an environment variable."""
_PROSE = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".txt", ".tex", ".log")
_CODE_IN_TXT = ("cmakelists.txt", "requirements", "constraints")
_PROSE_NAMES = frozenset(("changelog", "changes", "readme", "news", "authors", "license", "copying", "todo", "history", "contributors"))
_CONFIG = (".toml", ".yaml", ".yml", ".json", ".jsonc", ".json5", ".ini", ".cfg", ".conf", ".properties")
_LOCKS = frozenset(
    str.split("package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock poetry.lock uv.lock Cargo.lock go.sum Gemfile.lock composer.lock bun.lock")
)
_FOREIGN = frozenset(
    str.split("""vendor vendored deps third_party thirdparty third-party node_modules bower_components site-packages dist build out target generated gen
    __generated__ Pods Carthage external extern fixtures testdata __snapshots__ .venv venv""")
)
_GENERATED = ("_pb2", ".pb.", "_pb.", ".min.", ".generated.", ".gen.", "_generated", ".g.dart", ".freezed.", ".designer.", ".snap", ".bundle.")


def is_code(path: str) -> bool:
    """Return whether a name in a file is in use: anywhere but in prose."""
    name = path.rpartition("/")[2].lower()
    return (not name.endswith(_PROSE) or name.startswith(_CODE_IN_TXT)) and name not in _PROSE_NAMES


def is_config(path: str) -> bool:
    """Return whether a file has configuration keys."""
    return path.lower().endswith(_CONFIG) and path.rpartition("/")[2] not in _LOCKS


def is_own(path: str) -> bool:
    """Return whether the project itself defines what a file defines: not generated, not copied from another project, not a lock file."""
    folders, _, name = path.rpartition("/")
    return name not in _LOCKS and not _FOREIGN.intersection(folders.split("/")) and not any(sign in name.lower() for sign in _GENERATED)


def names_defined(line: str, path: str) -> set[str]:
    """Return the names that a line defines, declares or sets, and the environment variables that it reads."""
    if is_config(path):
        key = _KEY.match(line)
        return {*_READ.findall(line), *(key[1].split(".") if key is not None else ())}
    found = {match[1] for pattern in _DEFINED if (match := pattern.match(line)) is not None}
    if path.endswith(_OF_C) and (function := _FUNCTION_OF_C.match(line)) is not None:
        found.add(function[1])
    return found.union(_READ.findall(line))


def name_with_body(line: str) -> str:
    """Return the function, class or other name with a body that a line defines; "" for none."""
    found = _BODY.match(line)
    return found[1] if found is not None else ""
