"""Failures with their fixes, and chores with the ways in which people want them done, for generated histories.

Texts are in English and Japanese next to each other. `{…}` are filled when a project is built or a session is played.
"""

from dataclasses import dataclass

EDIT, RUN = "edit", "run"

FAILURES = (
    (
        "AssertionError: golden {code} differs ({n} rows, {m} expected)",
        "検証エラー: 見本 {code} と結果が違います ({n} 行, 期待 {m} 行)",
        EDIT,
        "tests/golden/{other}.json",
    ),
    (
        "sqlite3.OperationalError: no such column: {code}.{ident}",
        "データベースエラー: 列 {code}.{ident} がありません (接続 {n})",
        RUN,
        "python -m tools.migrate {other}",
    ),
    (
        "TypeError: cannot read properties of undefined (reading '{ident}') at {code}",
        "型エラー: {code} の {ident} を読み取れません",
        EDIT,
        "web/stubs/{other}.ts",
    ),
    ("KeyError: '{ident}' in settings section {code}", "設定エラー: 区分 {code} に {ident} が見つかりません", EDIT, "config/sections/{other}.toml"),
    ("error: schema {code} is version {n}, reader wants {m}", "エラー: {code} の定義は版 {n} ですが読み手は版 {m} を求めます", RUN, "make schema-{other}"),
    (
        "ConnectionRefusedError: {code} at 127.0.0.1:{p} refused the connection",
        "接続エラー: {code} (127.0.0.1:{p}) に拒否されました",
        RUN,
        "bin/up {other}",
    ),
    (
        "ImportError: cannot import name '{ident}' from generated module {code}",
        "読み込みエラー: 生成物 {code} に {ident} がありません",
        RUN,
        "npm run codegen:{other}",
    ),
    ("fatal: stale lock {code}.lock held by process {p}", "エラー: 古いロック {code}.lock が残っています (プロセス {p})", RUN, "bin/unlock {other}"),
    (
        "TimeoutError: fixture {code} not ready after {n} seconds",
        "時間切れエラー: 準備データ {code} が {n} 秒待っても整いません",
        EDIT,
        "tests/support/{other}.py",
    ),
    ("ValueError: unknown locale key {code}.{ident}", "翻訳エラー: 文言キー {code}.{ident} がありません", EDIT, "locales/base/{other}.json"),
    ("error: checksum of {code} is {h}, manifest says {g}", "エラー: {code} の検査値 {h} が目録の {g} と一致しません", RUN, "scripts/remanifest_{other}.sh"),
    ("PermissionError: role {code} may not read {ident}", "権限エラー: 役割 {code} は {ident} を参照できません", EDIT, "policies/{other}.yaml"),
    (
        "RuntimeError: event loop of {code} closed with {n} tasks pending",
        "実行時エラー: {code} の処理が {n} 件残ったまま閉じられました",
        EDIT,
        "app/runtime/{other}.py",
    ),
    ("error: snapshot {code} obsolete, {n} entries removed", "エラー: 断面 {code} が古く、{n} 件が失われました", RUN, "bin/resnap {other}"),
    ("UnicodeDecodeError: {code} has an invalid byte at position {p}", "文字エラー: {code} の位置 {p} に不正なバイトがあります", EDIT, "app/codecs/{other}.py"),
    ("error: feature flag {code} missing in environment {ident}", "エラー: 環境 {ident} に機能フラグ {code} がありません", EDIT, "deploy/flags/{other}.yaml"),
    ("MigrationError: {code} has {n} unapplied steps", "移行エラー: {code} に未適用の手順が {n} 件あります", RUN, "bin/migrate {other}"),
    ("error: port {p} already in use by {code}", "エラー: ポート {p} は {code} が使用中です", RUN, "bin/free-port {other}"),
    ("ZeroDivisionError: rate of {code} is 0 for {ident}", "計算エラー: {code} の {ident} の率が零です", EDIT, "data/rates/{other}.csv"),
    ("error: template {code} uses unknown slot {ident}", "エラー: 雛形 {code} に未知の差し込み {ident} があります", EDIT, "templates/partials/{other}.html"),
)
"""(error in English, in Japanese, kind of fix, what fixes it). Numbers `{n} {m} {p}` and hashes `{h} {g}` differ each time.
`{code}`, `{ident}` and `{other}` are fixed for one failure, and `{other}` says nothing about `{code}`."""


@dataclass(frozen=True)
class Chore:
    """A recurring piece of work and the way a person wants it done.

    asked: what people say to start it (English, Japanese); usual: the commands of an agent that was not told; wanted: those of one that
    was; later: those after the habit changed again (`--drift`); told: how the wish is said (English, Japanese), and again after the change.
    folder: not asked for, but due whenever a file below it was changed.
    """

    name: str
    asked: tuple[tuple[str, ...], tuple[str, ...]]
    usual: tuple[str, ...]
    wanted: tuple[str, ...]
    told: tuple[tuple[str, ...], tuple[str, ...]]
    later: tuple[str, ...]
    told_later: tuple[str, str]
    folder: str = ""


