"""Kinds of secrets whose form vendors and manual pages document, with random contents; texts that contain them; and similar ordinary kinds.

Nothing here was ever a key, and no file contains a complete one. `WHOLE` are recognisable by their own form, `PLACED` by the words around them.
"""

import base64
import json
import random
import re
import string
import uuid
from collections.abc import Callable
from urllib.parse import quote

DIGITS, LOWER, UPPER = string.digits, string.ascii_lowercase, string.ascii_uppercase
CLASSES = {
    "A": string.ascii_letters + DIGITS,
    "W": string.ascii_letters + DIGITS + "_-",
    "H": DIGITS + "abcdef",
    "U": UPPER + DIGITS,
    "L": LOWER + DIGITS,
    "B": string.ascii_letters + DIGITS + "+/",
    "D": DIGITS,
}
Lot = random.Random


def drawn(lot: Lot, form: str) -> str:
    """Return `form` with `{A36}` replaced by 36 random letters and digits; also `{W…}`, `{H…}` (see `CLASSES`), `{uuid}`, `{pem}`, `{jwt}` and `{pw}`."""

    def fill(match: re.Match[str]) -> str:
        if match[1] == "uuid":
            return str(uuid.UUID(int=lot.getrandbits(128), version=4))
        if match[1] == "pem":
            lines = [drawn(lot, "{B64}") for _ in range(12)]
            return "\n".join(("-----BEGIN RSA PRIVATE KEY-----", *lines, drawn(lot, "{B22}=="), "-----END RSA PRIVATE KEY-----"))
        if match[1] == "jwt":
            claims = json.dumps({"sub": drawn(lot, "{A12}"), "iat": 1_700_000_000 + lot.randrange(10**6)})
            return ".".join((coded('{"alg":"HS256","typ":"JWT"}'), coded(claims), drawn(lot, "{W43}")))
        if match[1] == "pw":
            return drawn(lot, "{A1}{L3}") + lot.choice("!*+-_.") + drawn(lot, "{A7}{D2}")
        signs = CLASSES[match[1][0]]
        return "".join(lot.choice(signs) for _ in range(int(match[1][1:])))

    return re.sub(r"\{(uuid|pem|jwt|pw|[AWHULBD]\d+)\}", fill, form)


def coded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


