"""Sentences of a note that say how commits, pushes, releases, deploys, test runs and migrations are to be done: "Commits: `area: what it does`",
「コミットは「領域: 内容」」, "Never push on Fridays".

A note that people wrote states them as facts, under a heading or after a label, seldom as an order. What happened once ("the last release broke") is none.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.objects import limits
from memorybank.values import Memo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMIT, PUSH, RELEASE, DEPLOY, TEST, MIGRATE = "commit", "push", "release", "deploy", "test", "migrate"
_SIGNS = {
    COMMIT: ("commit", "コミット"),
    PUSH: ("push", "プッシュ"),
    RELEASE: ("releas", "publish", "リリース"),
    DEPLOY: ("deploy", "デプロイ"),
    TEST: ("test", "テスト"),
    MIGRATE: ("migrat", "マイグレ"),
    "": ("changelog", "change log", "変更履歴"),
}
"""One of these is in every text with a sentence about the action. A sentence about "" says that a commit changes the change log."""
LONGEST = 240
"""Characters of a sentence. A longer one explains more than what to do."""
_SHORT = 160
"""Characters up to which an item or a paragraph is shown whole."""
_READ = 20_000
"""Characters of a note that are read."""
_NOUNS = {
    COMMIT: (r"commits?(?: messages?| subjects?| titles?)?", r"コミット(?:メッセージ|の件名)?"),
    PUSH: (r"push(?:es|ing)?", r"プッシュ"),
    RELEASE: (r"releas(?:es?|ing)|publish(?:ing)?", r"リリース"),
    DEPLOY: (r"deploy(?:s|ments?|ing)?", r"デプロイ"),
    TEST: (r"(?:(?:unit|integration|end-to-end|e2e) )?tests?", r"テスト"),
    MIGRATE: (r"(?:(?:db|database|schema) )?migrations?", r"マイグレーション"),
}
_LABEL = {
    action: lazy_pattern(
        rf"^\W*(?:(?:every|each|all|our|the|a|new) )?(?:{english}|{japanese})(?:の(?:仕方|手順|前|後|とき|際)に?)?(?: in [\w-]+)?\s{{0,3}}"
        r"(?:[:：]|は|[—–-] |\b(?:are|is|have|has|get|gets|need|needs|must|should|start|starts|begin|begins|name|names|go|goes|run|runs|use|uses"
        r"|only|never|always)\b)",
        "i",
    )
    for action, (english, japanese) in _NOUNS.items()
}
_HEADING = {
    action: lazy_pattern(rf"^\W*(?:(?:how (?:we|to)|our|about) )?(?:{english}|{japanese})(?:の?(?:仕方|書き方|手順|規約|ルール|決まり))?\W*$", "i")
    for action, (english, japanese) in _NOUNS.items()
}
_WITHIN = {
    action: lazy_pattern(
        r"\b(?:before|after|when(?:ever)?|while|never|don['’]?t|do not|not|always|only|must|should|per|each|every|to|in|the|and|or|no)"
        rf" (?:you |we |a |the |any |every |each |git )?(?:{english})\b"
        rf"|(?:{japanese}|(?<![A-Za-z-]){action} ?)(?:し(?:ない|て)|する(?:な|前|とき|時|際|$)|の?(?:前|後|とき|際|たび|時)|は|を|には?)",
        "i",
    )
    for action, (english, japanese) in _NOUNS.items()
}
_CHANGELOG = lazy_pattern(r"(?:\bchange ?log(?:\.\w+)?\b|変更履歴)", "i")
_ENTRY = lazy_pattern(r"\b(?:lines?|entry|entries|add|goes|listed|unreleased|under)\b|行|書|追記|追加|載せ", "i")
_OF_RELEASES = lazy_pattern(r"\breleas|\bpublish|\bdeploy|リリース|デプロイ", "i")
"""Matches a heading below which the change log is changed when a version is released."""
_INSTRUCTS = lazy_pattern(
    r"\b(?:always|must|should|before|after|whenever|every|each|per|only|by hand|imperative|in english|in japanese|sign(?:ed)?[- ]?off|squash|needs?|goes? to"
    r"|has to|have to|starts? with|begins? with|names? (?:the|its)|no more than|at most|one)\b"
    r"|`|「|必ず|いつも|常に|毎回|まで|てから|前に|後に|ない。?$|すること|する。?$|書く|付ける|つける|通す|流す|分ける|使う|入れる|ください|禁止|のみ|だけ|英語|日本語",
    "i",
)
PAST = lazy_pattern(
    r"\b(?:was|were|had|did|broke|failed|went|took|happened|forgot|made|got|noticed|reverted|yesterday|last (?:week|time|month)|because of the)\b"
    r"|(?:[たっだ]た|した|った|れた|んだ)(?:[。、]|$)|でした|ました|\?$|？$",
    "i",
)
"""Matches what was so once, and questions."""
_HOW_TO_RUN = lazy_pattern(r"`|\b[A-Z][A-Z_]{2,}=|\b(?:before|after|never|only|first)\b|前に|後に|だけ|のみ|ない")
_RUNS = lazy_pattern(r"\b(?:run|runs|running|start|execute|call)\b|実行|回す|回し|流す|流し|走らせ", "i")
_ITEM = lazy_pattern(r"^\s*(?:[-*+・•]|\d+[.)])\s+")
_SENTENCE_END = lazy_pattern(r"(?<=[.!?])\s+(?=[A-Z`*「(])|(?<=[。！？])(?!$)")
_FENCES = ("```", "~~~")
_NAMED = lazy_pattern(r"(?<![\w-])[A-Za-z_][\w-]{0,60}\.(?:md|txt|rst|toml|json|yml|yaml)\b|CHANGELOG")
_MESSAGE = lazy_pattern(r"(?:^|\s)(?:-[a-zA-Z]*m\s*|--message[= ])(?:\"([^\"\n]*)|'([^'\n]*)|(\S+))")
_FORMAT = lazy_pattern(r"[`「“\"]\W{0,2}[^`」”\"\n]{1,30}[:：] ?\S")
_HAS_FORMAT = lazy_pattern(r"^[^:：\n]{1,40}[:：] ?\S")
_SCOPE = lazy_pattern(r"(?<=\w)\([^()]{1,20}\)!?: |(?<=種別)[（(][^()（）]{1,20}[)）][:：]")
_PARTS_OF_FORMAT = ((lazy_pattern(r"(?<![\w-])(?!(?:UTF|SHA|ISO|RFC|ASCII|JIS)-)[A-Z]{2,10}-\d+"), lazy_pattern(r"^\W{0,2}[A-Z]{2,10}-\d")), (_SCOPE, _SCOPE))
"""Parts that a format may have, each with how a message has it: the number of a ticket first, and parentheses before the colon."""
_TEST_PROGRAMS = frozenset(str.split("pytest unittest jest vitest rspec phpunit tox nox ctest mocha ava test tests"))
_MIGRATIONS = ("migrat", "db:", "revision")
_RELEASES = ("release", "publish")


def of_note(body: str) -> list[tuple[str, str]]:
    """Return (action, sentence) for the sentences of a note's Markdown that say how an action is done, in order."""
    text = body[:_READ]
    if not _signed(text):
        return []
    return [(action, sentence) for heading, sentence in sentences_of(text) for action in _actions(heading, sentence)]


