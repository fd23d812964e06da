"""Programs and customs of which a project uses one at a time, so that a person who asks for one no longer wants the other."""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.about import adds, denies, names

_RIVALS = tuple(
    frozenset(line.split())
    for line in """
    npm pnpm yarn bun
    pip uv poetri pipenv pdm conda
    jest vitest mocha ava
    pytest unittest nose
    tab space タブ スペース
    prettier biom dprint
    eslint tslint oxlint biom
    black yapf autopep8 ruff
    flake8 pylint ruff
    maven mvn gradl bazel
    docker podman
    merg rebas squash
    """.strip().split("\n")
)
"""Each as `about.names` returns it."""
_AROUND = frozenset(
    str.split("""packag manag depend instal add script librari modul test runner suit write indent file code format lint linter style build imag contain
    commit branch pull request python javascript typescript node java switch move new prefer command from
    パッケージ 管理 依存 関係 依存関係 インストール 追加 テスト インデント コード 整形 統一 コンテナ ビルド 切替 切 替 移行 変更 ファイル 字下 動""")
)
"""Names of what such programs and customs are for. With another name a sentence is about something narrower."""


def takes_place(new: str, old: str) -> bool:
    """Return whether two sentences ask for rivals, the first of them later, and for nothing else. Neither forbids anything."""
    if denies(new) or denies(old) or adds(new):
        return False
    mine, theirs = _chosen(new), _chosen(old)
    return bool(mine and theirs) and mine.isdisjoint(theirs) and any(mine | theirs <= rivals for rivals in _RIVALS)


def _chosen(text: str) -> set[str]:
    """Return the names that a sentence has besides those of what rivals are for."""
    return {name for name in names(text) if name not in _AROUND}