WHOLE = {
    "AWS access key": "AKIA{U16}",
    "AWS temporary key": "ASIA{U16}",
    "AWS Bedrock key": "ABSK{A110}==",
    "AWS session token": "IQoJb3JpZ2lu{A200}==",
    "GitHub personal": "ghp_{A36}",
    "GitHub OAuth": "gho_{A36}",
    "GitHub user": "ghu_{A36}",
    "GitHub server": "ghs_{A36}",
    "GitHub refresh": "ghr_{A76}",
    "GitHub fine-grained": "github_pat_{A22}_{A59}",
    "GitLab personal": "glpat-{W20}",
    "GitLab deploy": "gldt-{W20}",
    "GitLab runner": "glrt-{W20}",
    "GitLab trigger": "glptt-{H40}",
    "GitLab job": "glcbt-1a_{W20}",
    "GitLab registration": "GR1348941{W20}",
    "Slack bot": "xoxb-{D12}-{D13}-{A24}",
    "Slack user": "xoxp-{D12}-{D12}-{D12}-{H32}",
    "Slack app": "xapp-1-A{U10}-{D13}-{H64}",
    "Slack rotation": "xoxe.xoxp-1-{A160}",
    "Slack webhook": "https://hooks.slack.com/services/T{U10}/B{U10}/{A24}",
    "Stripe live": "sk_live_{A24}",
    "Stripe test": "sk_test_{A99}",
    "Stripe restricted": "rk_live_{A99}",
    "Stripe webhook": "whsec_{A32}",
    "Anthropic": "sk-ant-api03-{W93}AA",
    "Anthropic admin": "sk-ant-admin01-{W93}AA",
    "OpenAI project": "sk-proj-{W74}T3BlbkFJ{W74}",
    "OpenAI": "sk-{A20}T3BlbkFJ{A20}",
    "OpenRouter": "sk-or-v1-{H64}",
    "DeepSeek": "sk-{H32}",
    "Google API": "AIza{W35}",
    "Google OAuth secret": "GOCSPX-{W28}",
    "Google access": "ya29.{W120}",
    "Google refresh": "1//0{W60}",
    "FCM": "{W22}:APA91b{W134}",
    "npm": "npm_{A36}",
    "PyPI": "pypi-AgEIcHlwaS5vcmc{W150}",
    "RubyGems": "rubygems_{H48}",
    "crates.io": "cio{A32}",
    "Clojars": "CLOJARS_{H60}",
    "NuGet": "oy2{L43}",
    "Artifactory": "AKCp{A69}",
    "Artifactory reference": "cmVmdGtuOjAx{A52}",
    "Hugging Face": "hf_{A34}",
    "DigitalOcean": "dop_v1_{H64}",
    "Aiven": "AVNS_{W19}",
    "SendGrid": "SG.{W22}.{W43}",
    "Brevo": "xkeysib-{H64}-{A16}",
    "Brevo SMTP": "xsmtpsib-{H64}-{A16}",
    "Mailgun": "key-{H32}",
    "Mailchimp": "{H32}-us12",
    "Mandrill": "md-{A22}",
    "Resend": "re_{A8}_{A24}",
    "Typeform": "tfp_{W44}_{A14}",
    "Shopify": "shpat_{H32}",
    "Square access": "EAAA{W60}",
    "Square OAuth": "sq0csp-{W43}",
    "Square token": "sq0atp-{W22}",
    "Facebook": "EAAB{A180}",
    "Instagram": "IGQV{W140}",
    "LinkedIn": "WPL_AP1.{A16}.{A6}==",
    "Telegram": "{D10}:AA{W33}",
    "Discord webhook": "https://discord.com/api/webhooks/{D18}/{W68}",
    "Teams webhook": "https://contoso.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{H32}/{uuid}",
    "1Password service account": "ops_eyJ{A300}",
    "1Password secret key": "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}",
    "Azure AD": "{A3}8Q~{W34}",
    "Azure DevOps": "{A76}AZDO{A4}",
    "Azure AI": "{A52}JQQJ99{A26}",
    "Azure Functions": "{W44}AzFu{W8}==",
    "Terraform Cloud": "{A14}.atlasv1.{W67}",
    "Vault service": "hvs.{W90}",
    "Vault batch": "hvb.{W140}",
    "Fly.io": "FlyV1 fm2_{A300}",
    "Fly.io personal": "fo1_{W43}",
    "Cloudflare origin CA": "v1.0-{H24}-{H146}",
    "Netlify": "nfp_{A36}",
    "Vercel Blob": "vercel_blob_rw_{A16}_{A30}",
    "Heroku": "HRKU-AA{W58}",
    "Render": "rnd_{A28}",
    "PostHog personal": "phx_{A43}",
    "PostHog project": "phc_{A43}",
    "CircleCI": "CCIPAT_{A22}_{H40}",
    "Buildkite": "bkua_{H40}",
    "Doppler": "dp.pt.{A43}",
    "Linear": "lin_api_{A40}",
    "Notion": "ntn_{A46}",
    "Notion integration": "secret_{A43}",
    "Airtable": "pat{A14}.{H64}",
    "Contentful": "CFPAT-{W43}",
    "ClickUp": "pk_{D8}_{U32}",
    "Trello": "ATTA{H64}",
    "Atlassian": "ATATT3xFfGF0{W170}={H8}",
    "Bitbucket": "ATBB{A32}",
    "Dropbox": "sl.{W140}",
    "Figma": "figd_{W40}",
    "Adobe": "p8e-{W32}",
    "Postman": "PMAK-{H24}-{H34}",
    "ReadMe": "rdme_{L70}",
    "Grafana service account": "glsa_{A32}_{H8}",
    "Grafana Cloud": "glc_{A80}=",
    "New Relic": "NRAK-{U27}",
    "New Relic licence": "{H36}NRAL",
    "Sentry": "sntryu_{H64}",
    "Dynatrace": "dt0c01.{U24}.{U64}",
    "Honeycomb": "hcaik_{L58}",
    "Axiom": "xaat-{uuid}",
    "Logfire": "pylf_v1_us_{A43}",
    "age": "AGE-SECRET-KEY-1{U58}",
    "Docker": "dckr_pat_{W27}",
    "OpenShift": "sha256~{W43}",
    "Databricks": "dapi{H32}",
    "Twilio": "SK{H32}",
    "PlanetScale": "pscale_tkn_{W43}",
    "Supabase": "sbp_{H40}",
    "Supabase secret": "sb_secret_{W31}",
    "Neon": "napi_{L64}",
    "CockroachDB": "CCDB1_{A22}_{A40}",
    "ClickHouse": "4b1d{A38}",
    "MongoDB Atlas": "mdb_sa_sk_{W40}",
    "Pinecone": "pcsk_{A6}_{A63}",
    "Pulumi": "pul-{H40}",
    "Alibaba": "LTAI{A20}",
    "Tencent": "AKID{A32}",
    "Scaleway": "SCW{U17}",
    "Yandex": "AQVN{W36}",
    "Tailscale": "tskey-auth-{A17}-{A32}",
    "Akamai": "akab-{L16}-{L16}",
    "SonarQube": "sqp_{H40}",
    "Sourcegraph": "sgp_{H16}_{H40}",
    "LaunchDarkly": "sdk-{uuid}",
    "HubSpot": "pat-na1-{uuid}",
    "Intercom": "dG9rO{A54}=",
    "Mapbox": "sk.eyJ{A82}.{W22}",
    "Plaid": "access-production-{uuid}",
    "Braintree": "access_token$production${L16}${H32}",
    "Paddle": "pdl_live_apikey_{L26}_{A22}_{A3}",
    "Razorpay": "rzp_live_{A14}",
    "Flutterwave": "FLWSECK_TEST-{H32}-X",
    "EasyPost": "EZAK{A54}",
    "Shippo": "shippo_live_{H40}",
    "Duffel": "duffel_test_{W43}",
    "Mollie": "live_{A30}",
    "Octopus": "API-{U26}",
    "Prefect": "pnu_{A36}",
    "Infracost": "ico-{A32}",
    "MaxMind": "{A6}_{A29}_mmk",
    "Harness": "pat.{W22}.{H24}.{A20}",
    "Deno": "ddp_{A36}",
    "ElevenLabs": "sk_{H48}",
    "Groq": "gsk_{A52}",
    "xAI": "xai-{A80}",
    "Perplexity": "pplx-{A48}",
    "Replicate": "r8_{A37}",
    "NVIDIA": "nvapi-{W64}",
    "Tavily": "tvly-{A32}",
    "LangSmith": "lsv2_pt_{H32}_{H10}",
    "Jina": "jina_{A60}",
    "Together": "tgp_v1_{W43}",
    "E2B": "e2b_{H40}",
    "JSON Web Token": "{jwt}",
    "private key": "{pem}",
}
"""Kind → its form. `whole` makes Discord's bot tokens, which begin with a number in base64."""

