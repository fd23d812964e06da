"""A rule for private paths applies wherever a call names such a path, and not where a text only mentions it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.cycle import CycleSettings
from memorybank.text.commands.private_paths import has_private_path, matches

RULES = CycleSettings().privacy_rules
ROOT, HOME = "/home/ann/project", "/home/ann"


def is_private(inputs, rules=RULES, folder=ROOT):
    return has_private_path(inputs, rules, ROOT, HOME, folder)


@pytest.mark.parametrize(
    "command",
    [
        *("cat .env", "cat /srv/app/.env", "cat ~/other/.env.local", "cat ../other/.env", 'cat "/srv/my app/.env"', "cat '.env'", "cat < /srv/.env"),
        *("cat </srv/app/.env", "cp key.pem /tmp", "openssl x509 -in /etc/ssl/private/site.pem", "curl --cert=/etc/ssl/a.pem https://a.example"),
        *("curl -d @/srv/secrets/body.json https://a.example", "scp host:/etc/secrets/key .", "cd /etc/secrets && cat key", "echo x > /srv/secrets/token"),
        *("bash -c 'cat .env'", 'sh -lc "cat /srv/.env"', "python -c 'print(open(\"/srv/.env\").read())'", "ENV_FILE=/srv/.env make run", "cat $HOME/.env"),
        *("cat /srv/設定/.env", "cat 秘密/secrets/鍵.txt", "make && (cat /srv/.env | wc -l)", "python - <<EOF\nopen('/srv/.env')\nEOF"),
        *("python -c \"print(open('.env').read())\"", 'python3 -c "print(open(\\".env\\").read())"', "python - <<'EOF'\nprint(open('.env').read())\nEOF"),
        *(
            "node -e \"console.log(require('fs').readFileSync('secrets/x', 'utf8'))\"",
            "node --eval 'fs.readFileSync(`.env`)'",
            "ruby -e 'puts File.read(\".env\")'",
        ),
        *("perl -ne 'print if open(F, \".env\")'", "php -r 'echo file_get_contents(\".env\");'", "deno eval 'Deno.readTextFileSync(\"keys/a.pem\")'"),
        *("python -c \"import subprocess; subprocess.run(['cat', '.env'])\"", "bash -c \"cat '.env' | head -1\""),
    ],
)
def test_a_command_names_it(command):
    assert is_private({"command": command})


@pytest.mark.parametrize(
    "command",
    [
        *("make test", "git commit -m 'Read .env files lazily'", 'git commit -m "説明: .env を読む"', "kubectl get secrets", "cat environment.py"),
        *("ls src/secrets.py", "cat src/env.ts", "pytest -k pem", "", "echo 'unclosed"),
        *(
            "python -c \"print('the environment')\"",
            'node -e "console.log(process.env.HOME)"',
            "git commit -m \"Say why ('.env') is ignored\"",
            "python -c 'import secrets'",
        ),
    ],
)
def test_a_command_does_not(command):
    assert not is_private({"command": command})


@pytest.mark.parametrize(
    "inputs",
    [
        *({"file_path": "/srv/app/.env"}, {"file_path": ".env"}, {"file_path": "/etc/secrets/key"}, {"path": "~/secrets/a"}, {"paths": ["a.py", "/srv/b.pem"]}),
        *({"pattern": "**/.env*"}, {"pattern": "/srv/secrets/*"}, {"other": {"code": "text = open('.env').read()"}}),
        *({"other": {"script": "fs.readFileSync('secrets/x')"}}, {"command": "python -", "other": {"code": 1, "script": "open('/srv/.env')"}}),
    ],
)
def test_a_tool_s_own_path(inputs):
    assert is_private(inputs)
    assert not is_private(inputs, rules=())


def test_a_rule_with_a_folder_begins_at_the_repository_or_at_home():
    assert is_private({"command": f"cat {ROOT}/deploy/keys/a"}, ("deploy/keys/*",))
    assert is_private({"command": "cat keys/a"}, ("deploy/keys/*",), folder=f"{ROOT}/deploy")
    assert is_private({"command": f"cat {HOME}/.aws/credentials"}, ("~/.aws/**",)) and is_private({"file_path": "~/.aws/credentials"}, ("~/.aws/**",))
    assert not is_private({"command": "cat /deploy/keys/a"}, ("deploy/keys/*",))


@given(st.text(max_size=60), st.sampled_from([*RULES, "a/*/b", "*", "?", "**"]))
def test_nothing_raises_and_a_path_that_matches_is_found_in_a_command(text, rule):
    is_private({"command": text, "file_path": text, "paths": [text]}, (rule,))
    name = "".join(sign for sign in text if sign.isalnum()) or "x"
    path = f"src/{name}/b.pem"
    assert is_private({"command": f"cat {path}"}, (rule,)) or not matches(path, rule)
