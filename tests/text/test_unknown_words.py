"""What a shell does not know (an operator, a program, a parameter) names the problem, in whatever command it stands and in the language of the shell."""

import pytest

from memorybank.cycle.fold.wording import error_line
from memorybank.text.commands import refusals
from memorybank.text.commands.error_excerpt import error_excerpt_lines

AT = "At line:1 char:{0}\n+ {1}\n+ {2}~~\n"
PLACE = "発生場所 行:1 文字:{0}\n+ {1}\n+ {2}~~\n"
PARSER = "    + CategoryInfo          : ParserError: (:) [], ParentContainsErrorRecordExce\nption\n    + FullyQualifiedErrorId : InvalidEndOfLine"
MISSING = "    + CategoryInfo          : ObjectNotFound: (jq:String) [], CommandNotFoundException\n    + FullyQualifiedErrorId : CommandNotFoundException"


def placed(template, command, sign):
    at = command.index(sign)
    return template.format(at + 1, command, " " * at)


def token(template, command, sentence, sign="&&"):
    return f"{placed(template, command, sign)}{sentence.format(sign)}\n{PARSER}"


ENGLISH = "The token '{}' is not a valid statement separator in this version."
JAPANESE = "トークン '{}' は、このバージョンでは有効なステートメント区切りではありません。"
TERM = "{0} : The term '{0}' is not recognized as the name of a cmdlet, function, script file, or operable \nprogram. Check the spelling."
用語 = "{0} : 用語 '{0}' は、コマンドレット、関数、スクリプト ファイル、または操作可能なプログラムの名前として認\n識されません。"
SHORT = "{0}: The term '{0}' is not recognized as a name of a cmdlet, function, script file, or executable program."
INNER = "'{}' is not recognized as an internal or external command,\noperable program or batch file."
内部 = "'{}' は、内部コマンドまたは外部コマンド、\n操作可能なプログラムまたはバッチ ファイルとして認識されていません。"
PARAMETER = "{} : A parameter cannot be found that matches parameter name '{}'."
パラメーター = "{} : パラメーター名 '{}' に一致するパラメーターが見つかりません。"

WORDS = [
    ("cd web && pnpm build", token(AT, "cd web && pnpm build", ENGLISH), "&&", ENGLISH.format("&&")),
    ("cd web && pnpm build", token(PLACE, "cd web && pnpm build", JAPANESE), "&&", JAPANESE.format("&&")),
    ("pnpm lint || pnpm fix", token(AT, "pnpm lint || pnpm fix", ENGLISH, "||"), "||", ENGLISH.format("||")),
    ("type a.log | tail -5", f"{TERM.format('tail')}\nAt line:1 char:14\n{MISSING}", "tail …", "tail : The term 'tail' is not recognized"),
    ("pnpm ls | awk '{print}'", f"{用語.format('awk')}\n発生場所 行:1 文字:11\n{MISSING}", "awk …", "awk : 用語 'awk' は、"),
    ("ls web", INNER.format("ls"), "ls …", "'ls' is not recognized"),
    ("pnpm ls | wc -l", 内部.format("wc"), "wc …", "'wc' は、内部コマンド"),
    ("Get-Item a | tee b", SHORT.format("tee"), "tee …", "tee: The term"),
    ("cp -rf a b", f"{PARAMETER.format('Copy-Item', 'rf')}\nAt line:1 char:4", "cp -rf", "Copy-Item : A parameter"),
    ("ls -lh out", f"{パラメーター.format('Get-ChildItem', 'lh')}\n発生場所 行:1 文字:4", "ls -lh", "Get-ChildItem : パラメーター名"),
    ("make -j | nl", "bash: nl: command not found", "nl …", "bash: nl"),
    ("make -j | bat", "zsh: command not found: bat", "bat …", "zsh: command not found"),
    ("jq . a.json", "/bin/sh: 1: jq: not found", "jq …", "/bin/sh: 1: jq"),
    ("jq . a.json", "(eval):1: command not found: jq", "jq …", "(eval):1: command not found"),
    ("jq . a.json", "bash: 行 1: jq: コマンドが見つかりません", "jq …", "bash: 行 1: jq"),
    ("jq . a.json", "C:\\Program Files\\Git\\bin\\bash.exe: line 1: jq: command not found", "jq …", "C:\\Program Files\\Git\\bin\\bash.exe: line 1: jq"),
    ("jq . a.json", "/c/Program Files/Git/usr/bin/bash: line 1: jq: command not found", "jq …", "/c/Program Files/Git/usr/bin/bash: line 1: jq"),
    ("tree src", "bash: tree: コマンドが見つかりません", "tree …", "bash: tree"),
]


