"""A text is found in every form in which it was written, and removed without a trace."""

import base64
import json
import re
import textwrap
from unicodedata import normalize
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import UsageError
from memorybank.text.secrets.needle import MARK, PurgeNeedle

TEXTS = (
    *("hunter2-is-secret", "パスワードはガラス", 'a "quoted" \\ back\\slash', "line one\nline two\tend"),
    *("Zoë Łuksić ế", "한국어 비밀", "🔑🗝 key", "C:\\users\\new"),
)


def forms(text: str) -> list[str]:
    """Return the forms of a text in a file: literal, decomposed, in JSON, in JSON inside JSON, with other line ends."""
    found = [text, normalize("NFD", text), text.replace("\n", "\r\n")]
    for ascii_only in (True, False):
        for form in (text, normalize("NFD", text)):
            once = json.dumps(form, ensure_ascii=ascii_only)[1:-1]
            found += [once, json.dumps(once, ensure_ascii=ascii_only)[1:-1], json.dumps(json.dumps(once)[1:-1])[1:-1]]
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_every_form_is_found_and_taken_out(text):
    needle = PurgeNeedle(text)
    for form in forms(text):
        data = f"before {form} after".encode()
        assert needle.is_in(data), form
        assert needle.replaced(data) == f"before {MARK} after".encode(), form
        assert not needle.is_in(needle.filled(data))
        assert len(needle.filled(data)) == len(data)


def encoded(text: str) -> dict[str, tuple[bytes, bytes]]:
    """Return {name: (text, what is left of it without the text)} of a text inside other encodings, between other data."""
    found = {"form in a URL": (f"?q={quote_plus(text)}&b".encode(), b"?q=[PURGED]&b")}
    for name, form in {"composed": text, "decomposed": normalize("NFD", text)}.items():
        small = re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), quote(form, safe=""))
        for way, written in {"path": quote(form), "in lower case": small, "twice": quote(quote(form, safe=""), safe="")}.items():
            found[f"{name}, URL, {way}"] = (b"a/" + written.encode() + b"/c", b"a/[PURGED]/c")
        for codec in ("utf-16-le", "utf-16-be"):
            found[f"{name}, {codec}"] = (f"<{form}>".encode(codec), f"<{MARK}>".encode(codec))
        for before in range(3):
            data = base64.b64encode(b"usr"[:before] + form.encode() + b"::")
            found[f"{name}, Base64 after {before}"] = (data, data)
            found[f"{name}, Base64 for URLs after {before}"] = (data.translate(bytes.maketrans(b"+/", b"-_")), data)
            found[f"{name}, Base64 in a URL after {before}"] = (quote(data, safe="").encode(), data)
            wrapped = "\n".join(textwrap.wrap(data.decode(), 7))
            found[f"{name}, wrapped Base64 after {before}"] = (wrapped.encode(), data)
            found[f"{name}, wrapped Base64 in JSON after {before}"] = (json.dumps(wrapped.replace("\n", "\r\n")).replace("/", "\\/").encode(), data)
        found[f"{name}, Base64 of JSON"] = (base64.b64encode(json.dumps({"a": form}).encode()), b"")
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_other_encodings_are_found_and_taken_out(text):
    needle = PurgeNeedle(text)
    for name, (data, left) in encoded(text).items():
        assert needle.is_in(data), name
        assert MARK.encode() in needle.replaced(data).replace(b"\0", b""), name
        assert not needle.is_in(needle.replaced(data)), name
        assert len(needle.filled(data)) == len(data) and not needle.is_in(needle.filled(data)), name
        if MARK.encode() in left.replace(b"\0", b""):
            assert needle.replaced(data) == left, name
        else:
            assert len(needle.replaced(data)) < 8 + len(MARK) + len(data) - len(text.encode()), f"{name}: more of it is left than its edges"


