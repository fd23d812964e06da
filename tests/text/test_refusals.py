"""An output that refuses an option names the form of the call that will be refused again."""

import pytest

from memorybank.text.commands import refusals


@pytest.mark.parametrize(
    ("command", "output", "form"),
    [
        ("cat -A src/a.ts | sed -n '1,9p'", "cat: illegal option -- A\nusage: cat [-belnstuv] [file ...]", "cat -A"),
        ("/bin/cat -A a | head -n 3", "/bin/cat: illegal option -- A", "cat -A"),
        ("git -C /app status", "Exit code 2\nerror: unexpected argument '-C' found\n\n  tip: …", "git -C"),
        ("gh pr diff 88 --stat", "unknown flag: --stat\n\nUsage:  gh pr diff", "gh pr diff --stat"),
        ("git log | grep -oP '#\\d+'", "grep: invalid option -- P\nusage: grep", "grep -P"),
        ("golangci-lint run --out-format=line-number", "Error: unknown flag: --out-format", "golangci-lint run --out-format"),
        ("git show --no-stat HEAD", "fatal: unrecognized argument: --no-stat", "git show --no-stat"),
        ("pytest --nope tests", "ERROR: usage: pytest\npytest: error: unrecognized arguments: --nope", "pytest --nope"),
        ("black --fast-ish x.py", "Usage: black\n\nError: No such option: --fast-ish Did you mean --fast?", "black --fast-ish"),
    ],
)
def test_what_was_refused(command, output, form):
    found, line = refusals.refused(command, output)
    assert found == form and line in output
    assert form in refusals.forms_of(command)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat README.md", "The tool prints: unknown option --foo"),
        ("grep -rn 'unknown option' src", 'src/cli.c: print("unknown option %s")'),
        ("go test ./...", "--- FAIL: TestX\n    metadata branch not found: main"),
        ("make", "make: *** No rule to make target 'x'.  Stop."),
        ("cat -A a && ls -A b", "error: unexpected argument '-A' found"),  # either of them
        ("ls", ""),
        ("npm test", "Error: option timeout not found in config"),
        ("python x.py", "ValueError: invalid argument type"),
        ("", "cat: illegal option -- A"),
    ],
)
def test_other_outputs_refuse_nothing(command, output):
    assert refusals.refused(command, output) is None


def test_every_option_of_a_command_is_a_form():
    forms = refusals.forms_of("cd x && git -C a log --oneline=yes -nP | cat -A")
    assert {"git -C", "git --oneline", "git -nP", "git -n", "git -P", "cat -A", "git …", "cat …", "&&"} == set(forms)
    assert refusals.forms_of("rm -- -x") == ["rm -x", "rm …"]
    assert refusals.forms_of("") == []


@pytest.mark.parametrize("output", ["unknown option " * 5_000, "option: " + "-" * 100_000, ("illegal option " + "x" * 70 + "\n") * 2_000])
def test_a_long_output_is_read_within_bounds(output):
    assert refusals.refused("cat -A x", output) is None


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("In C:\\Temp\\ps-script-1.ps1:7 Zeichen:43", 'Das Token "&&" ist in dieser Version kein gültiges Anweisungstrennzeichen.'),
        ("Au caractère Ligne:1 : 6", "Le jeton « && » n’est pas un séparateur d’instruction valide dans cette version."),
        ("En línea: 1 Carácter: 6", 'El token "&&" no es un separador de instrucciones válido en esta versión.'),
    ],
)
def test_an_operator_is_refused_in_whatever_language_the_shell_speaks(place, line):
    printed = f"{place}\n+ cd a && b\n+      ~~\n{line}\n    + CategoryInfo : ParserError"
    assert refusals.refused("cd a && b", printed) == ("&&", line)
    assert refusals.refused("cd a && b", line, whole=printed) == ("&&", line)
    assert refusals.refused("make a && b", line.replace(line.split()[0], "error:", 1)) is None


def test_a_program_that_powershell_names_twice_is_unknown():
    said = 'vp : Die Benennung "vp" wurde nicht als Name eines Cmdlet, einer Funktion, einer Skriptdatei oder eines ausführbaren Programms erkannt.'
    assert refusals.word_refused("cd frontend; vp check", said) == "vp"
    assert refusals.word_refused("uv sync", "uv : Le terme «uv» n'est pas reconnu comme nom d'applet de commande, fonction") == "uv"


def test_an_operator_in_a_compile_error_is_not_refused():
    said = "Error: src/App.vue:12:5\nSyntaxError: Unexpected token '&&' (12:5)"
    assert refusals.refused("cd web && npm run build", said, whole="> web build") is None
    assert refusals.refused("cd web && npm run build", said) is None


def test_an_option_of_an_unknown_program_belongs_to_the_innermost_subcommand():
    """Of a program that nobody knows, each sub-command may have options of its own."""
    assert refusals.refused("quay session get --task 12", "error: unknown option '--task'") == ("quay session get --task", "error: unknown option '--task'")
    assert "quay session get --task" in refusals.forms_of("quay session get --task 12") and "quay session --task" not in refusals.forms_of(
        "quay session get --task 12"
    )
    assert refusals.refused("git diff main --no-stat", "error: unknown option: --no-stat")[0] == "git diff --no-stat"
