"""Decisions with their reasons, for generated histories: said once in passing, and asked for in other words weeks later.

Texts are in English and Japanese next to each other. `{…}` are filled when a project is built or a session is played.
"""

import random
from dataclasses import dataclass

CHOICES = (
    ("webhooks", "a polling loop", "Webhook", "定期ポーリング"),
    ("cursor paging", "offset paging", "カーソル方式", "オフセット方式"),
    ("integer cents", "floats", "整数の銭", "浮動小数"),
    ("a lock file", "a database lock", "ロックファイル", "データベースのロック"),
    ("plain SQL", "the ORM", "生のSQL", "ORM"),
    ("a nightly batch", "live updates", "夜間一括", "即時更新"),
    ("UUIDs", "running numbers", "UUID", "連番"),
    ("server time", "browser time", "サーバー時刻", "ブラウザ時刻"),
    ("soft deletion", "hard deletion", "論理削除", "物理削除"),
    ("an outbox table", "direct calls", "送信箱の表", "直接呼び出し"),
    ("a dead letter queue", "endless retries", "退避キュー", "無限の再送"),
    ("signed cookies", "server sessions", "署名付きCookie", "サーバーセッション"),
    ("streaming", "one big response", "分割送信", "一括応答"),
    ("JSON lines", "CSV files", "JSON Lines", "CSVファイル"),
)
"""(what was chosen, what was rejected) in English, then in Japanese. With `--drift` some are reversed later."""
WHYS = (
    ("the {code} gateway drops every second call", "{code}の中継が二回に一回失敗する"),
    ("{code} rounds differently from our books", "{code}の丸めが帳簿と食い違う"),
    ("the auditors of {code} ask for it", "{code}の監査で求められている"),
    ("the {code} job locks the table at night", "{code}の処理が夜に表を占有する"),
    ("customers of {code} have no stable network", "{code}の顧客は回線が不安定"),
    ("the licence of {code} forbids the other way", "{code}の使用許諾が他の方法を禁じている"),
    ("{code} needs forty seconds to start", "{code}の起動に四十秒かかる"),
    ("the {code} replica lags by minutes", "{code}の複製が数分遅れる"),
    ("it broke the {code} import twice", "{code}の取り込みが二度壊れた"),
    ("nobody could read the {code} logs any more", "{code}の記録が誰にも読めなくなった"),
)
STATED = (
    (
        "Decision: the {aspect} of {area} uses {this} instead of {that}, because {why}.",
        "We went with {this} for the {aspect} of {area}; {that} was rejected because {why}.",
        "The {aspect} in {area} must not use {that}: {why}. So it is {this}.",
        "I reverted {that} and chose {this} for the {aspect} of {area}, since {why}.",
    ),
    (
        "{area}の{aspect}は{that}ではなく{this}にしました。{why}ためです。",
        "{area}の{aspect}では{that}は使わず{this}にします。理由は、{why}からです。",
        "{area}の{aspect}で{that}をやめて{this}を選びました。{why}ためです。",
    ),
)
ASKED = (
    (
        "Why does the {aspect} of {area} use {this}? Could it not be {that}?",
        "I would like to switch the {aspect} of {area} to {that}. Is there anything against it?",
        "Remind me what we decided about {that} for the {aspect} in {area}.",
        "Somebody asks why {area} has {this} for the {aspect}.",
    ),
    (
        "{area}の{aspect}はなぜ{this}なのですか？{that}ではだめですか。",
        "{area}の{aspect}を{that}に変えたいのですが、問題はありますか？",
        "{area}の{aspect}で{that}についてどう決めましたか？",
    ),
)
ANSWERED = (("It is {this} because {why}.", "{why}, so {this} was chosen."), ("{why}ため{this}です。",))
WRONG_GUESSES = (("I see no reason in the code; it may be habit.",), ("コードからは理由が分かりません。",))


@dataclass(frozen=True)
class Choice:
    """What was chosen, what was rejected and why, each in English and in Japanese. code: a name that only this reason contains."""

    this: tuple[str, str]
    that: tuple[str, str]
    why: tuple[str, str]
    code: str

    def words(self, side: int) -> dict[str, str]:
        return {"this": self.this[side], "that": self.that[side], "why": self.why[side]}


def choice(chance: random.Random, code: str) -> Choice:
    """Draw a decision whose reason names `code`."""
    this, that, this_ja, that_ja = chance.choice(CHOICES)
    english, japanese = chance.choice(WHYS)
    return Choice((this, this_ja), (that, that_ja), (english.format(code=code), japanese.format(code=code)), code)


def reversed_choice(chance: random.Random, earlier: Choice, code: str) -> Choice:
    """Draw the decision that replaces an earlier one: the other way, for a new reason."""
    english, japanese = chance.choice(WHYS)
    return Choice(earlier.that, earlier.this, (english.format(code=code), japanese.format(code=code)), code)
