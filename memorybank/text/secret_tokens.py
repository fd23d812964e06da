"""Secrets that can be told by their own look: the prefix that a vendor gives its tokens, JSON Web Tokens, PEM private keys.

All work on UTF-8 bytes, where searching is fast and other characters than ASCII need no care: a byte from 0x80 on is part of
no token. What ordinary text costs is one table look-up per byte, a search for long words, and a search for each hint in these
few words only.

Light imports only: hooks load this file. The prefixes follow the vendors' pages and the public rules of gitleaks and
detect-secrets.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Found = tuple[int, int, str]
    """start, end (byte offsets) and the name of the rule."""
    Check = Callable[[bytes], bool]

DIGITS = b"0123456789"
UPPER = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = b"abcdefghijklmnopqrstuvwxyz"
LETTERS = UPPER + LOWER
ALNUM = LETTERS + DIGITS
WORD = ALNUM + b"_-"
HEX = DIGITS + b"abcdef"
_DOTTED = WORD + b"."
_SLACK = ALNUM + b"-%"
_CAPITALS = UPPER + DIGITS
_BASE64 = ALNUM + b"+/="


def mixed(body: bytes) -> bool:
    """Whether `body` looks drawn by lot: digits among letters of both cases, or digits in 20 letters and digits without a break."""
    if body.isalpha() or not has_digit(body):
        return False
    if not (body.islower() or body.isupper()):
        return True
    return any(len(piece) >= 20 for piece in body.replace(b"_", b"-").split(b"-"))


def has_digit(body: bytes) -> bool:
    """Whether a digit is among the signs."""
    return len(body.translate(None, DIGITS)) < len(body)


def varied(body: bytes) -> bool:
    """Not a row of x or * that stands for a token."""
    return len(set(body)) > 5


def _crosses(signs: bytes) -> bytes:
    """The table that makes `signs` an x and every other byte a blank."""
    others = bytes(range(256)).translate(None, signs)
    return bytes.maketrans(signs + others, b"x" * len(signs) + b" " * len(others))


# rule, prefixes, signs of the rest, its least length, what the rest must also be, whether a letter or digit may stand before
TOKENS: tuple[tuple[str, tuple[bytes, ...], bytes, int, Check, bool], ...] = (
    ("aws", (b"AKIA", b"ASIA", b"ABIA", b"ACCA"), _CAPITALS, 16, varied, False),
    ("github", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), ALNUM, 30, varied, True),
    ("github", (b"github_pat_",), ALNUM + b"_", 22, varied, True),
    (
        "gitlab",
        (b"glpat-", b"gldt-", b"glrt-", b"glrtr-", b"glptt-", b"glcbt-", b"glsoat-", b"glft-", b"glimt-", b"glagent-", b"gloas-", b"glffct-"),
        _DOTTED,
        20,
        varied,
        True,
    ),
    ("slack", (b"xoxb-", b"xoxp-", b"xoxa-", b"xoxr-", b"xoxs-", b"xoxo-", b"xoxc-", b"xoxd-", b"xoxe-", b"xapp-"), _SLACK, 12, varied, True),
    ("slack", (b"xoxe.",), _SLACK + b".", 16, varied, True),
    ("stripe", (b"sk_live_", b"sk_test_", b"rk_live_", b"rk_test_", b"pk_live_", b"pk_test_", b"whsec_"), ALNUM, 16, varied, False),
    ("anthropic", (b"sk-ant-",), WORD, 16, varied, False),
    ("openai", (b"sk-",), WORD, 20, mixed, False),
    ("google", (b"AIza",), WORD, 35, varied, False),
    ("google", (b"GOCSPX-",), WORD, 20, varied, True),
    ("google", (b"ya29.",), _DOTTED, 20, varied, False),
    ("npm", (b"npm_",), ALNUM, 30, varied, True),
    ("pypi", (b"pypi-",), WORD, 30, mixed, True),
    ("huggingface", (b"hf_",), ALNUM, 30, varied, False),
    ("digitalocean", (b"dop_v1_", b"doo_v1_", b"dor_v1_"), HEX, 32, varied, True),
    ("sendgrid", (b"SG.",), _DOTTED, 40, mixed, False),
    ("shopify", (b"shpat_", b"shpca_", b"shppa_", b"shpss_"), ALNUM, 32, varied, True),
    ("square", (b"sq0atp-", b"sq0csp-"), WORD, 22, varied, True),
    ("vault", (b"hvs.", b"hvb."), WORD, 24, mixed, False),
    ("doppler", (b"dp.pt.", b"dp.st.", b"dp.ct.", b"dp.sa."), _DOTTED, 30, varied, False),
    ("linear", (b"lin_api_",), ALNUM, 30, varied, True),
    ("notion", (b"ntn_", b"secret_"), ALNUM, 40, mixed, False),
    ("postman", (b"PMAK-",), ALNUM + b"-", 32, varied, False),
    ("grafana", (b"glsa_", b"glc_"), _BASE64 + b"_", 32, mixed, False),
    ("newrelic", (b"NRAK-",), _CAPITALS, 27, varied, False),
    ("age", (b"AGE-SECRET-KEY-1",), _CAPITALS, 40, varied, True),
    ("docker", (b"dckr_pat_", b"dckr_oat_"), WORD, 20, varied, True),
    ("rubygems", (b"rubygems_",), HEX, 32, varied, True),
    ("sentry", (b"sntrys_", b"sntryu_"), ALNUM + b"+/=_", 32, varied, True),
    ("atlassian", (b"ATATT3", b"ATBB", b"ATCTT3"), _DOTTED + b"=", 24, mixed, False),
    ("databricks", (b"dapi",), HEX + b"-", 32, varied, False),
    ("twilio", (b"SK",), HEX, 32, varied, False),
    ("mailgun", (b"key-",), HEX, 32, varied, False),
    ("planetscale", (b"pscale_tkn_", b"pscale_pw_", b"pscale_oauth_"), _DOTTED, 30, varied, True),
    ("figma", (b"figd_",), WORD, 30, varied, False),
    ("supabase", (b"sbp_", b"sb_secret_"), WORD, 20, mixed, False),
    ("pulumi", (b"pul-",), HEX, 40, varied, False),
    ("alibaba", (b"LTAI",), ALNUM, 16, mixed, False),
    ("telegram", (b":AA",), WORD, 33, mixed, True),
    ("inference", (b"gsk_", b"xai-", b"pplx-", b"r8_", b"nvapi-", b"tvly-", b"lsv2_pt_", b"jina_"), WORD, 28, mixed, False),
)  # fmt: skip
JWT = "jwt"
PRIVATE_KEY = "private_key"
AWS_SECRET = "aws_secret"
RULES = (*dict.fromkeys(row[0] for row in TOKENS), JWT, PRIVATE_KEY, AWS_SECRET)

_LONG = 16
"""Every token has this many letters, digits, `_` or `-` in a row; ordinary words seldom do."""
_LONG_RUN = b"x" * _LONG
_RUNS = _crosses(WORD)
_BEFORE = 8
"""A long word is searched with what stands before it: `SG.`, `ya29.` end in a sign that is no part of a word."""
_HEAD = 96
"""Where in a long word a token begins at the latest."""
_NAME_SIGNS = LOWER + b"_-"
_HASH_SIGNS = HEX + b"-"
_MANY_WORDS = 256
_BLOB = 600
_BLOB_RUN = b"x" * _BLOB
_BLOBS = _crosses(_BASE64 + b"_-")
_HINT = 5
_FOLD = bytes(bytearray(range(256))).lower().translate(bytes.maketrans(b"ours", b"pppp"))
"""Lower case, and o u r s as p: `ghp_ gho_ ghu_ ghs_ ghr_` or `sk_ rk_` are then one hint to search for."""


def _by_hint() -> dict[bytes, list[tuple[bytes, int]]]:
    """{folded beginning: [(prefix, row of TOKENS)]}."""
    found: dict[bytes, list[tuple[bytes, int]]] = {}
    for number, row in enumerate(TOKENS):
        for prefix in row[1]:
            found.setdefault(prefix[:_HINT].translate(_FOLD), []).append((prefix, number))
    return found


_BY_HINT = _by_hint()


def find(data: bytes) -> list[Found]:
    """Every token, JSON Web Token and private key of `data`, in no order; a stretch may be found by two rules."""
    found: list[Found] = []
    words, count = _long_words(data)
    if count > _MANY_WORDS and count * _LONG * 8 > len(data):
        data = _without_blobs(data)
        words, _ = _long_words(data)
    if words:
        folded = words.translate(_FOLD)
        for hint, prefixes in _BY_HINT.items():
            if hint in folded:
                for prefix, number in prefixes:
                    found += _tokens(data, prefix, number)
        if b"eyJ" in words:
            found += _web_tokens(data)
    if b"PRIVATE" in data:
        found += _private_keys(data)
    return found


def may_hold(data: bytes) -> bool:
    """Whether `find` could find anything in a part of `data` between line ends that has less than `_MANY_WORDS` long words: what it asks first."""
    words, _ = _long_words(data)
    folded = words.translate(_FOLD)
    return b"PRIVATE" in data or b"eyJ" in words or any(hint in folded for hint in _BY_HINT)


def positions(data: bytes, part: bytes) -> Iterator[int]:
    """Where `part` stands in `data`, left to right."""
    at = data.find(part)
    while at >= 0:
        yield at
        at = data.find(part, at + 1)


def reach(data: bytes, start: int, signs: bytes, most: int = 0) -> int:
    """Where the row of `signs` that begins at `start` ends; after `most` signs at the latest, when it is not 0."""
    end = start
    while True:
        piece = data[end : end + 4096] if not most else data[end : start + most]
        rest = piece.lstrip(signs)
        end += len(piece) - len(rest)
        if rest or not piece or most:
            return end


def stands_free(data: bytes, at: int) -> bool:
    """Whether no word runs on into `at`; the letter of an escape (`\\n`, `%3D`, `\\u003d`, a colour's `m`) is no word."""
    if not at or data[at - 1] not in WORD:
        return True
    before = data[max(0, at - 8) : at]
    return (
        (before[-2:-1] == b"\\" and before[-1] in b"nrtbfv0")
        or (before[-3:-2] == b"%" and not before[-2:].lower().strip(HEX))
        or (before[-6:-4] == b"\\u" and not before[-4:].lower().strip(HEX))
        or (before[-1:] == b"m" and before[:-1].rstrip(DIGITS + b";").endswith(b"["))
    )


def _without_blobs(data: bytes) -> bytes:
    """`data` with the inside of long base64 (pictures, archives) as a row of A: no token begins there, and it would be slow to look."""
    runs = data.translate(_BLOBS)
    at = runs.find(_BLOB_RUN)
    if at < 0:
        return data
    pieces: list[bytes] = []
    past = 0
    while at >= 0:
        end = runs.find(b" ", at + _BLOB)
        end = len(runs) if end < 0 else end
        pieces += (data[past : at + _HEAD], b"A" * (end - at - 2 * _HEAD), data[end - _HEAD : end])
        past = end
        at = runs.find(_BLOB_RUN, end)
    return b"".join((*pieces, data[past:]))


def _long_words(data: bytes) -> tuple[bytes, int]:
    """The beginnings of the different long words, each with the few bytes before it, a line each, names and hashes left out;
    and how many long words there are."""
    runs = data.translate(_RUNS)
    words: set[bytes] = set()
    count = 0
    at = runs.find(_LONG_RUN)
    while at >= 0:
        count += 1
        end = runs.find(b" ", at + _LONG)
        if end < 0:
            end = len(runs)
        word = data[at : at + _HEAD if end > at + _HEAD else end]
        if word.translate(None, _NAME_SIGNS) and word.translate(None, _HASH_SIGNS):
            words.add(data[at - _BEFORE if at > _BEFORE else 0 : at] + word)
        at = runs.find(_LONG_RUN, end)
    return b"\n".join(words), count


def _tokens(data: bytes, prefix: bytes, number: int) -> Iterator[Found]:
    rule, _, signs, least, check, glued = TOKENS[number]
    past = 0
    for at in positions(data, prefix):
        if at >= past and (glued or stands_free(data, at)):
            body = at + len(prefix)
            past = end = reach(data, body, signs)  # what begins within the same row of signs ends with it, and is no better than the whole
            if rule == "telegram":
                at = _number_before(data, at)
                if body - at < 9:
                    continue
            if end - body >= least and check(data[body:end]) and not (rule == "aws" and _is_part_of_word(data, end, end - body)):
                yield at, body + len(data[body:end].rstrip(b".-%")), rule
                if rule == "aws":
                    yield from _aws_secret(data, end)


def _number_before(data: bytes, at: int) -> int:
    """Where the number begins that ends at `at` (the bot's, in Telegram's tokens)."""
    before = data[max(0, at - 12) : at]
    return at - len(before) + len(before.rstrip(DIGITS))


def _is_part_of_word(data: bytes, end: int, length: int) -> bool:
    """An AWS key id has 16 signs and no more: longer capitals, and base64, are something else."""
    return length != 16 or data[end : end + 1] in (b"/", b"+", b"=") or data[end : end + 1].isalnum()


def _aws_secret(data: bytes, start: int) -> Iterator[Found]:
    """The 40 signs of the secret that a list, an export or a CSV file shows behind its key id."""
    at, border = start, start + 160
    while at < border and at < len(data):
        at = reach(data, at, b" \t\r\n\"',:;=|\\") if data[at] not in _BASE64 else at
        end = reach(data, at, ALNUM + b"+/")
        if end - at == 40 and mixed(data[at:end]):
            yield at, end, AWS_SECRET
            return
        at = max(end, at + 1)


def _web_tokens(data: bytes) -> Iterator[Found]:
    """`eyJ…` `.` claims `.` signature (RFC 7519); the signature may be missing, further parts (encrypted ones, RFC 7516) may follow."""
    past = 0
    for at in positions(data, b"eyJ"):
        if at < past or not stands_free(data, at):
            continue
        dot = reach(data, at, WORD)
        if dot - at < 12 or data[dot : dot + 1] != b".":
            continue
        claims = reach(data, dot + 1, WORD)
        if claims - dot > 8:
            past = reach(data, claims, _DOTTED)
            yield at, at + len(data[at:past].rstrip(b".")), JWT


def _private_keys(data: bytes) -> Iterator[Found]:
    """From BEGIN to END, both included (RFC 7468, and PGP blocks); without END as far as the base64 goes, without BEGIN back as far."""
    past = closing = 0
    for at in positions(data, b"PRIVATE"):
        line = data[max(0, at - 40) : at]
        begin, end = line.rfind(b"-----BEGIN"), line.rfind(b"-----END")
        if at < past or max(begin, end) < 0:
            continue
        if begin > end:
            start = max(0, at - 40) + begin
            body = _end_of_line(data, at)
            closing = data.find(b"-----END", body) if 0 <= closing < body else closing
            past = _end_of_key(data, body, closing)
        else:
            start = max(past, max(0, at - 40) + end)
            start -= _base64_before(data[past:start])
            past = _end_of_line(data, at)
        if past - start > 60:
            yield start, past, PRIVATE_KEY


def _end_of_line(data: bytes, at: int) -> int:
    """Behind the dashes that close the line of `PRIVATE KEY`."""
    dashes = data.find(b"-----", at, at + 45)
    return reach(data, dashes, b"-") if dashes >= 0 else at + len(b"PRIVATE")


def _end_of_key(data: bytes, body: int, closing: int) -> int:
    """body: where the key's lines begin; closing: where the next `-----END` stands, -1 without one."""
    if closing >= 0 and data.find(b"-----BEGIN", body, closing) < 0:
        private = data.find(b"PRIVATE", closing, closing + 47)
        return _end_of_line(data, private if private >= 0 else closing)
    return reach(data, body, _BASE64 + b" \t\r\n\\\"'-:,")


def _base64_before(data: bytes) -> int:
    """How many bytes at the end of `data` can be the lines of a key."""
    kept = data.rstrip(_BASE64 + b" \t\r\n\\")
    line = data.find(b"\n", max(0, len(kept) - 1))
    return len(data) - (line + 1 if line >= 0 else len(kept))
