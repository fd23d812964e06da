"""Finds what a text says about running a project: commands that a manifest defines, and versions of dependencies and runtimes."""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import COMMAND, VERSION, Claim
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND = lazy_pattern(
    r"(?:^|&&|\|\||[;|(])\s*(?:sudo\s+|[A-Z_][A-Z0-9_]*=\S*\s+)*"
    r"(?:(npm|pnpm|yarn|bun)\s+(run(?:-script)?\s+)?([A-Za-z][\w:.-]*)|(make|just)\s+((?:-\S+\s+)*)([A-Za-z][\w.-]*)(?![\w=]))"
)
_SCRIPTS_OF_NPM = frozenset(("test", "start", "stop", "restart"))
"""The scripts that `npm` runs without `run`."""
_OWN = frozenset(
    str.split("""access add audit bin cache ci config create dedupe dlx doctor exec explain export fetch fund global help import info init install link list
    licenses login logout ls node npm outdated owner pack patch pm ping plugin policies prefix prune publish rebuild remove repl root run search
    self set store unlink unplug up update upgrade version versions view whoami why workspace workspaces x""")
)
"""Words that package managers keep for themselves."""
_VERSION = lazy_pattern(
    r"(?<![\w./@-])(@?[A-Za-z][\w./-]{0,60}?)`?(?:\s+(?:version\s+)?v?|\s*==\s*v?|@v?|\s*バージョン\s*)(\d{1,4}(?:\.\d{1,5}){0,3})(?![\w%/:-]|\.\d)"
)
_SPAN = lazy_pattern(
    r"\b(?:support(?:s|ed)?|compatible|compatibility|works (?:with|on)|tested (?:with|on)|or (?:newer|later|above|higher|older|earlier)|at least"
    r"|since|minimum|up to|between|before|after|below|until)\b|[<>]|以上|以降|以前|未満|対応|互換|まで|から",
    "i",
)
"""A sentence about a range of versions, which says nothing about the one that is used."""
_NUMBERED = frozenset(
    str.split("""a about above adr an and appendix article at best between by case chapter class code column commit day days down error every exactly exit
    figure first for from group http https id in is issue item job last least level limit line lines most nearly no note of on only option or
    over page part phase pr priority release revision round row rule section seed sha size slice stage step table task team than the ticket tier
    to top up utf version was week with within year""")
)
"""Words that a number follows without being a version of them."""


def commands(text: str, line: int) -> Iterator[Claim]:
    """Yield the commands of a code span or of a line of a shell. `place` is the key: `npm:build`, `make:deploy`."""
    for match in _COMMAND.finditer(text):
        program, run, script, maker, options, target = match.groups()
        if maker:
            if "C" not in options and "f" not in options:  # another folder or file
                yield Claim(COMMAND, f"{maker} {target}", line, f"{maker}:{target}")
        elif run or (script in _SCRIPTS_OF_NPM) or (program in ("pnpm", "yarn") and script not in _OWN):
            said = f"{program} {'run ' if run else ''}{script}"
            yield Claim(COMMAND, said, line, f"npm:{script}")


def versions(text: str, line: int) -> Iterator[Claim]:
    """Yield the versions that a sentence says are in use. `place` is the name in lower case and the version."""
    if not any(map(str.isdecimal, text)) or _SPAN.search(text) is not None:
        return
    for match in _VERSION.finditer(text):
        name, version = match[1], match[2]
        is_name = name.lower() not in _NUMBERED and ("." in version or name[0].isupper() or "@" in match[0] or "==" in match[0] or "`" in match[0])
        if is_name:
            said = match[0].replace("`", "")
            yield Claim(VERSION, said, line + text.count("\n", 0, match.start()), f"{name.lower().replace('_', '-')} {version}")
