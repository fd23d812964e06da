"""Commands split into parts: quotes, substitutions, here-documents, redirections. A malformed construct extends to the end of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.commands.shell import UNKNOWN, parts


def words(command):
    return [part.words for part in parts(command)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("make test", [["make", "test"]]),
        ("a && b || c ; d | e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
        ("grep 'a b' \"c d\" e\\ f", [["grep", "a b", "c d", "e f"]]),
        ("x 'a'\"b\"c", [["x", "abc"]]),
        ("a 'x && y' \"p | q\"", [["a", "x && y", "p | q"]]),
        ("make 2>&1 | tail -5 > out.txt", [["make"], ["tail", "-5"]]),
        ("a &> log; b >> x 2> /dev/null < in", [["a"], ["b"]]),
        ("echo $HOME/x ${A:-b c} $(date +%s) `pwd`", [["echo", UNKNOWN + "/x", UNKNOWN, UNKNOWN, UNKNOWN]]),
        ("cat <<EOF > a.py\nimport x && y\nEOF\npython a.py", [["cat"], ["python", "a.py"]]),
        ("cat <<-'END'\n\tit's | here\n\tEND\nls", [["cat"], ["ls"]]),
        ('git commit -m "$(cat <<\'EOF\'\nfix: don\'t (x\n\n"q" && y\nEOF\n)" && git push', [["git", "commit", "-m", UNKNOWN], ["git", "push"]]),
        ("(cd a; make) && { b; }", [["cd", "a"], ["make"], ["{", "b"], ["}"]]),
        ("a # comment && b\nc", [["a"], ["c"]]),
        ("a#b c", [["a#b", "c"]]),
        ("a \\\n  b", [["a", "b"]]),
        ("diff <(sort a) <(sort b)", [["diff", UNKNOWN, UNKNOWN]]),
        ("cat <<< 'text' && b", [["cat"], ["b"]]),
        ("echo 'unclosed && x", [["echo", "unclosed && x"]]),
        ('echo "unclosed && x', [["echo", "unclosed && x"]]),
        ("echo $( unclosed", [["echo", UNKNOWN]]),
        ("cat <<EOF\nnever closed", [["cat"]]),
        ("", []),
        (" ;; && |", []),
        ("日本語 --名前='値 一'", [["日本語", "--名前=値 一"]]),
    ],
)
def test_parts(command, expected):
    assert words(command) == expected


def test_where_output_goes():
    found = parts("cat a > b.txt 2>&1; echo x >> 'c d.md' 2>/dev/null; tee e < f")
    assert [part.targets for part in found] == [["b.txt"], ["c d.md"], []]


def test_operators_between():
    assert [part.before for part in parts("a && b || c | d; e\nf |& g")] == ["", "&&", "||", "|", ";", ";", "|"]
    assert [part.before for part in parts("a && (b; c) | d; (e)")] == ["", "&&", ";", "|", ";"]


@given(st.text("ab '\"\\$(){}<>|&;\n`#-=EOF\t0", max_size=40))
def test_any_text_is_taken(text):
    for part in parts(text):
        assert all(isinstance(word, str) for word in part.words)


def test_a_long_here_document_is_passed_over():
    body = "x = 'it' # && | ;\n" * 3000
    assert words(f"cat <<'PY' > a.py\n{body}PY\npython a.py")[-1] == ["cat"]
    assert words(f"cat <<'PY' > a.py\n{body[:9000]}\nPY\npython a.py")[-1] == ["python", "a.py"]
