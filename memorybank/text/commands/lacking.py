"""What an error says that the machine or the account lacks: a program, an identity, a login, a permission, a module, a platform.

Such a call fails again until somebody provides it, whatever the code at hand is.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_PROGRAM = lazy_pattern(
    r"(?<![\w.+-])(?P<before>[\w.+-]{1,40}): (?:command not found(?!:)|コマンドが見つかりません|not found$)|command not found: (?P<after>[\w.+-]{1,40})$"
    r"|exec: [\"'](?P<exec>[\w.+-]{1,40})[\"']: executable file not found|env: [‘'\"]?(?P<env>[\w.+-]{1,40})[’'\"]?: No such file or directory"
    r"|spawn (?P<spawn>[\w.+-]{1,40}) ENOENT|'(?P<cmd>[\w.+-]{1,40})' (?:is not recognized as an internal|は、内部コマンド)"
)
_MODULE = lazy_pattern(
    r"\bNo module named ['\"]?(?P<python>\w[\w.]{0,80})|\bCannot find (?:module|package) ['\"](?P<node>@?[A-Za-z][\w./-]{0,80})['\"]"
    r"|\bcannot load such file -- (?P<ruby>\w[\w-]{0,80})$"
)
_ACCOUNT = lazy_pattern(
    r"\bAuthor identity unknown|\bPlease tell me who you are\b|\bempty ident name\b|\bunable to auto-detect email address"
    r"|\bnot (?:currently )?(?:logged|signed) in(?:to)?\b|\bmust be (?:logged|signed) in\b|\b(?:you need|need you) to (?:log|sign) in\b"
    r"|\bgh auth login\b|\bENEEDAUTH\b"
    r"|\bauthentication (?:failed|required)\b|\bnot authenticated\b|\bcould not read (?:Username|Password) for\b|Permission denied \(publickey"
    r"|\bHost key verification failed|\bunable to locate credentials\b"
    r"|\bcould not (?:find|load) (?:the )?(?:default )?credentials\b|\bno (?:valid )?credentials\b|\bcredentials (?:were )?not found\b"
    r"|(?:ログイン|サインイン|認証)(?:が必要|に失敗|して(?:ください|いません))|資格情報が(?:見つかりません|ありません)",
    "i",
)
_RIGHTS = lazy_pattern(
    r"\bsudo: (?:a password is required|a terminal is required|no tty)|\bEACCES\b|\bpermission denied(?!: *$)"
    r"|\boperation not permitted\b|\bmust be (?:run as )?root\b|\baccess is denied\b|許可がありません|アクセスが拒否されました|管理者権限が必要",
    "i",
)
_PLATFORM = lazy_pattern(
    r"\bEBADPLATFORM\b|\bunsupported (?:platform|host|architecture|operating system|os)\b"
    r"|\bnot supported on this (?:platform|host|system|machine|os|architecture)\b"
    r"|\bexec format error\b|\bcannot execute binary file\b|\bGLIBC_[\d.]{1,9}['’]? not found|サポートされていない(?:プラットフォーム|OS|環境)",
    "i",
)


def program_in(line: str) -> str:
    """Return the program that a line of an error says is not installed, "" for none."""
    found = _PROGRAM.search(line)
    return next(filter(None, found.groups())) if found is not None else ""


def module_in(line: str) -> str:
    """Return the package that a line of an error says is not installed, "" for none."""
    found = _MODULE.search(line)
    return next(filter(None, found.groups())) if found is not None else ""


def is_about_machine(line: str) -> bool:
    """Return whether a line of an error says that an identity, a login, a permission or the platform is missing."""
    return any(pattern.search(line) is not None for pattern in (_ACCOUNT, _RIGHTS, _PLATFORM))


def without_shell(line: str) -> str:
    """Return a line without the shell that printed it: `jq: command not found` for `/bin/bash: line 1: jq: command not found`."""
    found = _PROGRAM.search(line)
    return line[found.start() :] if found is not None and found["before"] else line
