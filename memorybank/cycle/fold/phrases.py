"""The few fixed phrases around recorded text, in the person's language: English or Japanese."""

from __future__ import annotations

__light__ = True

from memorybank.text.words.scripts import has_kana

ENGLISH, JAPANESE = "en", "ja"
_ONLY_CHINESE = frozenset("这你您她它哪吧没沒這說说對对裡删复继续个們们吗嗎请麼么还让为输页设题创项报错误显处时间测试线环变码认进单开关户选击现话语运启")
"""Signs that Chinese sentences have and Japanese words do not."""
_SHARE = 0.2
"""Least share of Japanese characters among the letters of a Japanese prompt, which may quote identifiers and commands in ASCII."""

_EXACTLY = 5
"""Counts below this are shown exactly."""

_PHRASES = {
    "failed": ("failed{times}: {error}.", "が{times}失敗: {error}。"),
    "failed_so": ("failed{times}.", "が{times}失敗。"),
    "times": (" {count} times", "{count}回"),
    "it_succeeded": ("It succeeded", "その後成功"),
    "other_succeeded": ("{call} succeeded", "{call} は成功"),
    "after": (" after {changes}.", "（直前の変更: {changes}）。"),
    "without_change": (" later without a change between.", "（間に変更なし）。"),
    "nothing_else": (".", "。"),
    "edited": ("edited", "編集"),
    "written": ("written", "作成"),
    "changes": (", {count} changes", "、変更{count}回"),
    "begins": ("begins {text}", "冒頭 {text}"),
    "failed_last": ("{call} failed last: {error}", "{call} は最後まで失敗: {error}"),
    "interrupted": ("the last turn was interrupted", "最後のやり取りは中断された"),
    "still_ran": ("background work still ran: {count}", "実行中の裏の作業: {count}"),
    "ended_in_error": ("the last turn ended in an error{error}", "最後のやり取りはエラーで終わった{error}"),
    "ended_with_failure": ("the last thing the last turn did failed{call}", "最後のやり取りの最後の操作が失敗{call}"),
    "more_files": ("and {count} more files", "ほか{count}ファイル"),
    "outside": ("files outside the repository: {count}", "リポジトリの外のファイル: {count}"),
    "goals": ("Goal", "目的"),
    "results": ("Result", "結果"),
    "changed": ("Changed", "変更"),
    "fixes": ("Failed and fixed", "失敗と修正"),
    "decisions": ("Decided", "決定"),
    "commits": ("Commits", "コミット"),
    "open_ends": ("Open", "未解決"),
    "files": ("the file: {parts}", "そのファイル: {parts}"),
    "worked_as": ("this worked: {changes} (it had failed with: {error})", "成功した形: {changes}（以前のエラー: {error}）"),
    "fixed_by": ("it worked after {changes} (it had failed with: {error})", "{changes} の後に成功した（以前のエラー: {error}）"),
    "led_to": ("{said} (it began with the error: {error})", "{said}（きっかけのエラー：{error}）"),
    "met": ("this error before ({error}): {said}", "以前のこのエラー（{error}）：{said}"),
    "gone": ("an earlier session removed `{file}`: {said}", "以前のセッションが `{file}` を削除した：{said}"),
    "stopped": ("the user stopped `{call}` before: “{said}”", "利用者は以前 `{call}` を止めた：「{said}」"),
    "doubted": ("the user had doubts about `{call}`: “{said}”", "利用者は以前 `{call}` に疑問を示した：「{said}」"),
    "quoted": ("the user said: “{said}”", "利用者の発言：「{said}」"),
    "answered": (
        "after such a failure ({error}) the user answered, for that case only: “{said}” (no standing permission: ask before you do the same)",
        "このような失敗（{error}）の後、利用者はその件に限り「{said}」と答えた（継続的な許可ではない。同じことをする前に確認すること）",
    ),
    "answered_for_good": (
        "after such a failure ({error}) the user answered, for good: “{said}”",
        "このような失敗（{error}）の後、利用者は今後のこととして「{said}」と答えた",
    ),
    "outdated": ("an earlier answer, partly changed since: {said}", "以前の回答（その後一部が変わった）：{said}"),
    "later": ("{answered} Later: {later}", "{answered} その後：{later}"),
    "by_person": (
        "the user did this themself before ({count} sessions): “{said}”",
        "以前は利用者が自分で行った（{count}セッション）：「{said}」",
    ),
    "by_person_once": ("the user did this themself before: “{said}”", "以前は利用者が自分で行った：「{said}」"),
    "stated": ("the user said: “{asked}”", "利用者の発言：「{asked}」"),
    "stated_and_answered": ("the user said: “{asked}” Then: {answered}", "利用者の発言：「{asked}」その後：{answered}"),
    "asked_and_answered": ("{answered} (asked: “{asked}”)", "{answered}（依頼：「{asked}」）"),
    "left_open": ("Left: {text}", "残り：{text}"),
    "of_plan": ("From the plan: {text}", "計画より：{text}"),
    "expected": ("asked for in {count} sessions: {said}", "{count}セッションで求められた: {said}"),
    "failing": (
        "run `{call}` before you finish, it failed for the user in {count} sessions{said}",
        "終える前に `{call}` を実行する。利用者が実行して{count}セッションで失敗した{said}",
    ),
    "failing_said": (": “{said}”", "：「{said}」"),
    "rule_by_model": ('{text} (a model read this in: "{quote}")', "{text}（モデルが次の発言から読み取った：「{quote}」）"),
    "by_model": ("made by a model from {source}", "モデルが作成（{source}）"),
    "usual_commands": ("usual commands here: {commands}", "ここでよく使うコマンド: {commands}"),
    "problem_instead": ("`{call}` fails here ({count} sessions): use `{remedy}`", "`{call}` はここでは失敗する（{count}セッション）: `{remedy}` を使う"),
    "problem_first": (
        "`{call}` can fail here ({count} sessions): run `{remedy}` first",
        "`{call}` はここでは失敗することがある（{count}セッション）: 先に `{remedy}`",
    ),
    "problem_refused": ("`{call}` does not work here", "`{call}` はここでは使えない"),
    "problem_refused_as": ("`{call}` does not work here: use `{remedy}`", "`{call}` はここでは使えない: `{remedy}` を使う"),
    "problem_last": ("`{call}` failed when it was last run here", "`{call}` は前回ここで失敗した"),
    "problem_set_up": ("`{call}` was not found here when it was last run", "`{call}` は前回ここで見つからなかった"),
    "problem_set_up_as": (
        "`{call}` failed here when it was last run by its name alone; it ran as `{remedy}`",
        "`{call}` は前回ここで名前だけでは失敗した。`{remedy}` では動いた",
    ),
    "problem_started": ("`{call}` ran here as `{remedy}`", "`{call}` はここでは `{remedy}` で動いた"),
    "problem_error": (" (error: {error})", "（エラー: {error}）"),
    "learned_instead": ("Use `{remedy}`: `{call}` fails here", "`{remedy}` を使う: `{call}` はここでは失敗する"),
    "learned_first": ("Run `{remedy}` before `{call}`, which fails here without it", "`{call}` の前に `{remedy}` を実行する: なしでは失敗する"),
    "learned_error": ("`{call}` ends in: {said}", "`{call}` のエラー: {said}"),
    "learned_failed": ("Failed in {count} sessions, first on {days}.", "{count}セッションで失敗（最初は {days}）。"),
    "learned_asked": ("Asked for in {count} sessions, first on {days}.", "{count}セッションで求められた（最初は {days}）。"),
    "learned_stated": ("Stated by a person on {day}.", "{day} に利用者が述べた。"),
    "announced": (
        "memorybank learned: {what}{more}. It is a note that you can edit: {path}. To reject it: memorybank know reject {memory}."
        ' To get no such notes: "learned_notes": false in {config}.',
        "memorybank が学んだこと：{what}{more}。編集できるノートです：{path}。却下するには：memorybank know reject {memory}。"
        '今後このノートを作らせないには：{config} に "learned_notes": false。',
    ),
    "announced_more": (" (and {count} more)", "（ほか{count}件）"),
    "since_earlier": ("since an earlier day: {text}", "前日までの続き: {text}"),
    "goes_on": ("it went on the next day", "翌日に続いた"),
}


def language_of(text: str) -> str:
    """Return in which of the two languages phrases stand around what a person wrote: Japanese around Japanese, else English."""
    if text.isascii() or not (has_kana(text) or _ONLY_CHINESE.isdisjoint(text)):
        return ENGLISH
    japanese = sum("\u3041" <= sign <= "\u9fff" for sign in text)
    letters = sum(map(str.isalpha, text))
    return JAPANESE if letters and japanese >= letters * _SHARE else ENGLISH


def phrase(name: str, language: str, **values: object) -> str:
    """Return a phrase with its values filled in."""
    return _PHRASES[name][language == JAPANESE].format(**values)


def about(count: int) -> str:
    """Return a count for display, rounded so that the text around it changes rarely."""
    return str(count) if count < _EXACTLY else f"{count // _EXACTLY * _EXACTLY}+"