def _signed(text: str) -> list[str]:
    lowered = text.lower()
    return [action for action, signs in _SIGNS.items() if any(sign in lowered for sign in signs)]


def of_call(forms: Sequence[str], actions: Sequence[str]) -> list[str]:
    """Return the actions in the sense of this module that a command does. forms, actions: its forms and what `commands.actions` finds in these."""
    found: dict[str, None] = {}
    words = {form.split(" ")[0].rpartition("/")[2].partition(".")[0].lower() for form in forms}
    for form in forms:
        if form.startswith(("git commit", "git push")):
            found[form.split(" ")[1]] = None
    named = {*actions, *words, *(word for form in forms for word in form.split(" ")[1:2] if form.startswith("python"))}
    if any(word.startswith(_RELEASES) for word in named):
        found[RELEASE] = None
    if any(word.startswith(DEPLOY) for word in named):
        found[DEPLOY] = None
    if named & _TEST_PROGRAMS or any("pytest" in form for form in forms):
        found[TEST] = None
    if any(sign in word for word in actions for sign in _MIGRATIONS):
        found[MIGRATE] = None
    return list(found)


def is_followed(sentence: str, command: str, before: bytes) -> bool:
    """Return whether a call has what a sentence wants: a message of that form, commands that ran, files that the session changed.

    before: the end of the session's log.
    """
    message = _MESSAGE.search(command)
    if message is not None and _FORMAT.search(sentence):
        said = next(filter(None, message.groups()), "")
        wanted = [part for form, part in _PARTS_OF_FORMAT if form.search(sentence)]
        return _HAS_FORMAT.match(said) is not None and all(part.search(said) for part in wanted)
    named = _NAMED.findall(sentence)
    return bool(named) and all(name in command or name.encode() in before for name in named)


def sentences_of(text: str) -> list[tuple[str, str]]:
    """Return (heading, sentence) of each; an item of a list is one sentence if it is short."""
    return _latest[text]


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    heading, unit = "", ""
    is_code = False
    for line in [*text.splitlines(), ""]:
        if line.lstrip().startswith(_FENCES):
            is_code = not is_code
            continue
        stripped = line.strip()
        is_new = not stripped or stripped.startswith("#") or _ITEM.match(line) is not None
        if unit and is_new:
            yield from ((heading, part) for part in _parts(unit))
            unit = ""
        if is_code or stripped.startswith(("|", ">")):
            continue
        if stripped.startswith("#"):
            heading = stripped.lstrip("# ")
        elif stripped:
            begins = _ITEM.match(line)
            unit = f"{unit} {stripped}" if unit else line[begins.end() :].strip() if begins is not None else stripped


_latest: Memo[str, list[tuple[str, str]]] = Memo(lambda text: list(_sentences(text)), 1)
"""What the index asks about one note after the other is asked in two modules."""


def _parts(unit: str) -> list[str]:
    return [unit] if len(unit) <= _SHORT else [part.strip() for part in _SENTENCE_END.split(unit) if part.strip()]


def _actions(heading: str, sentence: str) -> list[str]:
    if not 8 <= len(sentence) <= LONGEST:
        return []
    signed = _signed(f"{heading}\n{sentence}")
    if not signed or PAST.search(sentence) is not None:
        return []
    found = [action for action in signed if action and _says_how(action, heading, sentence)]
    if not found and signed[-1] == "" and _CHANGELOG.search(sentence) and _ENTRY.search(sentence) and not _OF_RELEASES.search(heading):
        found.append(COMMIT)
    return found


def _says_how(action: str, heading: str, sentence: str) -> bool:
    is_labelled = _LABEL[action].match(sentence) is not None
    if not is_labelled and not _HEADING[action].match(heading) and not _WITHIN[action].search(sentence):
        return False
    if action == TEST:
        return _HOW_TO_RUN.search(sentence) is not None and (is_labelled or _RUNS.search(sentence) is not None)
    return limits(sentence) or _INSTRUCTS.search(sentence) is not None
