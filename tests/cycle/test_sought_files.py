"""A prompt that seeks a file is shown what an earlier session said of its being renamed, moved or removed."""

from pathlib import Path

import pytest

from memorybank.cycle.know import rejected
from memorybank.cycle.recall import query
from tests.cycle.recalling import Remembering, failure, prompt

ENGLISH = ("The component Ledger should be called Journal from the next release on.", "Ledger.tsx is Journal.tsx now and the component has the same name.")
JAPANESE = ("名前がわかりにくいので整理して", "features.py を signals.py に変えました。")


@pytest.fixture
def shown(bank, fixed_clock):
    """shown(prompt, session, …, many=) → what is shown after these sessions and `many` others, in which the names occur too."""

    def ask(text, *sessions, many=0):
        remembering = Remembering(bank({}), fixed_clock)
        others = [(f"Fix sum {number} of the page.", f"Ledger.tsx and features.py round sum {number} up; its test passes.") for number in range(many)]
        for number, (asked, answer) in enumerate((*sessions, *others)):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number / 100)
            session.prompt(asked)
            session.turn_end(answer)
            session.end()
        remembering.session("now").line("session_start", source="startup")
        injection = remembering.fold().ask(prompt(text))
        return "" if injection is None else injection.text

    return ask


@pytest.mark.parametrize("many", [0, 90])
@pytest.mark.parametrize("text", ["Where is the file Ledger.tsx? I have an old branch that changes it", "what happened to src/pages/Ledger.tsx?"])
def test_in_english(shown, text, many):
    assert "Ledger.tsx is Journal.tsx now" in shown(text, ENGLISH, many=many)


@pytest.mark.parametrize("many", [0, 90])
@pytest.mark.parametrize("text", ["features.pyどこいった？", "features.py が見当たりません"])
def test_in_japanese(shown, text, many):
    assert "features.py を signals.py に変えました" in shown(text, JAPANESE, many=many)


def test_the_last_word_on_it_counts(shown):
    first = ("Rename it.", "Ledger.tsx was moved to apps/shared.")
    said = shown("where did Ledger.tsx go?", ENGLISH, first, many=90)  # the first one is the newer one
    assert "Journal.tsx" in said and "apps/shared" not in said, said


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Where is Ledger.tsx?", "features.pyどこ？"])
def test_where_nothing_of_the_kind_was_said_nothing_is_shown(shown, text):
    assert shown(text, ("Move the limit.", "Moved the limit from Ledger.tsx to limits.ts, and 定数を features.py に移しました。"), many=90) == ""


@pytest.fixture
def failing(bank, fixed_clock):
    """failing(tool, inputs, error, (request, answer), …, file=) → what is shown at this failure; file: one that exists."""

    def ask(tool, inputs, error, *sessions, file=""):
        remembering = Remembering(bank({}), fixed_clock)
        root = Path(remembering.root())
        if file:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text("")
        for number, (asked, answer) in enumerate(sessions):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number / 100)
            session.prompt(asked)
            session.turn_end(answer)
            session.end()
        remembering.session("now").line("session_start", source="startup")
        inputs = {name: value.replace("ROOT", str(root)) for name, value in inputs.items()}
        injection = remembering.fold().ask(failure(tool, inputs, error.replace("ROOT", str(root))), query.FAILURE)
        return "" if injection is None else injection.text

    return ask


SCRIPT = "Traceback:\n  File \"scripts/features.py\", line 3, in <module>\nFileNotFoundError: [Errno 2] No such file or directory: 'data.csv'"
GONE = ("holiday_csv もう使ってないから消して", "holiday_csv.py を消しました。祝日は jpholiday で判定します。")


@pytest.mark.parametrize(("tool", "inputs", "error", "session", "said"), [
    ("Read", {"file_path": "ROOT/web/Ledger.tsx"}, "File does not exist.", ENGLISH, "Journal.tsx now"),
    ("Read", {"file_path": "ROOT/lib/features.py"}, "File does not exist. Did you mean signals.py?", JAPANESE, "signals.py に変えました"),
    ("Read", {"file_path": "ROOT/lib/features.py"}, "File not found: ROOT/lib/features.py", JAPANESE, "signals.py に変えました"),
    ("Edit", {"file_path": "ROOT/lib/features.py", "old_string": "a", "new_string": "b"}, "ENOENT: no such file, ROOT/lib/features.py", JAPANESE, "signals.py"),
    ("Bash", {"command": "sed -n 1,40p web/Ledger.tsx"}, "Exit code 2\nsed: can't read web/Ledger.tsx: No such file or directory", ENGLISH, "Journal.tsx now"),
    ("Bash", {"command": "python lib/features.py"}, "can't open file 'ROOT/lib/features.py': [Errno 2] No such file or directory", JAPANESE, "signals.py"),
    ("Bash", {"command": "cat lib/holiday_csv.py"}, "cat: lib/holiday_csv.py: No such file or directory", GONE, "jpholiday"),
    ("Bash", {"command": "cd lib && cat holiday_csv.py"}, "cat: holiday_csv.py: そのようなファイルやディレクトリはありません", GONE, "jpholiday"),
    ("Bash", {"command": "cd web; cd src && cat Ledger.tsx"}, "cat: Ledger.tsx: No such file or directory", ENGLISH, "Journal.tsx now"),
])  # fmt: skip
def test_a_call_that_does_not_find_a_file_is_told_where_it_is(failing, tool, inputs, error, session, said):
    assert said in failing(tool, inputs, error, session)


