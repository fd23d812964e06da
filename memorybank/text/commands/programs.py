"""Tables of facts about command line programs that fingerprints need: wrappers, viewers, sub-commands, and where arguments are files.

A program that is in no table has one sub-command (`tool verb thing` is `tool verb _`), and its arguments are files if they look like
files.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands.shell import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

KEYWORDS = frozenset(str.split("if then elif else fi while until do done ! { } time coproc"))
PREPARATION = frozenset(
    str.split("cd pushd popd export unset set source . alias trap ulimit umask shopt wait sleep local readonly declare fg bg jobs exit return : true")
)
VIEWERS = frozenset(
    str.split("""tail head grep egrep fgrep rg ag ack less more cat bat sort uniq wc cut awk gawk sed tr tee column jq yq nl fold fmt od xxd hexdump strings
    echo printf true false test [ [[ ls eza exa tree pwd stat file du df find fd which type whereis date basename dirname realpath readlink seq yes ps
    whoami id hostname uname env printenv locale nproc free uptime top history man clear diff cmp comm md5sum sha1sum sha256sum""")
)
"""Programs that show, filter or format. If a command contains anything else, its exit status is that of the other part."""
ASIDES = frozenset(str.split("echo printf test [ [[ false"))
"""Programs that only show something. They give a command its name only if it runs nothing else."""
EDITORS = frozenset(("sed", "perl", "gawk", "awk"))
"""Viewers (and perl) that edit a file with `-i`."""
COPIERS = frozenset(str.split("cp ln install rsync scp"))
"""Programs that write to the last file or folder that they are given."""
MINOR: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("mkdir", "rmdir", "touch"), ("folder", "director", "new file", "フォルダ", "ディレクトリ", "新しいファイル")),
    **dict.fromkeys(("cp", "ln", "mv"), ("copy", "copie", "link", "move", "moving", "renam", "コピー", "複製", "リンク", "移動", "改名", "リネーム")),
    **dict.fromkeys(("kill", "pkill", "killall", "sleep"), ("stop", "kill", "running", "wait", "sleep", "止め", "停止", "終了", "落と", "待")),
    **dict.fromkeys(("rm", "chmod"), ("delet", "remov", "permission", "writable", "executable", "削除", "消", "権限", "パーミッション")),
}
"""Programs with minor effects, and what people say of these. A command that does anything else was not run for their sake, nor is what was said after it."""
CHANGERS = frozenset(str.split("write mv rm rmdir unlink touch truncate mkdir chmod chown patch tee black isort rustfmt"))
"""Programs that change all files that they are given. `write` stands for a redirection in a fingerprint."""
CHANGING: dict[str, frozenset[str]] = {
    "git": frozenset(str.split("rm mv restore checkout")),
    **dict.fromkeys(
        str.split("prettier eslint biome stylelint rubocop gofmt goimports shfmt clang-format ruff"), frozenset(str.split("--write --fix -w -i -a -A format"))
    ),
}
"""Programs that change files with one of these sub-commands or options."""
SCRIPTS = {"manage.py": "manage.py", "artisan": "artisan", "gradlew": "gradle", "mvnw": "mvn"}
"""Files of a project that are programs with sub-commands, and the names by which people call them."""
TRUSTED_STATUS_PROGRAMS = frozenset(
    str.split("""git go cargo make npm pnpm yarn bun node deno python pytest pip uv ruff mypy black tsc eslint prettier biome jest vitest mix elixir docker
    podman kubectl helm terraform gradle mvn dotnet swift flutter bundle rake rspec cmake ninja bazel golangci-lint gcc g++ clang javac rustc""")
)
"""Programs whose exit status is trusted, whatever they print."""
DISPLAY_FLAGS = frozenset(str.split("-q -v -vv -vvv --quiet --verbose --silent --color --colour --no-color --no-colour --no-pager --no-progress --progress"))
"""Flags that change what is shown, not what is done."""

ASKS_FOR_HELP = frozenset(("--help", "-h", "--version", "-V"))
"""Options with which a program does nothing else."""
FLAGS_WITH_VALUE = frozenset(
    str.split("""-k -m -p -o -e -t -g -W --seed --reporter --timeout --config --maxfail --tb --durations --deselect --ignore --select --testNamePattern
    --grep --only --include --exclude --name --format --message --title --body""")
)
"""Flags of checkers and of git whose value is usually the next word, which is then not a checked file."""
PATTERN_FLAGS = frozenset(str.split("-e -f --regexp --file --expression"))
"""Flags after which the first plain argument of `grep` or `sed` is a file rather than a pattern."""
_WRAPPERS = frozenset(str.split("sudo doas env nohup nice timeout gtimeout stdbuf command builtin exec xargs setsid ionice chronic unbuffer time caffeinate"))
_RUNNERS: dict[str, Collection[str]] = {
    **dict.fromkeys(("uvx", "npx", "bunx", "pnpx", "dotenv"), ()),
    **dict.fromkeys(("pipx", "poetry", "pdm", "hatch", "rye", "pipenv"), ("run",)),
    **dict.fromkeys(("npm", "bundle", "direnv"), ("exec",)),
    **dict.fromkeys(("pnpm", "yarn"), ("exec", "dlx")),
    "uv": ("run", "tool"),
    "mise": ("exec", "x"),
}
"""Program → the sub-commands with which it runs another program; () means always."""
_WRAPPER_FLAGS_WITH_VALUE = frozenset(
    str.split("""-u --user -n --adjustment -s --signal -k --kill-after -o -e -i -I -L -P -c --class --with --python -p --extra --group --directory --project
    --package --from --cwd -w --filter -C""")
)
"""Flags of wrappers and runners whose value is the next word."""
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "fish"))
BEFORE_SUBCOMMAND: dict[str, frozenset[str]] = {
    "git": frozenset(str.split("-C -c --git-dir --work-tree --namespace")),
    "docker": frozenset(str.split("--context -H --host -f -p --project-name --profile --env-file")),
    "podman": frozenset(str.split("--connection --url")),
    "kubectl": frozenset(str.split("-n --namespace --context --kubeconfig --cluster --user")),
    "helm": frozenset(str.split("-n --namespace --kube-context")),
    "npm": frozenset(str.split("--prefix -w --workspace -C")),
    "pnpm": frozenset(str.split("--filter -F -C --dir")),
    "yarn": frozenset(("--cwd",)),
    "make": frozenset(str.split("-C -f -I")),
    "gh": frozenset(("-R", "--repo")),
    "aws": frozenset(str.split("--profile --region --output --endpoint-url")),
    "gcloud": frozenset(str.split("--project --region --zone --account")),
    "uv": frozenset(str.split("--directory --project --python -p")),
    "poetry": frozenset(str.split("-C --directory -P --project")),
    "cargo": frozenset(("--manifest-path", "-C")),
    "go": frozenset(("-C",)),
    "gradle": frozenset(("-p", "-b", "-c")),
    "mvn": frozenset(("-f", "-pl", "-s")),
    "terraform": frozenset(),
    "tofu": frozenset(),
    "systemctl": frozenset(("-H", "-M", "--host")),
    "brew": frozenset(),
}
"""Programs whose options may stand before the sub-command, and those of them whose value is the next word."""
GLUED_PASSWORD_PROGRAMS = frozenset(
    str.split("mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump sshpass psql curl wget smbclient ldapsearch 7z zip unzip rar openssl")
)
"""Programs for which a value glued to a short flag is probably a password (`mysql -pVALUE`)."""
TARGET_PROGRAMS = frozenset(str.split("make gmake just rake ninja gradle gradlew mvn mvnw ant invoke task"))
"""Programs whose plain words are all targets that say what to do (`make clean test`)."""
_MOST_TARGETS = 9
_LEVELS = {"gh": 2, "aws": 2, "az": 2, "gcloud": 3, "kubectl": 2, "helm": 2}
_TWO_SUBCOMMANDS: dict[str, frozenset[str]] = {
    "git": frozenset(str.split("stash worktree remote submodule bisect notes sparse-checkout reflog lfs")),
    "docker": frozenset(str.split("compose container image volume network buildx system context")),
    "podman": frozenset(str.split("compose container image volume network system pod")),
    "npm": frozenset(("run", "run-script")),
    "pnpm": frozenset(("run",)),
    "yarn": frozenset(("run", "workspace")),
    "bun": frozenset(("run", "pm")),
    "deno": frozenset(("task",)),
    "uv": frozenset(("pip", "tool", "python", "cache")),
    "go": frozenset(("mod", "tool", "work")),
    "cargo": frozenset(("nextest",)),
    "composer": frozenset(("run", "run-script")),
    "mise": frozenset(("run", "r", "tasks")),
    **dict.fromkeys(("turbo", "nx", "lerna", "moon"), frozenset(("run",))),
    "dotnet": frozenset(("tool", "nuget", "ef")),
    "claude": frozenset(("mcp", "plugin")),
}
_PATHS = frozenset(
    str.split("""cp mv rm mkdir rmdir touch chmod chown chgrp ln install cat ls tree stat file du diff patch head tail sort uniq wc tar zip unzip gzip gunzip
    rsync vim nano code open python node ruby perl php tsc tsx ts-node eslint prettier stylelint black isort flake8 pylint pyright mypy pytest jest mocha
    unittest compileall py_compile venv virtualenv shellcheck shfmt yamllint rspec rubocop phpunit gofmt goimports rustfmt nl less more bat readlink realpath
    find fd source elixir""")
)
"""Programs without sub-commands whose plain arguments are files or folders."""
_NO_SUBCOMMAND = _PATHS | frozenset(
    str.split("""df scp ssh curl wget ping kill pkill killall which type echo printf test [ grep egrep fgrep rg sed awk cut tr tee jq xxd java javac gcc g++
    clang clang++ cc rustc esbuild py.test coverage doctest psql mysql sqlite3 redis-cli hadolint markdownlint nosetests tox nox http.server json.tool timeit
    cProfile swiftc ghc runghc iex lua make.sh entr watch""")
)
GREPS = frozenset(str.split("grep egrep fgrep rg ag ack"))
"""Programs that select lines by a pattern."""
PATTERN_PROGRAMS = GREPS | frozenset(str.split("sed awk gawk jq yq perl"))
"""Programs whose first plain argument is a pattern or a script, and whose other arguments are files (`sed s/a/b/ file`)."""
_PATH_SUBCOMMANDS = frozenset(
    ("git add", "git rm", "git mv", "git restore", "git blame", "ruff check", "ruff format", "git check-ignore", "mix test", "mix format", "go vet",
     "biome check", "biome format", "vitest run", "playwright test", "cargo fmt", "deno fmt", "deno lint", "deno test", "terraform fmt")
)  # fmt: skip
REF_PROGRAMS = frozenset(str.split("git gh docker podman kubectl helm curl wget ssh echo"))
"""Programs whose arguments with a slash are usually branches or images."""
_PACKAGERS = frozenset(str.split("npm pnpm yarn bun pip uv poetry pdm cargo go brew apt apt-get gem bundle composer conda mamba nix"))
_PACKAGING = frozenset(str.split("install i add remove uninstall rm update upgrade get download create init link info view show why search outdated pip tool"))
"""Package managers, and their sub-commands whose arguments are packages (`highlight.js` is one) rather than files."""
_LOOKING: dict[str, frozenset[str]] = {
    "git": frozenset(
        str.split("""status log diff show blame shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file grep reflog name-rev for-each-ref
        merge-base whatchanged check-ignore count-objects var help version""")
    ),
    "gh": frozenset(str.split("view list status diff checks")),
    "docker": frozenset(str.split("ps images logs inspect version info top stats port")),
    "podman": frozenset(str.split("ps images logs inspect version info")),
    "kubectl": frozenset(str.split("get describe logs top explain version api-resources cluster-info")),
    "npm": frozenset(str.split("ls list view outdated root prefix whoami search")),
    "pip": frozenset(str.split("list show freeze check index")),
    "cargo": frozenset(str.split("tree metadata search")),
    "go": frozenset(str.split("list env version doc")),
    "brew": frozenset(str.split("list info search")),
    "systemctl": frozenset(str.split("status is-active list-units")),
}
_LISTING: dict[str, frozenset[str]] = {
    "branch": frozenset(str.split("-d -D -m -M -c -C -f -u --delete --move --copy --set-upstream-to --unset-upstream --edit-description")),
    "tag": frozenset(str.split("-d -a -s -f -m --delete --sign --annotate")),
}
"""Sub-commands of git that only list, unless one of these flags is present."""


def name(word: str) -> str:
    """Return the program's name: the file name of an installed program (`.venv/bin/pytest`), the path of one that belongs to the repository."""
    if any(sign in word for sign in " \t\r\n"):
        return "_"
    if UNKNOWN in word:
        return word.rpartition("/")[2].replace(UNKNOWN, "_") or "_"
    if "/" in word and (word.startswith(("/", "~")) or "bin/" in word):
        word = word.rpartition("/")[2]
    if word.startswith(("python", "pypy", "pip")) and not word.strip("abcdefghijklmnopqrstuvwxyz0123456789."):
        word = word.rstrip("0123456789.")
    return {"py.test": "pytest", "nodejs": "node"}.get(word, word)


def without_shell_keywords(words: list[str]) -> list[str]:
    """Return a copy of `words` without leading keywords (`if`, `then`, `do`, `{` …) and assignments; [] for `for x in …`."""
    start = 0
    while start < len(words) and words[start] in KEYWORDS:
        start += 1
    if words[start : start + 1] in (["for"], ["case"], ["select"], ["function"]):
        return []
    while start < len(words) and is_assignment(words[start]):
        start += 1
    return words[start:]


def with_variables(words: list[str]) -> tuple[list[str], list[str]]:
    """Return (assignments in front of a command, or that `env` makes for it; the words of the command without them), both without keywords."""
    rest = without_shell_keywords(words)
    found = [word for word in words[: len(words) - len(rest)] if is_assignment(word)]
    end = 1
    while rest[:1] == ["env"] and end < len(rest) and is_assignment(rest[end]):
        end += 1
    return (found + rest[1:end], rest[end:]) if 1 < end < len(rest) else (found, rest)


def is_assignment(word: str) -> bool:
    """Return whether a word sets a variable (`CI=1`)."""
    variable, equals, _ = word.partition("=")
    return bool(equals) and variable.rstrip("+").isidentifier()


def run_by(words: list[str]) -> tuple[list[str], list[str]]:
    """Return (words of the runner, words of the program that it runs): (["uv", "run"], ["pytest", "-q"]). Wrappers such as `timeout 60` are left out."""
    runner: list[str] = []
    while words and 0 < (start := _start_of_inner(name(words[0]), words)) < len(words):
        runner += words[:start] if name(words[0]) not in _WRAPPERS else []
        words = words[start:]
    return runner, words


def unwrapped(words: list[str]) -> list[str]:
    """Return the words of the program that does the work, without `sudo`, `timeout 60`, `uv run`, `npx`, `python -m`, and a shell that runs a file."""
    while words:
        program = name(words[0])
        if program == "docker-compose":
            return ["docker", "compose", *words[1:]]
        start = _start_of_inner(program, words)
        if not start:
            return words
        if start >= len(words):
            return words if program not in _WRAPPERS else words[:1] if program == "env" else []
        words = words[start:]
    return words


def _start_of_inner(program: str, words: list[str]) -> int:
    """Return the index of the program that `program` runs; 0 when it runs none."""
    if program in _WRAPPERS:
        start = _after_flags(words, 1) + (program in ("timeout", "gtimeout"))
        while program == "env" and start < len(words) and "=" in words[start]:
            start += 1
        return start
    if program in _RUNNERS:
        return _start_after_runner(program, words)
    if program in ("python", "pypy") and "-m" in words[1:4] and not any(word.endswith(".py") for word in words[1 : words.index("-m")]):
        return words.index("-m") + 1
    return 1 if program in _SHELLS and len(words) > 1 and not words[1].startswith("-") else 0


def _start_after_runner(program: str, words: list[str]) -> int:
    start = _after_flags(words, 1)
    subcommands = _RUNNERS[program]
    if not subcommands:
        return start
    if start >= len(words) or words[start] not in subcommands:
        return 0
    start = _after_flags(words, start + 1)
    if program == "uv" and start < len(words):  # `uv tool run`
        if words[start] in ("install", "uninstall", "list", "upgrade", "dir"):
            return 0
        if words[start] == "run":
            start = _after_flags(words, start + 1)
    return start


def _after_flags(words: list[str], start: int) -> int:
    while start < len(words) and words[start].startswith("-"):
        if words[start] == "--":
            return start + 1
        start += 2 if words[start] in _WRAPPER_FLAGS_WITH_VALUE else 1
    return start


def inner_command(words: list[str]) -> str | None:
    """Return the command that `bash -c '…'` (`-lc`) or `eval` runs; None for another program."""
    if name(words[0]) in _SHELLS or words[0] == "eval":
        for index, word in enumerate(words[1:], 1):
            if word.startswith("-") and not word.startswith("--") and "c" in word:
                return words[index + 1] if index + 1 < len(words) else None
        if words[0] == "eval" and len(words) > 1:
            return " ".join(words[1:])
    return None


def takes_value(program: str, found: list[str], flag: str) -> bool:
    """Return whether the value of a flag before the last sub-command is the next word (`git -C folder status`)."""
    return flag in BEFORE_SUBCOMMAND.get(program, ()) and len(found) < max_subcommands(program, found)


def first_subcommand(program: str, words: list[str]) -> int:
    """Return the index of the word that can be the first sub-command: after the options that a known program takes before it (`pnpm -r publish`)."""
    with_value = BEFORE_SUBCOMMAND.get(program)
    at = 1
    while with_value is not None and at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in with_value else 1
    return at if at < len(words) else 1


def max_subcommands(program: str, found: list[str]) -> int:
    """Return the maximum number of sub-commands of a program, given those already found."""
    if program in _NO_SUBCOMMAND or "/" in program or (program.endswith((".py", ".sh", ".js", ".rb")) and program not in SCRIPTS):
        return 0
    if program in TARGET_PROGRAMS:
        return _MOST_TARGETS
    if program in _LEVELS:
        return _LEVELS[program]
    return 2 if found and found[0] in _TWO_SUBCOMMANDS.get(program, ()) else 1


def may_nest(program: str) -> bool:
    """Return whether nothing is known of a program's sub-commands, so that each may have some of its own, with other options (`minsky session get`)."""
    return max_subcommands(program, []) == 1 and program not in _TWO_SUBCOMMANDS and program not in REF_PROGRAMS and program not in _PACKAGERS


def names_paths(program: str, subcommands: list[str]) -> bool:
    """Return whether every plain argument is a file or folder (`rm build`, `pytest tests`)."""
    return program in _PATHS or program in PATTERN_PROGRAMS or (bool(subcommands) and f"{program} {subcommands[0]}" in _PATH_SUBCOMMANDS)


def takes_only_paths(program: str) -> bool:
    """Return whether a program has no sub-commands, and its plain arguments are files or folders (`pytest tests`)."""
    return program in _PATHS


def names_packages(program: str, subcommands: list[str]) -> bool:
    """Return whether the arguments are probably packages."""
    return program in _PACKAGERS and any(word in _PACKAGING for word in subcommands[:2])


def is_read_only_call(program: str, subcommands: list[str], flags: Collection[str], bare: bool) -> bool:
    """Return whether a call changes nothing: `git status`, `--version`, `--help`. bare: whether it has no other arguments."""
    if "--version" in flags or "--help" in flags:
        return True
    looking = _LOOKING.get(program, frozenset())
    if any(word in looking for word in subcommands[:2]):
        return True
    changing = _LISTING.get(subcommands[0]) if program == "git" and subcommands else None
    return changing is not None and (bare or "--list" in flags or "-l" in flags) and not any(flag in changing for flag in flags)