PLACED = {
    "sudo": "echo '%s' | sudo -S apt-get update",
    "sudo without quotes": "echo %s | sudo -S -k systemctl restart app",
    "zip": "zip -r -P '%s' backup.zip src",
    "unzip": "unzip -P %s backup.zip",
    "7z": "7z x -p%s backup.7z",
    "openssl enc": "openssl enc -aes-256-cbc -salt -in a.tar -out a.enc -k %s",
    "openssl pass": "openssl rsa -in key.pem -passin pass:%s -out plain.pem",
    "chpasswd": "echo 'deploy:%s' | chpasswd",
    "passwd here string": "sudo passwd --stdin deploy <<< '%s'",
    "docker stdin": "echo %s | docker login -u ci --password-stdin registry.example.org",
    "docker option": "docker login -u ci -p %s registry.example.org",
    "PHP define": "define('DB_PASSWORD', '%s');",
    "WordPress salt": "define( 'LOGGED_IN_SALT', '%s' );",
    "SAS": "https://acct.blob.core.windows.net/c/b.txt?sv=2022-11-02&sr=b&sp=r&sig=%s%%3D",
    "kubeconfig": "    client-key-data: %s",
    "sshpass": "sshpass -p '%s' ssh root@10.0.0.8 uptime",
    "mysql": "mysql -u root -p%s shop < dump.sql",
    "mysql long": "mysqldump --user=root --password=%s shop",
    "redis": "redis-cli -h cache -a %s ping",
    "mongo": "mongosh --host db -u admin -p '%s' --eval 'db.stats()'",
    "ldap": "ldapsearch -x -D cn=admin,dc=example -w %s -b dc=example",
    "htpasswd": "htpasswd -bc /etc/nginx/users deploy %s",
    "smbclient": "smbclient //nas/share -U 'deploy%%%s'",
    "ssh-keygen": "ssh-keygen -t ed25519 -f id -N '%s'",
    "keytool": "keytool -genkey -keystore app.jks -storepass %s",
    "curl user": "curl -sS -u 'deploy:%s' https://api.example.org/v1",
    "cmdkey": "cmdkey /add:server /user:deploy /pass:%s",
    "net user": "net user deploy %s /add",
    "MinIO": "mc alias set store https://minio.example.org deploy '%s'",
    "RabbitMQ": "rabbitmqctl add_user deploy %s",
    "nmcli": "nmcli dev wifi connect Office password '%s'",
    "sqlplus": "sqlplus -S scott/%s@//db.example.org/XE",
    "sqlcmd": "sqlcmd -S db -U sa -P '%s' -Q 'select 1'",
    "az login": "az login --service-principal -u app -p %s --tenant example",
    "MySQL user": "CREATE USER 'app'@'localhost' IDENTIFIED BY '%s';",
    "PostgreSQL role": "ALTER ROLE app WITH LOGIN PASSWORD '%s';",
    "SQL Server login": "CREATE LOGIN app WITH PASSWORD = '%s';",
    "PowerShell": '$p = ConvertTo-SecureString "%s" -AsPlainText -Force',
    "WPA": 'network={ ssid="Office" psk="%s" }',
    "gpg": "gpg --batch --yes --passphrase '%s' -d a.gpg",
    "wget": "wget --http-user=me --http-password=%s https://files.example.org/a",
    "PGPASSWORD": "PGPASSWORD='%s' psql -h db shop",
    "git remote": "git clone https://deploy:%s@git.example.org/a/b.git",
    "postgres address": "postgresql://app:%s@db.example.org:5432/shop",
    "redis address": "redis://:%s@cache.example.org:6379/0",
    "JDBC": "jdbc:mysql://db/shop?user=app&password=%s",
    "ADO": "Server=db;Database=shop;User Id=app;Password=%s;Encrypt=true",
    "netrc": "machine git.example.org login deploy password %s",
    "npmrc": "//registry.npmjs.org/:_authToken=%s",
    "Basic": "Authorization: Basic %s",
    "Bearer": "Authorization: Bearer %s",
    "Api key header": "X-Api-Key: %s",
    "Cookie": "Cookie: theme=dark; sessionid=%s",
    "AWS secret": "aws_secret_access_key = %s",
    "AWS configure": "aws configure set aws_secret_access_key %s",
    "Azure storage": "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=%s==",
    "Azure service bus": "Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=%s=",
    "Datadog": "DD_API_KEY=%s",
    "Datadog app": "DD_APP_KEY=%s",
    "Cloudflare token": "CLOUDFLARE_API_TOKEN=%s",
    "Algolia": "ALGOLIA_ADMIN_API_KEY=%s",
    "Heroku": "HEROKU_API_KEY=%s",
    "Okta": "Authorization: SSWS 00%s",
    "Twilio auth": "TWILIO_AUTH_TOKEN=%s",
    "Django": "SECRET_KEY = '%s'",
    "Rails": "  secret_key_base: %s",
    "Laravel": "APP_KEY=base64:%s=",
    "Terraform variable": 'db_password = "%s"',
    "kubectl": "kubectl create secret generic db --from-literal=password=%s",
    "Kubernetes secret": "stringData:\n  password: %s",
    "Compose": "environment:\n  - POSTGRES_PASSWORD=%s",
    "XML": "<password>%s</password>",
    "Spring": "spring.datasource.password=%s",
    "OAuth answer": '{"access_token": "%s", "expires_in": 3600}',
    "JWK": '{"kty": "RSA", "n": "AQAB", "d": "%s"}',
    "Ansible": "ansible_become_pass=%s",
    "Japanese password": "パスワード：%s",
    "Japanese token": "トークンは「%s」です",
    "Japanese sentence": "管理画面のパスワードは%sです。",
}  # fmt: skip
"""Kind → the text around the secret, which is `%s`."""
_LONG = {
    **dict.fromkeys(("SAS", "Azure service bus", "Laravel"), "{A43}"),
    **dict.fromkeys(("Datadog", "Datadog app", "Algolia", "Twilio auth"), "{H32}"),
    **dict.fromkeys(("Bearer", "Api key header", "Cookie", "Cloudflare token", "OAuth answer", "Okta"), "{A40}"),
    **dict.fromkeys(("Django", "WordPress salt"), "{A50}"),
    **dict.fromkeys(("AWS secret", "AWS configure"), "{B40}"),
    "npmrc": "{uuid}",
    "Heroku": "{uuid}",
    "Azure storage": "{B86}",
    "Rails": "{H128}",
    "JWK": "{W342}",
}


