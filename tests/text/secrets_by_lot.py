"""Random secrets, and the texts that contain them. Nothing here was ever a key, and no file contains a complete one."""

import base64
import json
import random
import string
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"
SIGNS = "!#%&()*+,-./:;=?@[]^_{|}~"

Lot = random.Random


def draw(lot: Lot, signs: str, length: int) -> str:
    return "".join(lot.choice(signs) for _ in range(length))


def aws(lot: Lot) -> str:
    return lot.choice(("AKIA", "ASIA")) + draw(lot, string.ascii_uppercase + string.digits, 16)


def github(lot: Lot) -> str:
    if lot.random() < 0.2:
        return "github_pat_" + draw(lot, ALNUM, 22) + "_" + draw(lot, ALNUM, 59)
    return f"gh{lot.choice('pousr')}_" + draw(lot, ALNUM, 36)


def gitlab(lot: Lot) -> str:
    return lot.choice(("glpat-", "gldt-", "glrt-", "glptt-")) + draw(lot, WORD, 20)


def slack(lot: Lot) -> str:
    return f"xox{lot.choice('bpasr')}-" + draw(lot, string.digits, 12) + "-" + draw(lot, string.digits, 12) + "-" + draw(lot, ALNUM, 24)


def stripe(lot: Lot) -> str:
    return lot.choice(("sk", "rk")) + lot.choice(("_live_", "_test_")) + draw(lot, ALNUM, lot.choice((24, 99)))


def openai(lot: Lot) -> str:
    return "sk-" + (lot.choice(("proj-", "svcacct-")) + draw(lot, WORD, 74) if lot.random() < 0.5 else draw(lot, ALNUM, 48))


def anthropic(lot: Lot) -> str:
    return "sk-ant-" + lot.choice(("api03-", "admin01-")) + draw(lot, WORD, 93) + "AA"


def google(lot: Lot) -> str:
    return lot.choice(("AIza" + draw(lot, WORD, 35), "ya29." + draw(lot, WORD, 90), "GOCSPX-" + draw(lot, WORD, 28)))


def package(lot: Lot) -> str:
    return lot.choice(("npm_" + draw(lot, ALNUM, 36), "pypi-AgEIcHlwaS5vcmc" + draw(lot, WORD, 150)))


def coded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(lot: Lot) -> str:
    return ".".join((coded({"alg": "HS256", "typ": "JWT"}), coded({"sub": draw(lot, ALNUM, 12), "iat": lot.randrange(10**9)}), draw(lot, WORD, 43)))


def private_key(lot: Lot) -> str:
    kind = lot.choice(("RSA ", "EC ", "OPENSSH ", ""))
    lines = [draw(lot, ALNUM + "+/", 64) for _ in range(lot.randrange(3, 25))]
    return "\n".join((f"-----BEGIN {kind}PRIVATE KEY-----", *lines, draw(lot, ALNUM + "+/", 22) + "==", f"-----END {kind}PRIVATE KEY-----"))


def password(lot: Lot) -> str:
    return draw(lot, string.ascii_uppercase, 1) + draw(lot, ALNUM + "!@#%^*+-_", lot.choice((10, 16, 24))) + draw(lot, string.digits, 1)


FAMILIES: dict[str, Callable[[Lot], str]] = {
    "AWS key id": aws,
    "GitHub": github,
    "GitLab": gitlab,
    "Slack": slack,
    "Stripe": stripe,
    "OpenAI": openai,
    "Anthropic": anthropic,
    "Google": google,
    "npm and PyPI": package,
    "JSON Web Token": jwt,
    "private key": private_key,
    "URL": lambda lot: draw(lot, ALNUM + "!$*+-_%", 18),
    "Authorization": lambda lot: draw(lot, ALNUM + "-._~+", 32),
    "assignment": password,
    "quoted assignment": lambda lot: draw(lot, ALNUM + SIGNS, lot.choice((12, 20, 32))),
    "AWS secret": lambda lot: draw(lot, ALNUM + "/+", 40),
}
"""Name → a secret of that family. The last ones are not recognisable on their own: `PLACES` puts them in a context where they are."""


def pick(*forms: str) -> Callable[[Lot, str], str]:
    return lambda lot, secret: lot.choice(forms).replace("%s", secret)


PLACES: dict[str, Callable[[Lot, str], str]] = {
    "URL": pick("postgres://app:%s@db.internal:5432/main", "https://deploy:%s@git.example.org/a/b.git", "redis://:%s@cache:6379/0", "amqp://svc:%s@mq/vhost"),
    "Authorization": pick("Authorization: Bearer %s", "authorization: token %s", "Authorization: Basic %s", "Proxy-Authorization: Bearer %s"),
    "assignment": pick(
        "password=%s", "DB_PASSWORD=%s", "--password=%s", "api_key: %s", "password: '%s'", 'client_secret="%s"', "passwd = '%s'", "ADMIN_TOKEN=%s"
    ),
    "quoted assignment": pick("password='%s'", "DB_PASSWORD='%s'", "Passwort: '%s'", "passphrase = '%s'", "--password '%s'", "PGPASSWORD='%s' psql"),
    "AWS secret": pick("aws_secret_access_key = %s", "AWS_SECRET_ACCESS_KEY=%s", '"secretAccessKey": "%s"', "SecretAccessKey: %s"),
}

CARRIERS: dict[str, Callable[[str], str]] = {
    "command line": lambda text: f"cd app && ./deploy {text} --verbose | tail -5 && curl -sS https://api.example.com/v1/items",
    "environment file": lambda text: f"# local settings\nDEBUG=1\nVALUE={text}\nPORT=8080\n",
    "JSON": lambda text: json.dumps({"ok": True, "items": [{"name": "値", "value": text}]}, ensure_ascii=False),
    "lines of output": lambda text: f"Loading settings …\n  found {text}\n  done in 0.3 s\nexit 0\n",
    "Japanese sentence": lambda text: f"昨日の設定では{text}を使っていたので、あとで必ず入れ替えてください。",
    "URL": lambda text: f"https://example.com/callback?state=7&value={text}&next=%2Fhome",
    "diff": lambda text: "".join(f"+{line}\n" for line in f"@@ -1,2 +1,3 @@\n{text}".splitlines()) + "-old line\n",
    "error message": lambda text: f'Error: request failed (401): invalid credentials "{text}" for service "billing" at client.py:214',
}


def secrets(lot: Lot, each: int = 20) -> list[tuple[str, str, str]]:
    """Return (family, secret, the text with it): `each` of every family."""
    found = []
    for family, make in FAMILIES.items():
        for _ in range(each):
            secret = make(lot)
            found.append((family, secret, PLACES[family](lot, secret) if family in PLACES else secret))
    return found
