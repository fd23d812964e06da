"""A text is found in every form in which it was written, and removed without a trace."""

import json
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import UsageError
from memorybank.text.needle import MARK, PurgeNeedle

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
    assert needle.masked("a correct-horse is here…") == "a correct-horse is here…"


def test_a_torn_line_does_not_keep_half_of_it():
    needle = PurgeNeedle("correct-horse-battery")
    torn = b'{"id":"1","inputs":{"command":"echo correct-horse-b'
    assert b"correct" not in needle.filled(torn)
    assert len(needle.filled(torn)) == len(torn)
