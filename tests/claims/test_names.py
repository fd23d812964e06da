"""Names of code: symbols, environment variables and configuration keys, in notes and in the repository."""

import random
import subprocess

import pytest

from memorybank.claims.config_keys import keys_of
from memorybank.claims.definitions import is_code, is_config, is_own, names_defined
from memorybank.claims.extract import claims_of
from tests.claims.conftest import PlantedRepository
from tests.claims.test_states import states

PLAN = "def parse_plan(text):\n    lines = text.split()\n    return [line.strip() for line in lines]\n"
USE = "from src.plan import parse_plan\n\nprint(parse_plan('x'))\n"


def found(repository, subject: str = "parse_plan") -> tuple[str, str, str]:
    """Return (state, target, subject of the commit) of a claim."""
    claim = next(each for each in repository.bank().claims.list() if each.claim.subject == subject)
    said = repository.git("log", "-1", "--format=%s", claim.found.commit).strip() if claim.found.commit else ""
    return claim.found.state, claim.found.target, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`parse_plan()` reads it.", [("symbol", "parse_plan", "parse_plan")]),
        ("計画は `parse_plan(text)` が読む。", [("symbol", "parse_plan", "parse_plan")]),
        (
            "`UploadClient.retry`、`Client::send_all` を使う",
            [("symbol", "UploadClient.retry", "UploadClient.retry"), ("symbol", "Client::send_all", "Client.send_all")],
        ),
        ("`self.retry_limit` and `this.queue.pushAll()`", [("symbol", "self.retry_limit", "retry_limit"), ("symbol", "this.queue.pushAll", "queue.pushAll")]),
        ("`parse_plan` in `src/plan.py`", [("path", "src/plan.py", ""), ("symbol", "parse_plan", "src/plan.py::parse_plan")]),
        ("`src/plan.py` の `parse_plan()`", [("path", "src/plan.py", ""), ("symbol", "parse_plan", "src/plan.py::parse_plan")]),
        ("`src/plan.py::parse_plan`", [("path", "src/plan.py", ""), ("symbol", "src/plan.py::parse_plan", "src/plan.py::parse_plan")]),
        ("`retry_limit = 3` and `retry_wait: 30`", [("symbol", "retry_limit", "retry_limit"), ("symbol", "retry_wait", "retry_wait")]),
        ("Set `DATABASE_URL`.", [("variable", "DATABASE_URL", "")]),
        ("環境変数 APITOKEN に入れる。", [("variable", "APITOKEN", "")]),
        ("the MAIL_HOST environment variable, process.env.MAIL_PORT, $MAIL_USER", [("variable", name, "") for name in ("MAIL_HOST", "MAIL_PORT", "MAIL_USER")]),
        (
            "`upload.timeout` is 30, `[upload] retry-limit` is 3",
            [("key", "upload.timeout", "upload/timeout"), ("key", "[upload] retry-limit", "upload/retry-limit")],
        ),
        ("`retry()` alone, `retry()` in `src/plan.py`", [("path", "src/plan.py", ""), ("symbol", "retry", "src/plan.py::retry")]),
        ("`retry`, `a`, `some words`, `README.md`, `x = y + z_z`, `--no_color`, `git log`, `100_000`, `__init__`, `node.js`", [("path", "README.md", "")]),
        ("parse_plan, UploadClient.retry and upload.timeout without marks of code", []),
        ("We removed `parse_plan()`. 旧 `parse_plan` は使わない。 For example `parse_plan`.", []),
        ("```python\nparse_plan()\n```", []),
    ],
)
def test_a_span_that_is_one_name_is_a_claim(text, expected):
    assert sorted((claim.kind, claim.subject, claim.place) for claim in claims_of(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("path", "line", "names"),
    [
        ("a.py", "    async def parse_plan(self) -> None:", {"parse_plan"}),
        ("a.py", "class Plan(Value):", {"Plan"}),
        ("a.py", "MOST = os.environ.get('MAIL_HOST', 3)", {"MOST", "MAIL_HOST"}),
        ("a.py", "    retries: int = 3", {"retries"}),
        ("a.py", "    return parse_plan(text)", set()),
        ("a.py", "    # def parse_plan(text):", set()),
        ("a.py", "if retries == 3:", set()),
        ("a.ts", "export const parsePlan = async (text: string) => {", {"parsePlan"}),
        ("a.ts", "  private async sendAll<T>(items: T[]) {", {"sendAll"}),
        ("a.ts", "  sendAll(items: string[]): void {", {"sendAll"}),
        ("a.tsx", "export default function PlanList({ plans }: Props) {", {"PlanList"}),
        ("a.go", "func (c *Client) SendAll(items []Item) error {", {"SendAll"}),
        ("a.rs", "pub(crate) fn send_all(&self) -> Result<()> {", {"send_all"}),
        ("a.rs", "pub struct Plan {", {"Plan"}),
        ("A.java", "    public static List<Plan> parsePlan(String text) {", {"parsePlan"}),
        ("a.c", "static int parse_plan(const char *text)", {"parse_plan"}),
        ("a.c", "#define MOST_PLANS 3", {"MOST_PLANS"}),
        ("a.sql", "CREATE TABLE IF NOT EXISTS plans (", {"plans"}),
        ("a.py", '    f"CREATE VIRTUAL TABLE plan_text USING fts5(x)",', {"plan_text"}),
        ("a.sh", "export MAIL_HOST=x", {"MAIL_HOST"}),
        ("Dockerfile", "ENV MAIL_HOST=x", {"MAIL_HOST"}),
        ("a.toml", "retry-limit = 3", {"retry-limit"}),
        ("a.yml", "  mail_host: ${MAIL_HOST}", {"mail_host", "MAIL_HOST"}),
        ("a.json", '  "timeout": 3,', {"timeout"}),
    ],
)
def test_lines_that_define(path, line, names):
    assert names_defined(line, path) == names


def test_files_that_say_something_about_names():
    assert is_code("src/a.py") and is_code("requirements.txt") and is_code("Makefile") and not is_code("docs/a.md") and not is_code("CHANGELOG")
    assert is_config("a/b.toml") and not is_config("package-lock.json") and not is_config("a.py")
    for path in ("vendor/a.py", "src/a_pb2.py", "web/node_modules/x/a.js", "dist/app.js", "static/app.min.js", "poetry.lock"):
        assert not is_own(path), path
    assert is_own("src/a.py")


@pytest.mark.parametrize(
    ("path", "text", "keys"),
    [
        ("a.toml", "[upload]\ntimeout = 3\n[[jobs]]\nname = 'x'\n", {"upload", "upload/timeout", "jobs", "jobs/name"}),
        ("a.yml", "upload:\n  timeout: 3\n  retry:\n    - limit: 3\nmail: x\n", {"upload", "upload/timeout", "upload/retry", "upload/retry/limit", "mail"}),
        ("a.json", '{"editor.tabSize": 2, "upload": {"timeout": 3}}', {"editor/tabSize", "upload", "upload/timeout"}),
        ("a.ini", "[upload]\ntimeout: 3\n; name = x\n", {"upload", "upload/timeout"}),
    ],
)
def test_keys_of_configuration_files(path, text, keys):
    assert keys_of(path, text.encode()) == keys


def test_a_configuration_file_that_cannot_be_read_says_nothing():
    assert keys_of("a.toml", b"[upload\n") is None and keys_of("a.json", b"{") is None


@pytest.fixture
def repository(planted) -> PlantedRepository:
    made = planted()
    made.commit(0, "Begin", add={"src/plan.py": PLAN, "src/main.py": USE, "src/other.py": "OTHER = 1\n"})
    made.note("a.md", "Plans are read by `parse_plan()`.", 1)
    made.note("計画.md", "計画は `parse_plan` で読む。", 1)
    return made


def test_a_deleted_function_is_gone(repository):
    assert found(repository)[0] == "holds"
    repository.commit(5, "No plans", write={"src/plan.py": "X = 1\n", "src/main.py": "print(1)\n"})
    assert found(repository) == ("gone", "", "No plans")
    assert {(each.key, each.found.state) for each in repository.bank().claims.list()} == {("a.md", "gone"), ("計画.md", "gone")}


def test_a_function_that_is_still_used_somewhere_holds(repository):
    repository.commit(5, write={"src/plan.py": "X = 1\n"})
    assert found(repository)[0] == "holds"
    repository.commit(6, "Not used either", write={"src/main.py": "print(1)\n"})
    assert found(repository) == ("gone", "", "x")


def test_a_renamed_function_has_a_new_name(repository):
    repository.commit(
        5, "Say what is read", write={"src/plan.py": PLAN.replace("parse_plan", "read_plan"), "src/main.py": USE.replace("parse_plan", "read_plan")}
    )
    assert found(repository) == ("moved", "read_plan", "Say what is read")
    claim = repository.bank().claims.list()[0]
    assert str(claim.reason).startswith("parse_plan was renamed to read_plan in ")
    repository.commit(6, "Again", write={"src/plan.py": PLAN.replace("parse_plan", "load_plan"), "src/main.py": USE.replace("parse_plan", "load_plan")})
    assert found(repository) == ("moved", "load_plan", "Say what is read")
    repository.commit(7, "No plans", write={"src/plan.py": "X = 1\n", "src/main.py": "X = 1\n"})
    assert found(repository) == ("gone", "", "No plans")


def test_a_function_that_came_back_holds(repository):
    repository.commit(5, write={"src/plan.py": "X = 1\n", "src/main.py": "X = 1\n"})
    assert found(repository)[0] == "gone"
    repository.commit(6, write={"src/new.py": PLAN})
    assert found(repository)[0] == "holds"


def test_a_name_that_only_documents_contain_is_gone_or_unknown(repository):
    repository.commit(4, add={"docs/plan.md": "`parse_plan` and `imagine_plan` are good.\n", "CHANGELOG": "parse_plan\n"})
    repository.note("b.md", "`imagine_plan()` is not written yet. `json_dumps()` neither.", 1)
    repository.commit(5, "No plans", write={"src/plan.py": "X = 1\n", "src/main.py": "X = 1\n"})
    assert found(repository) == ("gone", "", "No plans")
    assert found(repository, "imagine_plan")[0] == found(repository, "json_dumps")[0] == "unknown"


def test_what_left_before_the_note_was_written_is_unknown(repository):
    repository.commit(5, write={"src/plan.py": "X = 1\n", "src/main.py": "X = 1\n"})
    repository.note("later.md", "Their `parse_plan()` reads it.", 6)
    assert {each.key: each.found.state for each in repository.bank().claims.list()} == {"a.md": "gone", "計画.md": "gone", "later.md": "unknown"}


def test_a_symbol_that_moved_to_another_file(repository):
    repository.note("b.md", "`parse_plan` in `src/plan.py` reads it; `src/plan.py::parse_plan` is tested.", 1)
    repository.commit(5, "Where it is used", write={"src/plan.py": "X = 1\n", "src/reading.py": PLAN})
    claims = [each for each in repository.bank().claims.list("b.md") if each.claim.kind == "symbol"]
    assert {each.found.target for each in claims} == {"src/reading.py::parse_plan"}
    assert str(claims[0].reason).startswith("parse_plan was moved to src/reading.py in ")
    assert found(repository)[0] == "holds"
    repository.commit(6, "And back", write={"src/plan.py": PLAN, "src/reading.py": "X = 1\n"})
    assert {each.found.state for each in repository.bank().claims.list("b.md")} == {"holds"}


def test_a_definition_in_two_files_did_not_move(repository):
    repository.commit(4, write={"src/second.py": PLAN})
    repository.note("b.md", "`parse_plan` in `src/plan.py` reads it.", 4.5)
    repository.commit(5, write={"src/plan.py": "X = 1\n"})
    assert [each.found.state for each in repository.bank().claims.list("b.md") if each.claim.kind == "symbol"] == ["unknown"]


@pytest.mark.parametrize("path", ["vendor/lib/plan.py", "src/plan_pb2.py", "node_modules/plan/index.py"])
def test_names_of_copied_and_generated_code_are_unknown(planted, path):
    repository = planted()
    repository.commit(0, add={path: PLAN})
    repository.note("a.md", "`parse_plan()`", 1)
    assert found(repository)[0] == "holds"
    repository.commit(5, delete=[path])
    assert found(repository)[0] == "unknown"


def test_a_file_that_is_generated_from_now_on_is_unknown(repository):
    repository.commit(4, write={"src/main.py": "X = 1\n"})
    repository.git("rm", "-q", "--cached", "src/plan.py")
    repository.commit(5, "Generated", write={".gitignore": "src/plan.py\n"})
    assert found(repository)[0] == "unknown"


@pytest.mark.parametrize(
    ("said", "state"),
    [("`coerce()`", ""), ("`yup.coerce`", "unknown"), ("`plan.coerce`", "gone"), ("`PlanReader.coerce`", "gone"), ("`coerce()` in `src/plan.py`", "gone")],
)
def test_a_plain_word_needs_an_owner_of_this_project(planted, said, state):
    repository = planted()
    repository.commit(0, add={"src/plan.py": "class PlanReader:\n    def coerce(self):\n        return 1\n", "src/a.py": "import plan\n\nyup = PlanReader\n"})
    repository.note("a.md", f"{said} decides.", 1)
    repository.commit(5, write={"src/plan.py": "class PlanReader:\n    pass\n"})
    claims = [each for each in repository.bank().claims.list() if each.claim.kind in ("symbol", "key")]
    assert [each.found.state for each in claims] == ([state] if state else [])


def test_a_variable_that_nothing_reads_is_gone(planted):
    repository = planted()
    repository.commit(
        0, add={"app.ts": "const host = process.env.MAIL_HOST;\n", ".env.example": "MAIL_HOST=localhost\nMAIL_PORT=25\n", "keep.sh": "echo $MAIL_PORT\n"}
    )
    repository.note("a.md", "メールは環境変数 `MAIL_HOST` と `MAIL_PORT` で決める。`MAIL_NOBODY` はない。", 1)
    repository.commit(5, "The provider's API", write={"app.ts": "const host = 1;\n", ".env.example": "\n"})
    assert found(repository, "MAIL_HOST") == ("gone", "", "The provider's API")
    assert found(repository, "MAIL_PORT")[0] == "holds" and found(repository, "MAIL_NOBODY")[0] == "unknown"


def test_a_key_is_gone_although_another_table_has_its_name(planted):
    repository = planted()
    before = "[upload]\ntimeout_after = 30\n\n[download]\ntimeout_after = 10\n"
    repository.commit(0, add={"config/app.toml": before, "config/x.yml": "mail:\n  host_name: a\n"})
    repository.note("a.md", "`upload.timeout_after` is 30 s, `[download] timeout_after` 10 s. `mail.host_name` は a。", 1)
    assert [found(repository, name)[0] for name in ("upload.timeout_after", "[download] timeout_after", "mail.host_name")] == ["holds"] * 3
    repository.commit(5, "The default is good", write={"config/app.toml": "[download]\ntimeout_after = 10\n"})
    assert found(repository, "upload.timeout_after") == ("gone", "", "The default is good")
    assert found(repository, "[download] timeout_after")[0] == "holds"
    repository.commit(6, write={"src/a.py": "config.upload.timeout_after\n"})
    assert found(repository, "upload.timeout_after")[0] == "holds"
    repository.commit(7, "The host", delete=["config/x.yml"])
    assert found(repository, "mail.host_name") == ("gone", "", "The host")


def test_a_dotted_name_can_be_a_function_of_a_module(planted):
    repository = planted()
    repository.commit(0, add={"src/plan.py": PLAN, "src/a.py": "from src import plan\n", "conf/a.toml": "[mail]\nsend_after = 1\n", "b.py": "upload = 1\n"})
    repository.note("a.md", "`plan.parse_plan` reads; `upload.send_after` is not ours.", 1)
    repository.commit(5, "No plans", write={"src/plan.py": "X = 1\n", "conf/a.toml": "\n"})
    assert found(repository, "plan.parse_plan") == ("gone", "", "No plans")
    assert found(repository, "upload.send_after")[0] == "unknown"


def test_a_shallow_clone_knows_what_it_has(repository, tmp_path):
    repository.commit(5, write={"src/plan.py": "X = 1\n", "src/main.py": "X = 1\n"})
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{repository.root}", str(tmp_path / "shallow")], check=True)
    shallow = PlantedRepository.__new__(PlantedRepository)
    shallow.root, shallow.active = tmp_path / "shallow", tmp_path / "shallow" / ".claude" / "memory" / "active"
    shallow.note("a.md", "`parse_plan()` and `X_MARKER`", 1)
    assert {each.found.state for each in shallow.bank().claims.list()} == {"unknown"}


def test_a_repository_without_a_commit_and_a_folder_without_git(planted, tmp_path):
    empty = planted()
    empty.note("a.md", "`parse_plan()`", 1)
    assert found(empty)[0] == "unknown"
    (tmp_path / "plain/.claude/memory/active").mkdir(parents=True)
    plain = PlantedRepository.__new__(PlantedRepository)
    plain.root, plain.active = tmp_path / "plain", tmp_path / "plain/.claude/memory/active"
    plain.note("a.md", "`parse_plan()`", 1)
    assert [each.found.state for each in plain.bank().claims.list()] == ["unknown"]


def test_a_merge_that_removes_a_name_is_noticed(repository):
    repository.git("checkout", "-q", "-b", "side")
    repository.commit(3, "On the side", write={"src/plan.py": "X = 1\n", "src/main.py": "X = 1\n"})
    repository.git("checkout", "-q", "main")
    repository.commit(4, write={"src/other.py": "OTHER = 2\n"})
    assert found(repository)[0] == "holds"
    repository.git("merge", "-q", "--no-ff", "-m", "Merge", "side", day=5)
    assert found(repository) == ("gone", "", "On the side")


def test_what_takes_too_long_is_unknown_and_stops_nothing_else(repository, monkeypatch):
    repository.note("b.md", "See `src/plan.py`.", 1)
    repository.commit(5, rename={"src/plan.py": "src/reading.py"})
    with monkeypatch.context() as patch:
        patch.setattr("memorybank.claims.occurrences._MOST_BYTES", 1)
        patch.setattr("memorybank.claims.occurrences._FEW", 0)
        assert found(repository, "src/plan.py")[0] == "moved"
        assert found(repository)[0] == "unknown"
    assert found(repository)[0] == "holds"


FILES = [f"src/{letter}.py" for letter in "abcd"] + ["docs/x.md", "config/a.toml"]
NAMES = [f"{verb}_{noun}" for verb in ("read", "write", "send") for noun in ("plan", "mail", "queue")]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_steps_give_what_looking_everything_up_gives(planted, seed):
    dice = random.Random(seed)
    repository = planted()
    defined = {path: set(dice.sample(NAMES, 3)) for path in FILES}

    def text(path):
        if path.endswith(".toml"):
            return "[first]\n" + "".join(f"{name} = 1\n" for name in sorted(defined[path]))
        return "".join(f"def {name}():\n    return '{path}'\n\n\n" for name in sorted(defined[path]))

    repository.commit(0, add={path: text(path) for path in FILES})
    for day in range(1, 13):
        name, other = dice.sample(NAMES, 2)
        said = dice.choice(
            (f"`{name}()` and `first.{other}`.", f"`{name}` in `{dice.choice(FILES[:4])}`; `{other}()`.", f"`Client.{name}` calls `first.{name}`.")
        )
        repository.note(f"{dice.randrange(8)}.md", said, day)
        for step in range(dice.randrange(1, 4)):
            for path in dice.sample(FILES, dice.randrange(1, 4)):
                defined[path] ^= set(dice.sample(NAMES, dice.randrange(1, 4)))
            if dice.random() < 0.3:  # to another file
                source, target = dice.sample(FILES[:4], 2)
                moved = set(sorted(defined[source])[:1])
                defined[source] -= moved
                defined[target] |= moved
            repository.commit(day + step / 10, write={path: text(path) for path in FILES})
        stepped = states(repository)
        assert stepped == states(repository, anew=True)


def test_it_is_asked_about_changed_words_only(repository, monkeypatch):
    """A commit that changes nothing that notes name searches no file, and reads only its own changes."""
    assert found(repository)[0] == "holds"
    asked = []
    from memorybank.claims import occurrences

    real = occurrences.find
    monkeypatch.setattr(occurrences, "find", lambda repository, commit, words, *rest: asked.append(set(words)) or real(repository, commit, words, *rest))
    repository.commit(5, write={"src/other.py": "OTHER = 2\n"})
    assert found(repository)[0] == "holds"
    repository.commit(6, write={"src/plan.py": PLAN + "\n\nprint(parse_plan)\n"})
    assert found(repository)[0] == "holds"
    assert set().union(*asked) == set()
