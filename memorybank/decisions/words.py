"""The words of a statement: what it is about, and the values that exclude each other, such as weekdays, numbers and tools for one purpose."""

from __future__ import annotations

__light__ = True


from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.word_terms import stem_of
from memorybank.values import Memo, NamedTuple, lru_cache

_BEGINNING = r"`A-Za-z\dァ-ヴー一-龥々"
_TOKEN = lazy_pattern(
    rf"[^{_BEGINNING}]*+(?:("
    r"`[^`\n]{1,200}`|[A-Za-z][A-Za-z0-9_]*(?:[-./+#][A-Za-z0-9_]+)*|\d+(?:[.,]\d+)*|[月火水木金土日]曜日?|[ァ-ヴー]{2,}|(?:(?![月火水木金土日]曜)[一-龥々])+"
    rf")|[{_BEGINNING}]|\Z)"
)
"""Matches a token and what is before it, which is skipped in one step; the group is empty if no token begins after it."""
_LABEL = lazy_pattern(
    r"(?:\b(?:issue|ticket|adr|step|phase|stage|chapter|section|line|pr|rfc|milestone|sprint|question|page|task|item|part|figure|table|case|example|option"
    r"|project|week|day|replica|server|host|machine|customer|client|tenant|account|team|group|room|printer|shard|partition|worker|cluster|zone|number|no\.?)\s*"
    r"|[#§第]|(?:手順|段階|工程|課題|案件|項目|質問|ステップ|フェーズ|ページ|タスク|スプリント|プロジェクト|サーバー?|レプリカ|顧客|プリンター?|チーム|部屋|会議室"
    r"|[章節項図表例案問])\s*)$",
    "i",
)
"""Matches the text before a number that is a name, not a value."""
_YEAR = lazy_pattern(r"(?:19|20)\d\d")
_CACHE_LIMIT = 50_000
_NOTHING: frozenset[str] = frozenset()
NUMBER, NAME, WEEKDAY = "number", "name", "weekday"
_ABOUT, _ENVIRONMENT = "about", "environment"
_DAYS = {"mon": "月", "tues": "火", "wednes": "水", "thurs": "木", "fri": "金", "satur": "土", "sun": "日"}
_DAYS_JAPANESE = frozenset(_DAYS.values())
_WEEKDAY = lazy_pattern(r"(mon|tues|wednes|thurs|fri|satur|sun)days?")
_FAMILIES = {
    "store": "redis valkey memcached postgresql postgres mysql mariadb sqlite mongodb dynamodb cassandra rabbitmq kafka sqs nats",
    "packages": "npm pnpm yarn bun",
    "python packages": "pip uv poetry pipenv pdm conda",
    "tests": "pytest unittest nose",
    "script tests": "jest vitest mocha",
    "ci": "jenkins travis circleci github-actions gitlab-ci buildkite",
    "search": "elasticsearch opensearch solr meilisearch algolia typesense",
    "bundler": "webpack vite rollup esbuild parcel turbopack",
    "hosting": "heroku vercel netlify render fly",
    "cloud": "aws gcp azure",
    "files": "s3 gcs r2",
    "mail": "sendgrid postmark mailgun ses",
    "errors": "sentry rollbar bugsnag",
    "state": "redux zustand mobx recoil jotai",
    "indentation": "tab space タブ スペース",
    "quotes": "single double",
    "language": "english german french spanish japanese chinese 英語 日本語 中国語",
}
"""Values of which a statement about one subject names one: a second one replaces the first."""
FAMILY_OF = {member: family for family, members in _FAMILIES.items() for member in members.split()}
"""{value: its family}"""
_PARTS_OF_MEMBERS = frozenset(part for member in FAMILY_OF for part in member.split("-"))
_BEGINNINGS_OF_VALUES = frozenset(word[:2] for word in (*_PARTS_OF_MEMBERS, *_DAYS))
_SAME_VALUE = {"postgres": "postgresql", "タブ": "tab", "スペース": "space", "英語": "english", "日本語": "japanese", "中国語": "chinese"}
_TWO_WORDS = lazy_pattern(r"\b(github)\s+(actions)\b|\b(gitlab)\s+(ci)\b", "i")
_ENVIRONMENTS = {
    "staging": "staging", "ステージング": "staging", "検証環境": "staging", "production": "production", "prod": "production", "本番": "production",
    "本番環境": "production", "development": "development", "dev": "development", "開発環境": "development", "開発": "development", "local": "local",
    "locally": "local", "ローカル": "local", "linux": "linux", "macos": "macos", "mac": "macos", "windows": "windows", "ios": "ios",
    "android": "android", "preview": "preview", "qa": "qa", "demo": "demo",
}  # fmt: skip
"""{word: the environment or platform that a statement is limited to}."""
ENVIRONMENTS = frozenset(_ENVIRONMENTS.values())
_GENERIC_WORDS = (
    "a an the of for to in on at by with from as and or so then we i you they it its our your my us this that these those there here is are be been"
    " being am do does did done has have had was were will shall should must need needs can now only just all any each every some more than please"
    " which who what into onto when while after before during because since via per within also always never not no don t s up down out off over under"
    " about use uses used using run runs running ran happen happens take takes place go goes went keep keeps kept make makes made get gets work works"
    " want wants prefer store stores stored live lives lived send sends sent put puts write writes written set sets serve serves back instead anymore"
    " longer decide decided decision agree agreed move moved moves moving migrate migrated migrating switch switched change changed changes replace"
    " replaced replaces drop dropped drops revert reverted return returned favour favor rather stop stopped avoid avoids forbid forbidden prohibit"
    " prohibited allow allowed project repository repo team thing way today new old current currently"
)
_GENERIC = frozenset(_GENERIC_WORDS.split())
"""Words that say little about what a statement is about."""
_GENERIC_WORDS_JAPANESE = "使用 利用 実行 変更 移行 禁止 許可 必須 今後 以後 現在 決定 方針 採用 廃止 場合 一切 絶対 可能 設定 原則 必要 不可 厳禁 切替"
_GENERIC_JAPANESE = frozenset(_GENERIC_WORDS_JAPANESE.split())