@pytest.mark.parametrize("text", ["one long phrase of words", "合言葉はガギグです、長い文", "token-without-any-blank"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_text_that_was_wrapped_is_found(text, ends):
    needle = PurgeNeedle(text)
    for at in range(1, len(text)):
        for continued in (f"{ends}", f"{ends}> ", f" {ends}    "):
            data = f"a {text[:at].rstrip()}{continued}{text[at:].lstrip()} b"
            assert needle.replaced(data.encode()) == f"a {MARK} b".encode(), data
            assert needle.replaced(json.dumps(data).encode()) == json.dumps(f"a {MARK} b").encode(), data
    assert not needle.is_in(f"{text[:5]}{ends * 4}{text[5:]}".encode()), "blank lines begin another paragraph"


@pytest.mark.slow
def test_a_long_text_is_found_entirely():
    """A private key: many lines, of which only the first segment is compiled before it occurs."""
    lines = textwrap.wrap("".join(chr(97 + (number * number) % 26) for number in range(3_000)), 64)
    text = "\n".join(["-----BEGIN KEY-----", *lines, "-----END KEY-----"])
    needle = PurgeNeedle(text)
    for written in (text, text.replace("\n", "\r\n"), json.dumps(text)[1:-1], text.replace("\n", "\n    "), quote(text)):
        assert needle.replaced(f"a {written} b".encode()) == f"a {MARK} b".encode()
    assert needle.is_in(base64.b64encode(b"a" + text.encode()))
    assert needle.masked(f"it said {lines[7]} there") == f"it said {MARK} there", "excerpts take over single lines"
    assert not needle.is_in(b"-----BEGIN KEY-----")
    one_line = PurgeNeedle("".join(lines))
    assert one_line.is_in("".join(lines).encode())
    assert not one_line.is_in("".join(lines)[:-1].encode())
    assert not one_line.is_in(base64.b64encode("".join(lines)[:-3].encode()))


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_on_one_line_is_found_where_its_line_ends_were_joined(text):
    for join in (" ", " · "):
        for written in (text.replace("\n", join), json.dumps(text.replace("\n", join))[1:-1]):
            assert PurgeNeedle(text).replaced(f"a {written} b".encode()) == f"a {MARK} b".encode()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_more_than_half_of_it_next_to_an_ellipsis_is_taken_out(text, form):
    """Summaries and excerpts are cut anywhere."""
    needle = PurgeNeedle(text)
    half = -(-len(text) // 2)
    for length in range(max(half, 4), len(text)):
        cut = normalize(form, f"why {normalize('NFC', text)[:length]}… x")
        assert needle.replaced(cut.encode()) == f"why {MARK} x".encode(), cut
        assert needle.replaced(json.dumps(cut).encode()) == json.dumps(f"why {MARK} x").encode(), cut
        cut = normalize(form, f"x …{normalize('NFC', text)[-length:]} y")
        assert needle.replaced(cut.encode()) == f"x {MARK} y".encode(), cut
        assert needle.replaced(json.dumps(cut).encode()) == json.dumps(f"x {MARK} y").encode(), cut
    assert not needle.is_in(f"{text[: half - 1]}…".encode())
    assert not needle.is_in(f"{text[:half]} and more…".encode())


def test_other_texts_are_left_alone():
    needle = PurgeNeedle("hunter2-is-secret")
    for other in ("hunter2 is secret", "hunter2-is-secre", "HUNTER2-IS-SECRET", "hunter2-is\n\n-secret", quote("hunter2 is secret"), "aHVudGVyMi"):
        assert needle.replaced(other.encode()) == other.encode()


def test_a_few_characters_are_not_searched_in_base64():
    """The Base64 of four characters is five signs long, and so short a text also occurs in unrelated data."""
    assert not PurgeNeedle("abcd").is_in(base64.b64encode(b"abcd"))
    assert PurgeNeedle("abcde").is_in(base64.b64encode(b"abcde"))


def test_names_count_as_the_text():
    needle = PurgeNeedle("hunter2 is secret").with_names(["rule-hunter2-secret-1234.md"])
    assert needle.masked("active/learned/rule-hunter2-secret-1234.md") == f"active/learned/{MARK}"
    assert needle.masked("hunter2 is secret") == MARK


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=4, max_size=12), st.sampled_from(("NFC", "NFD", "NFKC")))
def test_any_text_is_found_composed_or_not(text, form):
    text = normalize(form, text)
    try:
        needle = PurgeNeedle(text)
    except UsageError:
        return
    for written in (text, normalize("NFC", text), normalize("NFD", text), json.dumps(text), json.dumps(normalize("NFD", text), ensure_ascii=False)):
        assert needle.is_in(written.encode())


def test_a_text_composed_in_part_is_found():
    assert PurgeNeedle("ガギグゲ").is_in("ガキ\u3099グケ\u3099".encode())
    assert PurgeNeedle("ếếếế").is_in("e\u0302\u0301ế\u00ea\u0301ế".encode())


@pytest.mark.parametrize("text", ["", "abc", "  a b c  ", "秘密鍵", "\n\n\n\n", "PURGED", "[PUR", "####"])
def test_what_cannot_be_purged_is_refused_without_repeating_it(text):
    with pytest.raises(UsageError) as refused:
        PurgeNeedle(text)
    assert not text.strip() or text not in refused.value.message + refused.value.next_step


def test_a_needle_never_shows_its_text():
    needle = PurgeNeedle("hunter2-is-secret")
    assert "hunter2" not in repr(needle) + str(needle)


def test_a_value_of_a_log_line_never_grows():
    needle = PurgeNeedle("abcd")
    assert needle.without({"a": ["xabcdy", 5, None]}) == {"a": ["x####y", 5, None]}
    assert PurgeNeedle("secret-branch").without("fix/secret-branch") == "fix/[PURGED]"


def test_names_in_a_value_count():
    assert PurgeNeedle("secret-name").without({"other": {"secret-name": ["secret-name"]}}) == {"other": {MARK: [MARK]}}
    assert PurgeNeedle("secret-name").is_held({"other": {"secret-name": 1}})
    assert not PurgeNeedle("secret-name").is_held({"other": ["secret", "name", 7]})


@pytest.mark.parametrize("text", ["0123456789abcdef", "これはガギグの合言葉です"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_half_of_it_at_a_cut_counts(text, form):
    needle = PurgeNeedle(text)
    half = -(-len(text) // 2)

    def begin(length: int) -> str:
        return normalize(form, "token " + text[:length])

    assert needle.is_cut_at_end(begin(half)) and needle.is_cut_at_end(begin(half + 1))
    assert not needle.is_cut_at_end(begin(half - 1))
    assert not needle.is_cut_at_end(begin(half) + " and more")
    assert needle.is_cut_at_begin(normalize(form, text[-half:] + " and more"))
    assert not needle.is_cut_at_begin(normalize(form, "more " + text[-half:]))


def test_half_of_it_in_a_title_that_was_cut_is_masked():
    needle = PurgeNeedle("correct-horse-battery")
    assert needle.masked("why correct-horse-battery") == f"why {MARK}"
    assert needle.masked("why correct-horse-b…") == f"why {MARK}"
    assert needle.masked("why correct-horse") == "why correct-horse", "nothing was cut there"
    assert needle.masked("why correct-horse", is_excerpt=True) == f"why {MARK}"
    assert needle.masked("a correct-horse is here…") == "a correct-horse is here…"


def test_a_torn_line_does_not_keep_half_of_it():
    needle = PurgeNeedle("correct-horse-battery")
    torn = b'{"id":"1","inputs":{"command":"echo correct-horse-b'
    assert b"correct" not in needle.filled(torn)
    assert len(needle.filled(torn)) == len(torn)
