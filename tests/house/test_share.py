"""The files below share/ follow from the code: man pages that groff renders, and completions that shells load."""

import subprocess

from tests.scripts import loaded

from .sources import text


def test_the_man_pages_are_those_of_the_commands():
    assert loaded("man_pages.py").outdated() == [], "run python scripts/commands_page.py"


def test_the_man_pages_use_requests_that_groff_knows():
    """`scripts/release` also renders them with groff; here no text is taken for a request, and other scripts are escaped."""
    known = {"TH", "SH", "SS", "TP", "B", "BR", "PP", "nf", "fi", "RS", "RE", "br"}
    for name, page in loaded("man_pages.py").pages().items():
        requests = {line[1:].split(" ")[0] for line in page.splitlines() if line.startswith(".") and not line.startswith('.\\"')}
        assert requests <= known and page.isascii() and not any(line.startswith("'") for line in page.splitlines()), name
    assert "\\[u7528]\\[u8A9E]" in loaded("man_pages.py").pages()["memorybank-add.1"]


def test_bash_completes_with_the_shipped_script(tmp_path):
    script = loaded("man_pages.py").COMPLETIONS["bash"]
    done = subprocess.run(["bash", "-c", f"source '{script}'; complete -p memorybank"], capture_output=True, text=True)
    assert done.stdout.strip().endswith("memorybank") and done.stderr == ""


def test_each_shell_has_a_script_that_asks_the_program():
    for shell, path in loaded("man_pages.py").COMPLETIONS.items():
        assert f"_MEMORYBANK_COMPLETE={shell}_complete" in text(path), shell