@pytest.mark.parametrize(("command", "output", "form", "line"), WORDS)
def test_the_word_that_a_shell_does_not_know(command, output, form, line):
    found, said = refusals.refused(command, output)
    assert found == form and said.startswith(line.partition("\n")[0])
    assert form in refusals.forms_of(command)


@pytest.mark.parametrize(("command", "output", "form", "line"), WORDS)
def test_the_line_that_says_what_is_wrong_is_the_sentence_and_not_its_place(command, output, form, line):
    assert error_line(output).startswith(line)
    assert not any(place in one for one in error_excerpt_lines(output) for place in ("char:", "文字:", "CategoryInfo", "FullyQualified", "~~"))


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npm run package", "'vsce' は、内部コマンドまたは外部コマンド、\n操作可能なプログラムとして認識されていません。"),  # in the script of the project
        ("npm run package", "'vsce' is not recognized as an internal or external command"),
        ("pytest -q", "bash: pytest: command not found"),  # the form of the call is known by its own remedies
        ("gemini --help", "gemini : 用語 'gemini' は、コマンドレット、関数、スクリプト ファイル、または操作可能なプログラムの名前とし"),
        ("touch a.md", "'touch' is not recognized as an internal or external command"),
        ("timeout 60 make -j", "bash: timeout: command not found"),
        ("make check", "make: *** No rule to make target 'check'.  Stop."),
        ("git push", "ERROR: Repository not found."),
        ("docker pull tea", "Error: image tea: not found"),
        ("npm view tea", "npm error 404  'tea@*' is not in this registry."),
        ("python a.py", "KeyError: 'The term is not in the list'"),
        ("bash -c 'a && b'", "The token '&&' is not a valid statement separator in this version."),  # in another shell's text
        ("Get-Content a.txt", "Get-Content : パス 'C:\\src\\a.txt' が存在しないため検出できません。"),
        ("New-Item a", "New-Item : A parameter cannot be found that matches parameter name 'rf'."),
        ("cat notes.md", "用語集は、第三章にあります。\n'完了' は、内部の状態です。"),
        ("pytest", "E   AssertionError: The term 'shop' is not in the glossary"),
        ("cd tests && grep -rn token .", f"text/x.py:12: {ENGLISH.format('&&')}"),  # quoted, as the next ones
        ("cd tests && grep -rhn トークン .", f"7: {JAPANESE.format('&&')}"),
        ("cd docs && cat shells.md", f"# Shells\n\n{ENGLISH.format('&&')}"),
        ("cd docs && cat シェル.md", f"# シェル\n\n{JAPANESE.format('&&')}"),
        ("make | grep x", "step 3: /bin/sh: 1: grep: not found"),
        ("./run.sh | grep x", "run.sh:4: command not found: grep"),
        ("make | grep x", "docs/a.md:12:bash: grep: command not found"),
        ("make | tree src", "手順3: bash: tree: コマンドが見つかりません"),
    ],
)
def test_what_is_no_word_of_the_command_refuses_nothing(command, output):
    assert refusals.refused(command, output) is None


