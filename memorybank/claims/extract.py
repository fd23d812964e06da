"""Extracts the claims of a text. It never looks at a disk: whatever looks like a claim counts as one, and looking it up decides.

What a text says about running a project counts as well: commands that a manifest defines, and versions of dependencies and runtimes.
"""

from __future__ import annotations

__light__ = True


from memorybank.claims import names
from memorybank.claims.blocks import blocks, sentences
from memorybank.claims.claim import BRANCH, COMMAND, COMMIT, NOTE, PATH, VERSION, Claim
from memorybank.claims.dates import dates, may_say
from memorybank.claims.past import is_example, is_of_the_past
from memorybank.storage.path_names import join, normpath
from memorybank.text import anchors
from memorybank.text.pattern import lazy_pattern
from memorybank.text.word_terms import DIGIT, MAY_BE_DIGITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memorybank.claims.blocks import Block, Sentence

_COMMAND = lazy_pattern(
    r"(?:^|&&|\|\||[;|(])\s*(?:sudo\s+|[A-Z_][A-Z0-9_]{0,60}=\S{0,200}\s+){0,8}"
    r"(?:(npm|pnpm|yarn|bun)\s+(run(?:-script)?\s+)?([A-Za-z][\w:.-]*)|(make|just)\s+((?:-\S{1,100}\s+){0,8})([A-Za-z][\w.-]*)(?![\w=]))"
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
_ANY_DIGIT = lazy_pattern(DIGIT)
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

MOST = 200
"""Maximum number of claims of one text."""
LONGEST = 256
"""Maximum length of a subject, in characters."""
_LINK = lazy_pattern(r"!?\[[^\[\]\n]{0,500}\]\(\s*<?([^()\s<>]{1,500})>?[^()\n]{0,200}\)")
_WIKI = lazy_pattern(r"!?\[\[([^\[\]\n|#]{1,256})[^\[\]\n]{0,256}\]\]")
_URL = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s`<>]*")
_COMMIT = lazy_pattern(r"(?:\b(?:commits?|sha|rev)|コミット)[\s:：=(（]{0,3}`?([0-9a-f]{7,40})\b|`([0-9a-f]{7,40})`", "i")
_BEFORE_COMMITS = ("`", "ommit", "コミット", "sha", "rev")
_BEFORE_BRANCHES = ("ranch", "ブランチ")
_SIGNS = ("`", "[", "/", "LICENSE", "CODEOWNERS")
_SIGN = lazy_pattern(rf"[.f{MAY_BE_DIGITS}](?:(?<=\d)|(?<=\.)\S|(?<=[a-z]f)ile)")
"""A digit (of a commit, a version), a period in a word, or the end of a name such as `Makefile`."""
_QUOTES = ("`", '"', "「", "『")
_CAPITALS = lazy_pattern(r"[A-Z][A-Z0-9_]{2}")
_BRANCH = lazy_pattern(
    r"(?:\bbranch(?:es)?|ブランチ)[\s:：]{0,3}[`「『\"]([\w./+-]{1,100})[`」』\"]"
    r"|[`「『\"]([\w./+-]{1,100})[`」』\"]\s?(?:(?:feature |release )?branch\b|ブランチ)",
    "i",
)
_REFUSED = frozenset("*?[]{}<>=,%$|\\\0\"'")
_NOT_BELOW = ("/", "~", "..", "@", "$", "-", "+")


def claims_of(text: str, folder: str | None = None, first_line: int = 1) -> list[Claim]:
    """Return the claims of a text, as `claims_of_blocks`. first_line: line of the file at which the text begins"""
    return claims_of_blocks(blocks(text, first_line), folder)


def claims_of_blocks(found_blocks: Iterable[Block], folder: str | None = None) -> list[Claim]:
    """Return the claims of a text in order, at most `MOST`. A subject that occurs several times is one claim.

    Sentences that speak of the past or give an example claim nothing.

    folder: folder of the file, relative to the repository, from which the destinations of links start; None for a text without a file
    """
    found: dict[tuple[str, str], Claim] = {}
    for sentence in sentences(found_blocks, _may_claim):
        for claim in _claims_of(sentence, folder):
            found.setdefault((claim.kind, claim.place or claim.subject), claim)
        if len(found) >= MOST:
            break
    return list(found.values())[:MOST]


def _may_claim(block: str) -> bool:
    """Return whether a block can contain a claim. Most blocks of prose contain none of its signs, and are not read sentence by sentence."""
    return (
        any([sign in block for sign in _SIGNS])
        or _SIGN.search(block) is not None
        or may_say(block)
        or (any([sign in block for sign in _BEFORE_BRANCHES]) and any([sign in block for sign in _QUOTES]))
        or (any([sign in block for sign in names.SIGNS_OF_VARIABLES]) and _CAPITALS.search(block) is not None)
    )


def _claims_of(sentence: Sentence, folder: str | None) -> list[Claim]:
    if sentence.is_shell:
        return list(commands(sentence.text, sentence.line))
    claims, limits = list(_of_sentence(sentence, folder)), list(dates(sentence.text, sentence.line))
    if (claims or limits) and is_example(sentence.text):
        return []
    # "Will be removed by Friday" names what is expected to be missing, and a day that can pass.
    return limits if claims and is_of_the_past(_without(sentence.text, claims)) else [*claims, *limits]


def _without(text: str, claims: list[Claim]) -> str:
    """Return a text without the subjects of its claims: `src/legacy/a.py` is a name, and says nothing about the past."""
    for claim in claims:
        text = text.replace(claim.subject, " ")
    return text


def _of_sentence(sentence: Sentence, folder: str | None) -> Iterator[Claim]:
    text, line = sentence.text, sentence.line
    if "](" in text:
        for match in _LINK.finditer(text):
            place = _destination(match[1], folder)
            if place:
                yield Claim(PATH, match[1].partition("#")[0], line + text.count("\n", 0, match.start()), place)
        text = _LINK.sub(" ", text)
    if "[[" in text:
        for match in _WIKI.finditer(text):
            if match[1].strip():
                yield Claim(NOTE, match[1].strip(), line + text.count("\n", 0, match.start()))
        text = _WIKI.sub(" ", text)
    if "://" in text:
        text = _URL.sub(" ", text)
    for path in anchors.paths_in(text):
        subject = _path(path)
        if subject:
            yield Claim(PATH, subject, _line_of(path, text, line))
    for match in _COMMIT.finditer(text) if any(sign in text for sign in _BEFORE_COMMITS) else ():
        digits = (match[1] or match[2]).lower()
        if not digits.isdecimal() and not digits.isalpha():
            yield Claim(COMMIT, digits, line + text.count("\n", 0, match.start()))
    if "`" in text:
        for piece in text.split("`")[1::2]:
            yield from commands(piece, line + text.count("\n", 0, text.find(piece)))
    yield from names.names_in(text, line)
    yield from versions(text, line)
    if any(sign in text for sign in _BEFORE_BRANCHES):
        for match in _BRANCH.finditer(text):
            yield Claim(BRANCH, match[1] or match[2], line + text.count("\n", 0, match.start()))


def _path(written: str) -> str:
    """Return a path of prose as a subject; "" when it cannot be one below the repository."""
    if _REFUSED.intersection(written) or written.startswith(_NOT_BELOW) or len(written) > LONGEST or ":" in written or "..." in written:
        return ""
    path = normpath(written)
    return "" if path == "." or path.startswith("..") or not any(map(str.isalpha, path)) else path


def _destination(written: str, folder: str | None) -> str:
    """Return the path, relative to the repository, that the destination of a link means; "" for one that leads elsewhere."""
    target = written.partition("#")[0].partition("?")[0]
    if folder is None or not target or ":" in target or len(target) > LONGEST or "\0" in target:
        return ""
    if "%" in target:
        from urllib.parse import unquote

        target = unquote(target)
    path = normpath(target.lstrip("/") if target.startswith("/") else join(folder, target))
    return "" if path in (".", "..") or path.startswith(("../", "/")) or "\0" in path else path


def _line_of(written: str, text: str, line: int) -> int:
    at = text.find(written)
    return line + text.count("\n", 0, at) if at > 0 else line


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
    if _ANY_DIGIT.search(text) is None or _SPAN.search(text) is not None:
        return
    for match in _VERSION.finditer(text):
        name, version = match[1], match[2]
        is_name = name.lower() not in _NUMBERED and ("." in version or name[0].isupper() or "@" in match[0] or "==" in match[0] or "`" in match[0])
        if is_name:
            said = match[0].replace("`", "")
            yield Claim(VERSION, said, line + text.count("\n", 0, match.start()), f"{name.lower().replace('_', '-')} {version}")