@pytest.mark.parametrize(("tool", "inputs", "error", "session", "file"), [
    ("Read", {"file_path": "ROOT/web/Ledger.tsx"}, "File content exceeds the limit: ROOT/web/Ledger.tsx", ENGLISH, ""),
    ("Read", {"file_path": "ROOT/web/Ledger.tsx"}, "Line 900 does not exist in ROOT/web/Ledger.tsx", ENGLISH, "web/Ledger.tsx"),
    ("Edit", {"file_path": "ROOT/lib/features.py"}, "String to replace not found in file.", JAPANESE, "lib/features.py"),
    ("Read", {"file_path": "ROOT/web/OldLedger.tsx"}, "File not found: ROOT/web/OldLedger.tsx", ENGLISH, ""),
    ("Read", {"file_path": "ROOT/lib/features.py"}, "File not found: ROOT/lib/features.py", ("定数を移して", "定数を features.py に移しました。"), ""),
    ("Bash", {"command": "cd api && python scripts/features.py"}, SCRIPT, JAPANESE, "api/scripts/features.py"),
    ("Bash", {"command": "cd api && cat features.py"}, "cat: features.py: No such file or directory", JAPANESE, "api/features.py"),
    ("Bash", {"command": "cd api && cd src && cat Ledger.tsx"}, "cat: Ledger.tsx: No such file or directory", ENGLISH, "api/src/Ledger.tsx"),
    ("Bash", {"command": "cd api && cat Ledger.tsx"}, "cat: Ledger.tsx: No such file or directory", ENGLISH, "Ledger.tsx"),  # the event has the folder
    ("Bash", {"command": "cd $APP && cat Ledger.tsx"}, "cat: Ledger.tsx: No such file or directory", ENGLISH, ""),
    ("Bash", {"command": "python tools/features.py"}, SCRIPT.replace("scripts", "tools"), JAPANESE, ""),
    ("Bash", {"command": "node Ledger.tsx"}, "Ledger.tsx: the type of a sum is wrong\nError: data.csv not found", ENGLISH, ""),
    ("Bash", {"command": "lint lib/features.py"}, "lib/features.py: 書式に問題はありません。型の誤りが1件", JAPANESE, ""),
    ("Bash", {"command": "cat lib/features.py lib/other.py"}, "cat: lib/other.py: No such file or directory", JAPANESE, "lib/features.py"),
])  # fmt: skip
def test_other_failures_are_told_nothing_of_it(failing, tool, inputs, error, session, file):
    assert failing(tool, inputs, error, session, file=file) == ""


REFUSAL = "cat: illegal option -- A\ncat: {0}: No such file or directory"


@pytest.fixture
def remembering(bank, fixed_clock):
    """Sessions that renamed Ledger.tsx and features.py, and one in which `cat -A` was refused."""
    remembering = Remembering(bank({}), fixed_clock)
    for number, (asked, answer) in enumerate((ENGLISH, JAPANESE)):
        session = remembering.session(f"earlier-{number}", days_ago=2 + number / 100)
        session.prompt(asked)
        session.turn_end(answer)
        session.end()
    session = remembering.session("refused", days_ago=1)
    session.prompt("Show the tabs.")
    session.run("cat -A a.ts", error="cat: illegal option -- A")
    session.end()
    remembering.session("now").line("session_start", source="startup")
    return remembering.fold()


FILES = pytest.mark.parametrize(("path", "said"), [("web/Ledger.tsx", "Journal.tsx now"), ("lib/features.py", "signals.py に変えました")])


def failed(path):
    return failure("Bash", {"command": f"cat -A {path}"}, REFUSAL.format(path))


@FILES
def test_where_a_file_is_comes_before_what_else_helps(remembering, path, said):
    text = remembering.ask(failed(path), query.FAILURE).text
    assert 0 < text.index(said) < text.index("`cat -A`"), text


@FILES
def test_what_the_context_knows_hides_nothing(remembering, path, said):
    assert said in remembering.ask(failure("Read", {"file_path": path}, f"File not found: {path}"), query.FAILURE).text
    text = remembering.ask(failed(path), query.FAILURE).text
    assert said not in text and "`cat -A`" in text


@FILES
def test_what_a_person_rejected_hides_nothing(remembering, path, said):
    memories = [one.memory for one in remembering.preview(failed(path), query.FAILURE).shown]
    (where,) = (memory.memory for memory in memories if said in memory.text)
    rejected.add(remembering.scratch.layout, where, is_rejected=True, by=rejected.COMMAND, what="", clock=remembering.clock)
    text = remembering.ask(failed(path), query.FAILURE).text
    assert said not in text and "`cat -A`" in text