CHORES = (
    Chore(
        "wheel",
        (
            ("Build the package for the release.", "We need a fresh wheel for tomorrow.", "Put together the distribution, please."),
            ("公開用のパッケージを作ってください。", "明日の配布物を用意して。"),
        ),
        ("make wheel",),
        ("make clean", "make wheel"),
        (
            ("Always run make clean before make wheel.", "no, use `make clean` first, then the wheel. Always."),
            ("make wheel の前には必ず make clean を実行してください。",),
        ),
        ("make distclean", "make wheel"),
        ("From now on make distclean before make wheel, make clean is not enough.", "今後は make clean ではなく make distclean を使ってください。"),
    ),
    Chore(
        "library",
        (
            ("Add {lib} to the project.", "We want to use {lib}, bring it in.", "Please take {lib} as a dependency."),
            ("{lib} を依存に追加してください。", "{lib} を使えるようにして。"),
        ),
        ("pip install {lib}",),
        ("uv add {lib}",),
        (("No, use uv instead of pip here.", "Please remember: uv, never pip."), ("pip ではなく uv を使ってください。いつも。",)),
        ("pixi add {lib}",),
        ("We moved to pixi, always add libraries with it instead of uv.", "uv はやめました。これからはいつも pixi にしてください。"),
    ),
    Chore(
        "database",
        (
            ("Bring the database up to date.", "Apply the pending schema changes.", "The tables are behind, upgrade them."),
            ("データベースを最新にしてください。", "保留中の表の変更を適用して。"),
        ),
        ("alembic upgrade head",),
        ("bin/backup-db", "alembic upgrade head"),
        (("Always make a backup with bin/backup-db before you touch the database.",), ("データベースに触る前に必ず bin/backup-db で控えを取ること。",)),
        ("bin/dump-all", "alembic upgrade head"),
        ("bin/backup-db is broken; from now on always use bin/dump-all.", "bin/backup-db は使えません。今後は必ず bin/dump-all にして。"),
    ),
    Chore(
        "staging",
        (
            ("Put this on staging.", "Roll the branch out to the test environment.", "Ship it to staging so that others can look."),
            ("検証環境に出してください。", "ステージングへ反映して。"),
        ),
        ("bin/deploy staging",),
        ("bin/freeze-check", "bin/deploy staging"),
        (("Never deploy without asking bin/freeze-check first. Remember that.",), ("反映の前に必ず bin/freeze-check で凍結期間を確かめてください。",)),
        ("bin/window --now", "bin/deploy staging"),
        ("Instead of bin/freeze-check always ask bin/window --now.", "凍結の確認は bin/freeze-check ではなく bin/window --now にして。"),
    ),
    Chore(
        "style",
        (
            ("Tidy up the formatting.", "The linter complains about style, fix that.", "Clean up the code layout."),
            ("書式を整えてください。", "見た目の指摘を直して。"),
        ),
        ("black app",),
        ("ruff format app",),
        (("no, not black: always ruff format.",), ("black ではなく ruff format を使ってください。",)),
        ("bin/fmt app",),
        ("There is bin/fmt now, always use that instead of ruff format.", "これからはいつも bin/fmt を使ってください。"),
    ),
    Chore(
        "seed",
        (
            ("Fill the local database with sample data.", "I need demo records to click around.", "Set up example customers locally."),
            ("手元に見本データを入れてください。", "画面で試すためのデータが欲しい。"),
        ),
        ("python -m tools.seed --all",),
        ("bin/reset-local", "python -m tools.seed --all"),
        (("Remember: bin/reset-local before seeding, otherwise ids clash.",), ("見本データの前には bin/reset-local を実行すると覚えておいて。",)),
        ("bin/reset-local --hard", "bin/seed-demo"),
        ("We always seed with bin/seed-demo now.", "見本データは今後いつも bin/seed-demo で入れて。"),
    ),
    Chore(
        "push",
        (
            ("Rewrite the branch and push it.", "Squash this and update the pull request.", "Push the amended commits."),
            ("ブランチを書き直して送ってください。", "コミットをまとめて更新して。"),
        ),
        ("git push --force",),
        ("git push --force-with-lease",),
        (("Never force push like that, always with lease.",), ("強制 push はだめです。いつも --force-with-lease にして。",)),
        ("bin/safe-push",),
        ("Use bin/safe-push instead of pushing by hand, always.", "push はいつも bin/safe-push を使ってください。"),
    ),
    Chore(
        "mainline",
        (
            ("Get the newest changes from the mainline.", "Update this branch with what the others did.", "Catch up with main."),
            ("本流の変更を取り込んでください。", "ブランチを最新に追いつかせて。"),
        ),
        ("git merge main",),
        ("git fetch origin", "git rebase origin/main"),
        (("no merges please: always fetch and rebase.",), ("マージではなく、いつもリベースでお願いします。",)),
        ("git fetch origin", "git merge --ff-only origin/main"),
        ("We stopped rebasing; always fast-forward only.", "リベースはやめて、いつも早送りだけにしてください。"),
    ),
    Chore(
        "image",
        (
            ("Build the container.", "We need a new image for the cluster.", "Make the docker build work again."),
            ("コンテナを作ってください。", "クラスタ用の新しいイメージが必要です。"),
        ),
        ("docker build -t shop .",),
        ("bin/image --platform amd64",),
        (("Use bin/image instead of docker build, it sets the platform. Always.",), ("docker build ではなく bin/image を使って。",)),
        ("bin/image --platform arm64 --sbom",),
        ("The cluster is arm now and wants an sbom: always bin/image --sbom.", "今後のイメージは必ず arm64 と sbom 付きで。"),
    ),
    Chore(
        "profile",
        (
            ("Find out where the time goes.", "It is slow, profile it.", "Measure what costs so much."),
            ("どこで時間を使っているか調べて。", "遅い原因を計測してください。"),
        ),
        ("python -m cProfile app/cli.py",),
        ("py-spy record -o profile.svg app/cli.py",),
        (("Always py-spy, cProfile distorts everything.",), ("計測は cProfile ではなく py-spy を使うこと。",)),
        ("perf record app/cli.py",),
        ("py-spy cannot see the new threads, always use perf.", "py-spy ではなく、これからは perf にして。"),
    ),
    Chore(
        "pages",
        (("Publish the documentation.", "Rebuild the manual.", "Refresh the handbook pages."), ("説明書を公開してください。", "手引きを作り直して。")),
        ("mkdocs build",),
        ("bin/linkcheck docs", "mkdocs build"),
        (("Please always run bin/linkcheck before building the pages.",), ("ページを作る前に必ず bin/linkcheck を通してください。",)),
        ("bin/linkcheck docs", "zensical build"),
        ("mkdocs is gone, always zensical.", "mkdocs は廃止です。いつも zensical を使って。"),
    ),
    Chore(
        "release",
        (("Tag the release.", "Cut a new version.", "Prepare version {n}."), ("版を切ってください。", "新しい版の札を付けて。")),
        ("git tag v{n}",),
        ("bin/bump minor", "git tag -s v{n}"),
        (("Tags must be signed, and bin/bump sets the number. Always.",), ("札には必ず署名し、番号は bin/bump で上げてください。",)),
        ("bin/release minor",),
        ("There is bin/release now; always use it, no tags by hand.", "札を手で付けず、いつも bin/release を使って。"),
    ),
    Chore(
        "locales",
        ((), ()),
        (),
        ("npm run i18n:check",),
        (("When you change something below locales/base, always run npm run i18n:check.",), ("locales/base を変えたら必ず npm run i18n:check を実行して。",)),
        ("bin/i18n-verify",),
        ("npm run i18n:check is gone, always bin/i18n-verify after locales.", "locales の後は npm ではなく bin/i18n-verify にして。"),
        "locales/base/",
    ),
    Chore(
        "schemas",
        ((), ()),
        (),
        ("buf lint schemas/proto",),
        (
            ("Always lint the proto schemas with buf after changing one.", "no, the schema must pass `buf lint schemas/proto` first."),
            ("proto の定義を変えたらいつも buf lint schemas/proto を通してください。",),
        ),
        ("bin/contract-test",),
        ("Schemas are proven by bin/contract-test now, always run that instead of buf.", "定義の検査は buf ではなく bin/contract-test にして。"),
        "schemas/proto/",
    ),
    Chore(
        "charts",
        ((), ()),
        (),
        ("helm lint deploy",),
        (("Whenever one of the deploy/flags changes: helm lint deploy. Always.",), ("deploy/flags を変えたら必ず helm lint deploy を。",)),
        ("kubeconform deploy",),
        ("helm lint misses things, from now on always kubeconform deploy.", "deploy の検査はこれから kubeconform にしてください。"),
        "deploy/flags/",
    ),
    Chore(
        "migrations",
        ((), ()),
        (),
        ("bin/check-migrations",),
        (("Remember to run bin/check-migrations after every new migration.",), ("移行を足したら bin/check-migrations を忘れず覚えておいて。",)),
        ("squawk db/migrate",),
        ("We use squawk for migrations now, always.", "移行の検査はいつも squawk を使ってください。"),
        "db/migrate/",
    ),
)
LIBRARIES = ("httpx", "orjson", "pydantic", "structlog", "tenacity", "anyio", "polars", "rich", "pillow", "lxml", "attrs", "boltons")
