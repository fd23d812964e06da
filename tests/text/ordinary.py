"""Lines that look strange and contain no secrets: hashes, ids, lock files, code, output, Japanese. All are random."""

import base64
import random
import string
import uuid

ALNUM = string.ascii_letters + string.digits
NAMES = str.split("token user cache session handler parser request_id config password_field key item index render buffer secret_name retry client")
WORDS = str.split("the bank keeps its notes and every index may be stale so a token count or a password field is only a word here")
JAPANESE = [
    "検索の索引を更新しました。",
    "設定ファイルを確認してください。",
    "トークン数を数えます。",
    "パスワード欄の表示を直す。",
    "秘密鍵の置き場所は別紙の通り。",
    "テストは成功した。",
]


def draw(lot: random.Random, signs: str, length: int) -> str:
    return "".join(lot.choice(signs) for _ in range(length))


def hexadecimal(lot: random.Random, length: int) -> str:
    return draw(lot, "0123456789abcdef", length)


def integrity(lot: random.Random) -> str:
    return "sha512-" + base64.b64encode(lot.randbytes(64)).decode()


def name(lot: random.Random) -> str:
    return lot.choice(NAMES)


def line(lot: random.Random) -> str:
    kind = lot.randrange(24)
    sha, number = hexadecimal(lot, 40), lot.randrange(10**6)
    return [
        f"commit {sha}",
        f"{sha[:8]} ({name(lot)}) {' '.join(lot.sample(WORDS, 6))}",
        f'      "integrity": "{integrity(lot)}",',
        f'    resolved "https://registry.yarnpkg.com/{name(lot)}/-/{name(lot)}-1.{number % 30}.0.tgz#{sha}"',
        f"{name(lot)}=={number % 9}.1.0 --hash=sha256:{hexadecimal(lot, 64)}",
        f"github.com/{name(lot)}/{name(lot)} v1.2.{number % 90} h1:{base64.b64encode(lot.randbytes(32)).decode()}",
        f'checksum = "{hexadecimal(lot, 64)}"',
        f'{{"id": "{uuid.UUID(int=lot.getrandbits(128))}", "session_id": "{uuid.UUID(int=lot.getrandbits(128))}", "tokens": {number}}}',
        f"sha256:{hexadecimal(lot, 64)}  {name(lot)}.tar.gz",
        f"    self.{name(lot)} = {name(lot)}.get_token({number})",
        f"    {name(lot)}: str = field(default=os.environ.get('API_TOKEN', ''))",
        f"password = getpass.getpass('Password: ')  # {number}",
        f"if token == tokens[{number % 9}]: return secret_{name(lot)}(password=password, token=self.token)",
        f"API_KEY=${{API_KEY}} DB_PASSWORD=$DB_PASSWORD python -m app --{name(lot)}={number}",
        f"password: <your password>   api_key: ${{{{ secrets.{name(lot).upper()} }}}}",
        lot.choice(JAPANESE) + f"（{number}件）" + lot.choice(JAPANESE),
        f"2026-0{1 + number % 9}-11T08:{10 + number % 49}:07.{number}Z INFO {name(lot)} took {number} ms token_count={number}",
        f'  File "/usr/lib/python3.12/site-packages/{name(lot)}/{name(lot)}.py", line {number}, in {name(lot)}_{name(lot)}',
        f"https://example.org/{name(lot)}/{number}?page={number % 9}&sort=key&next_page={draw(lot, string.digits, 12)}",
        f'<img src="data:image/png;base64,{base64.b64encode(lot.randbytes(45)).decode()}">',
        f"def test_{name(lot)}_{name(lot)}_returns_{name(lot)}(client, {name(lot)}):",
        f"toolu_{draw(lot, ALNUM, 24)} msg_{draw(lot, ALNUM, 24)} req_{draw(lot, ALNUM, 24)}",
        f"Authorization: Bearer <token>   Authorization header of {name(lot)} is required",
        f"-{' '.join(lot.choices(WORDS, k=9))}: {name(lot)} /srv/data/{name(lot)}/{hexadecimal(lot, 12)}.bin",
    ][kind]


def lines(count: int, seed: int = 7) -> list[str]:
    lot = random.Random(seed)
    return [line(lot) for _ in range(count)]