def whole(lot: Lot) -> dict[str, str]:
    """Kind → a secret of that kind that is recognisable by its own form."""
    made = {kind: drawn(lot, form) for kind, form in WHOLE.items()}
    made["Discord"] = coded(str(lot.randrange(10**17, 10**18))) + drawn(lot, ".{W6}.{W38}")
    return made


def placed(lot: Lot) -> dict[str, tuple[str, str]]:
    """Kind → (a secret that only its context reveals, the text with it)."""
    found = {}
    for kind, place in PLACED.items():
        secret = drawn(lot, _LONG.get(kind, "{pw}"))
        if kind == "kubeconfig":
            secret = base64.b64encode(drawn(lot, "{pem}").encode()).decode()
        elif kind == "Basic":
            secret = base64.b64encode(drawn(lot, "deploy:{pw}").encode()).decode()
        found[kind] = (secret, place.replace("%%", "\0").replace("%s", secret).replace("\0", "%"))
    return found


def secrets(lot: Lot) -> list[tuple[str, str, str]]:
    """Return (kind, secret, text with it), one of each kind."""
    return [*((kind, secret, secret) for kind, secret in whole(lot).items()), *((f"{kind} (placed)", *pair) for kind, pair in placed(lot).items())]


CARRIERS: dict[str, Callable[[str], str]] = {
    "bare": lambda text: text,
    "export": lambda text: f"export SETTING={text}" if " " not in text else f"export A=1\n{text}",
    "JSON": lambda text: json.dumps({"ok": True, "items": [{"name": "値", "value": text}]}, ensure_ascii=False),
    "YAML": lambda text: "jobs:\n  build:\n    note: |\n" + "".join(f"      {line}\n" for line in text.splitlines()),
    ".env": lambda text: f"DEBUG=1\nSETTING={text}\nPORT=8080\n" if " " not in text else f"DEBUG=1\n# {text}\nPORT=8080\n",
    "URL query": lambda text: f"GET https://example.org/callback?state=7&value={quote(text, safe='')}&next=%2Fhome",
    "header": lambda text: f"POST /v1 HTTP/1.1\r\nHost: example.org\r\nX-Debug: {text}\r\n\r\n",
    "curl header": lambda text: (
        f'curl -sS -H "X-Value: {text}" https://example.org/v1' if '"' not in text else f"curl -d @- https://example.org <<E\n{text}\nE"
    ),
    "Python": lambda text: f"value = {text!r}\nprint(len(value))\n",
    "code span": lambda text: f"Use `{text}` for the staging host, not the old one.",
    "log line": lambda text: f"2026-02-03T04:05:06.789Z ERROR worker-3 request failed: {text}\n",
    "diff": lambda text: "@@ -1,2 +1,3 @@\n" + "".join(f"+{line}\n" for line in text.splitlines()) + "-old line\n",
    "JSON-escaped": lambda text: json.dumps({"stdout": json.dumps({"line": text})}),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 in YAML": lambda text: f"data:\n  config: {base64.b64encode(text.encode()).decode()}\n",
    "percent-encoded": lambda text: quote(f"value {text} end", safe=""),
    "Japanese sentence": lambda text: f"昨日の設定では {text} を使っていたので、あとで必ず入れ替えてください。",
}
"""Name → a text around a text. No name in them suggests that the text is secret."""