class Words(NamedTuple):
    """The words of a text.

    about: stems and names that say what it is about, without values and environments
    values: {family: its members}, of `NUMBER`, of weekdays and of the families
    environments: what the statement is limited to
    names: every word: what it is about, and the members of its values
    """

    about: frozenset[str]
    values: dict[str, frozenset[str]]
    environments: frozenset[str]
    names: frozenset[str]


def read(text: str) -> Words:
    """Return the words of a text."""
    about: set[str] = set()
    values: dict[str, set[str]] = {}
    environments: set[str] = set()
    if "it" in text and any(sign in text.lower() for sign in ("hub", "lab")):  # GitHub Actions, GitLab CI
        text = _TWO_WORDS.sub(lambda found: "-".join(filter(None, found.groups())), text)
    has_number = False
    for place, name in map(_place, _TOKEN.findall(text)):
        if place == _ABOUT:
            about.add(name)
        elif place == NUMBER:
            has_number = True
        elif place == _ENVIRONMENT:
            environments.add(name)
        elif place:
            values.setdefault(place, set()).add(name)
    if has_number:
        _add_numbers(text, about, values)
    subject, limits = frozenset(about), frozenset(environments) if environments else _NOTHING
    if not values:
        return Words._make((subject, {}, limits, subject))
    members = {family: frozenset(found) for family, found in values.items()}
    return Words._make((subject, members, limits, subject.union(*members.values())))


def _add_numbers(text: str, about: set[str], values: dict[str, set[str]]) -> None:
    """Add the numbers of a text. What is before a number decides whether it is a value or a name."""
    for found in _TOKEN.finditer(text):
        word = found[1]
        if word and word[0].isdecimal():
            if _LABEL.search(text, 0, found.start(1)) is None and _YEAR.fullmatch(word) is None:
                values.setdefault(NUMBER, set()).add(word)
            else:
                about.add(word)


def _place_of_token(token: str) -> tuple[str, str]:
    first = token[:1]
    if first.isascii() and first.isalpha():
        read = _latin(token)
        return ("", "") if read is None else _place_of_name(read[1]) if read[0] == NAME else read
    if first.isdecimal():
        return NUMBER, token
    if first == "`":
        return _place_of_name(token[1:-1].strip().lower())
    if token[1:2] == "曜" and first in _DAYS_JAPANESE:
        return WEEKDAY, first
    if "ァ" <= first <= "ー":
        return _place_of_name(token.rstrip("ー") if len(token) > 3 else token)
    return ("", "") if len(token) < 2 or token in _GENERIC_JAPANESE else _place_of_name(token)


_place = Memo(_place_of_token, _CACHE_LIMIT).__getitem__
"""Return where a token belongs (`_ABOUT`, `_ENVIRONMENT`, `NUMBER`, the family of a value, "" for a generic word), and the form in which it is compared."""


def _place_of_name(word: str) -> tuple[str, str]:
    if word in _ENVIRONMENTS:
        return _ENVIRONMENT, _ENVIRONMENTS[word]
    return FAMILY_OF.get(word, _ABOUT), _SAME_VALUE.get(word, word)


@lru_cache(maxsize=50_000)
def _latin(word: str) -> tuple[str, str] | None:
    """Return what `_tokens` yields for a Latin word, None for a generic one."""
    folded = word.lower()
    if folded.endswith(("day", "days")) and (weekday := _WEEKDAY.fullmatch(folded)) is not None:
        return WEEKDAY, _DAYS[weekday[1]]
    if folded in _GENERIC or (found := _form(folded)) in _GENERIC:
        return None
    return NAME, found


def canonical(word: str) -> str:
    """Return the form in which a word of a title, in lower case, is compared with those of a statement. No word is generic in a title."""
    return _place(word)[1] or _form(word)


def is_value(word: str) -> bool:
    """Return whether a Latin word, or an identifier that it is a part of, is a value: a weekday or a member of a family."""
    if word[:2] not in _BEGINNINGS_OF_VALUES:
        return False  # a stem begins as its word does
    found = _latin(word)
    return word in _PARTS_OF_MEMBERS or (found is not None and (found[0] == WEEKDAY or found[1] in FAMILY_OF))


def _form(folded: str) -> str:
    """Return the form of a Latin word in lower case in which its inflections are equal."""
    if folded in FAMILY_OF or folded in _ENVIRONMENTS or not folded.isalpha():
        return folded
    singular = folded.removesuffix("s")
    if singular in FAMILY_OF:
        return singular
    found = stem_of(folded)
    return f"{found[:-1]}y" if found.endswith("i") and len(found) > 3 else found