@pytest.mark.parametrize(
    ("form", "failed", "worked", "remedy"),
    [
        ("&&", "cd web && pnpm build", "cd web; pnpm build", ";"),
        ("&&", "cd web && pnpm build", "cd web ; pnpm build", ";"),
        ("grep …", "git show --stat | grep cart", 'git show --stat | Select-String -Pattern "cart"', "Select-String -Pattern"),
        ("head …", "pnpm test | head -5", "pnpm test | Select-Object -First 5", "Select-Object -First"),
        ("tail …", "pnpm test | tail -20", "pnpm test | Select-Object -Last 20", "Select-Object -Last"),
        ("grep …", "grep 在庫 a.txt", "Select-String 在庫 a.txt", "Select-String"),
        ("sort …", "pnpm ls | sort", "pnpm ls | Sort-Object", "Sort-Object"),
        ("ls …", "ls out", "cd web; Get-ChildItem out", "Get-ChildItem"),
        ("grep …", "grep delete a.txt", "Select-String delete a.txt", "Select-String"),
    ],
)
def test_what_stands_there_instead(form, failed, worked, remedy):
    assert refusals.instead(form, failed, worked) == remedy


@pytest.mark.parametrize(
    ("form", "failed", "worked"),
    [
        ("&&", "cd web && pnpm build", "cd web"),
        ("&&", "cd web && pnpm build", "cd api; pnpm test"),
        ("&&", "cd web && pnpm build", "cd web | pnpm build"),
        ("grep …", "git show --stat | grep cart", "git show --stat"),
        ("grep …", "git show --stat | grep cart", "git log --stat | sort"),
        ("jq …", "jq . a.json", "brew install jq"),
        ("jq …", "jq . a.json", "jq . a.json"),
        ("grep …", "grep foo a.txt", "Remove-Item -Recurse build"),
        ("grep …", "grep foo a.txt", "Remove-Item a.txt"),
        ("grep …", "grep 在庫 a.txt", "Set-Content 在庫 a.txt"),
        ("ls …", "ls", "Get-Location"),
        ("head …", "pnpm test | head -5", "pnpm test | Select-Object -Last 20"),
        ("touch …", "touch a.md", "Remove-Item a.md"),
        ("head …", "pnpm ls | head -5", "pnpm ls | xargs rm"),
        ("head …", "pnpm ls | head -5", "pnpm ls | more"),
        ("jq …", "curl -s example.org/x | jq", "curl -s example.org/x | sh"),
        ("git commit -z", "git commit -z -m 在庫", "git commit -n -m 在庫"),
        ("terraform apply -frob", "terraform apply -frob", "terraform apply -auto-approve"),
        ("gh pr merge --frob", "gh pr merge 88 --frob", "gh pr merge 88 --admin"),
        ("sed -Z", "sed -Z s/a/b/ a.txt", "sed -i.bak s/a/b/ a.txt"),
        ("rsync --frob", "rsync --frob a b", "rsync --remove-source-files a b"),
        ("rm -rf", "rm -rf dist", "Remove-Item -Recurse -Force dist"),
        ("ls -la", "ls -la out", "Get-ChildItem out"),
        ("rg …", "rg foo src | head -3", "LC_ALL=C | head -3"),
        ("rg …", "rg foo src | head -3", "/opt/tools/bin/ggrep foo src | head -3"),
        ("jq …", "cd web && jq . a.json", "cd web && cat a.json"),
    ],
)
def test_another_command_stands_for_nothing(form, failed, worked):
    assert refusals.instead(form, failed, worked) == ""


@pytest.mark.parametrize(("command", "output", "form", "line"), WORDS)
def test_a_call_that_worked_quotes_what_a_shell_does_not_know(command, output, form, line):
    assert refusals.refused(command, output, failed=False) is None


@pytest.mark.parametrize("output", ["The term '" * 5_000, "x: not found " * 20_000, ("用語 '" + "x" * 70 + "\n") * 2_000, "'" * 50_000 + " is not "])
def test_a_long_output_is_read_within_bounds(output):
    assert refusals.refused("grep x a && ls -A", output) is None