def leaks(secret: str, text: str) -> bool:
    """Whether `text` still contains eight consecutive characters of the secret, literally or encoded; for a private key, of one of its lines."""
    text = re.sub(r"\[REDACTED:[^\]]*\]", "", text)
    pieces = [line for line in secret.splitlines() if "PRIVATE KEY" not in line]
    pieces = [piece.rpartition("/")[2] if piece.startswith("https://") else piece for piece in pieces]
    return any(piece[at : at + 8] in seen for seen in readings(text) for piece in pieces for at in range(max(1, len(piece) - 7)))


def readings(text: str) -> list[str]:
    """Return the text, and its contents after unescaping, percent-decoding or base64-decoding."""
    from urllib.parse import unquote

    found = [text, unquote(text)]
    for word in re.findall(r"[A-Za-z0-9+/]{24,}", text):
        found.append(base64.b64decode(word[: len(word) // 4 * 4]).decode("utf-8", "replace"))
    return found


ORDINARY = {
    "git SHA": "{H40}",
    "short SHA": "fix: {H7} broke the build, see {H8}",
    "SHA-256": "sha256:{H64}",
    "SHA-512": "{H128}",
    "MD5 sum": "{H32}  release.tar.gz",
    "UUID": "{uuid}",
    "session id": '{"session_id": "{uuid}", "tool_use_id": "toolu_{A24}"}',
    "request id": "request req_{A24} took 40 ms",
    "npm integrity": '"integrity": "sha512-{B86}=="',
    "yarn resolved": 'resolved "https://registry.yarnpkg.com/left-pad/-/left-pad-1.3.0.tgz#{H40}"',
    "pip hash": "requests==2.31.0 --hash=sha256:{H64}",
    "go.sum": "github.com/a/b v1.2.3/go.mod h1:{B43}=",
    "Cargo.lock": 'checksum = "{H64}"',
    "Docker digest": "FROM python:3.12-slim@sha256:{H64}",
    "container id": "CONTAINER {H12} Up 3 minutes 0.0.0.0:5432->5432/tcp",
    "Terraform lock": '  "h1:{B43}=",',
    "Nix path": "/nix/store/{L32}-python3-3.12.1/bin/python3",
    "CocoaPods": "SPEC CHECKSUMS:\n  AFNetworking: {H40}",
    "ETag": 'ETag: W/"{H8}-{A27}"',
    "asset name": "dist/assets/index-{A8}.js  142.31 kB",
    "source map": "//# sourceMappingURL=app.{H20}.js.map",
    "inline picture": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAA{B80}==",
    "font": "src: url(data:font/woff2;base64,d09GMgABAAAAA{B80})",
    "inline script hash": "Content-Security-Policy: script-src 'sha256-{B43}='",
    "colours": "color: #{H6}; background: #{H8}; border-color: rgba(12, 34, 56, .5)",
    "CSS class": "sk-toggleable__content md-select-value-2 fc-daygrid-day-top css-1{L6}",
    "ticket": "PROJ-{D5}: fix the login form (see API-{D4})",
    "semver": "v1.{D2}.0-rc.1+build.{D8}",
    "timestamp": "2026-02-03T04:05:06.{D6}Z",
    "epoch": '{"created": 17{D11}, "tokens": {D5}}',
    "IPv4": "inet 10.{D2}.0.{D1}/24 brd 10.0.0.255",
    "IPv6": "2001:db8:{H4}:{H4}:{H4}:{H4}:{H4}:{H4}",
    "MAC": "ether {H2}:{H2}:{H2}:{H2}:{H2}:{H2}",
    "path": "/srv/app/releases/{D14}/node_modules/@scope/pkg/dist/index.mjs",
    "Windows path": "C:\\Users\\ann\\AppData\\Local\\Temp\\tmp{L8}\\out.txt",
    "temporary folder": "/tmp/pytest-of-ann/pytest-{D2}/test_a0/{L8}",
    "stack frame": '  File "/usr/lib/python3.12/asyncio/base_events.py", line {D3}, in run_until_complete',
    "address": "<Response object at 0x7f{H10}>",
    "thread": "thread 'main' panicked at src/main.rs:{D2}:{D1}: index out of bounds",
    "Go tests": "--- PASS: TestParse_TooShort{D1}Chars (0.0{D1}s)\n    --- FAIL: TestAuth/{H7} (0.00s)",
    "branch": "On branch feature/auth: {H7} Add the token table",
    "minified code": "function a(e,t){return e.key===t.token?n(e.password,r[{D2}]):o.secret(i)}",
    "minified names": "var aB3={cD4:function(eF5,gH6){return eF5[gH6.kI7]}};",
    "camel case": "shouldReturn{D3}WhenTheUserIsMissingFromTheDirectory",
    "test name": "test_shouldReturn{D3}WhenTheUserIsMissing_andTheTokenIsOld",
    "constant": "MAX_TOKENS_PER_REQUEST_V{D1} = DEFAULT_TOKEN_LIMIT_{D4}",
    "environment name": "export API_TOKEN=$CI_API_TOKEN DB_PASSWORD=${DB_PASSWORD}",
    "template": "password: {{ vault_db_password }}  token: ${{ secrets.NPM_TOKEN }}",
    "placeholder": "API_KEY=<your-api-key> TOKEN=xxxxxxxxxxxxxxxx SECRET=changeme",
    "masked": "token: ghp_************************************",
    "masked password": "password=******** user=ann",
    "example tokens": "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "type": "password: Optional[str] = None, token: string | undefined",
    "reading": "const token = process.env.API_TOKEN_{D2}; password = getpass.getpass()",
    "comparison": "if (token === tokens[{D1}] && password != previousPassword{D1}) return",
    "prose": "Please rotate the API key and the database password before release {D1}.{D2}.",
    "question": "Why does the token expire after {D2} minutes? Is the secret wrong?",
    "advice": "Never commit a password; the token belongs in the environment, the key in the keyring.",
    "limits": "The prompt used {D5} tokens, the answer {D4}; max_tokens is 4096.",
    "HTTP status": "401 Unauthorized: bearer token missing or expired (request {D6})",
    "header names": "Access-Control-Allow-Headers: Authorization, X-Api-Key, Content-Type",
    "scheme": "Authorization: Bearer <token> or Authorization: Basic $CREDENTIALS",
    "address with port": "http://localhost:{D4}/api/v1/users?page=2&sort=name",
    "address with mail": "https://example.org/u/ann@example.org/posts/{D6}",
    "git address": "git@github.com:acme/shop.git and ssh://git@github.com:22/acme/shop.git",
    "query": "https://example.org/search?q=hello%20world&lang=ja&id={D8}&hash={H16}",
    "percent-encoded path": "/files/%E8%A8%AD%E8%A8%88/%E6%A4%9C%E7%B4%A2-{D4}.md?x=%2Fhome",
    "printf": 'printf("%08x %2d%% %-20s\\n", id, {D2}, name)',
    "escaped JSON": '{\\"name\\": \\"caf\\u00e9\\", \\"id\\": {D6}, \\"html\\": \\"\\u003cb\\u003e\\"}',
    "base64 prose": "SGVsbG8sIHRoaXMgaXMgYW4gb3JkaW5hcnkgc2VudGVuY2Ugb2YgYSBtYWls",
    "base64 JSON": "eyJuYW1lIjoic2hvcCIsInZlcnNpb24iOiIxLjIuMyIsInByaXZhdGUiOnRydWV9",
    "base64 bytes": "payload={B120}",
    "public key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B43} ann@laptop",
    "certificate": "-----BEGIN CERTIFICATE-----\nMIID{B60}\n{B64}\n-----END CERTIFICATE-----",
    "fingerprint": "256 SHA256:{B43} ann@laptop (ED25519)",
    "PGP key id": "gpg: key {U16}: public key imported",
    "ULID": "01H{U23}",
    "nano id": "order_{A14}",
    "Kubernetes pod": "pod/api-7d9f8b{H4}-x{L4} 1/1 Running 0 3d",
    "AWS names": "arn:aws:iam::{D12}:role/deploy ami-{H17} vpc-{H8} sg-{H17}",
    "build id": "Build #{D5} (jenkins-app-main-{D5}) finished: SUCCESS",
    "Japanese": "トークン数は{D5}、パスワード欄の幅は{D2}文字です。秘密鍵の置き場所は別紙の通り。",
    "Japanese request": "APIキーの更新手順とパスワードの再設定方法を書いてください（#{D4}）。",
    "Japanese log": "エラー: 認証トークンが無効です（コード {D3}、{D2}回目）",
    "commands": "docker run -p 8080:80 -e MODE=prod app; mysql -u root -p shop; zip -r a.zip src; echo done | tee -a log",
    "sudo": "echo 'net.core.somaxconn=1024' | sudo tee /etc/sysctl.d/9.conf; sudo -S true < /dev/null",
    "from a variable": 'echo "$DOCKER_TOKEN" | docker login -u ci --password-stdin; openssl enc -k "$PW" -in a; zip -P $PW b.zip',
    "from a file": "docker login --password-stdin < token.txt; openssl rsa -passin env:PW; curl -u \"$USER:$PASS\" https://a.example",
    "SQL": "SELECT id, password_hash, token_count FROM users WHERE api_key_id = {D4} AND secret IS NULL",
    "define": "define('WP_DEBUG', true); define('DB_PASSWORD', getenv('DB_PASSWORD'));",
}  # fmt: skip
"""Kind → a text that looks like a secret, or mentions one, and contains none."""


def ordinary(lot: Lot) -> dict[str, str]:
    return {kind: drawn(lot, form) for kind, form in ORDINARY.items()}
