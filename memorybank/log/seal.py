"""Sealing a line before it reaches the event log: redact the complete texts, compute keyed digests, then cut the texts to what recall needs.

Nothing reaches an event log except through `seal`. Redaction comes first, because a cut could leave half a secret that is no longer
recognised. The digests are keyed, because a plain hash of a short secret can be guessed.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage import jsontext
from memorybank.storage.digest import hmac_sha256
from memorybank.text.secrets.redact import is_plain, redact, redact_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEXT_FIELDS = ("inputs", "outputs", "error", "remarks", "lessons", "fingerprint", "anchors", "files", "exposures", "trigger")
"""Fields that a person or a tool wrote, or that are derived from such a text. The signature covers only their keyed digests, so that `purge`
can blank them: a field that has a digest and is empty was purged."""

LONGEST_LIST = 64
"""Maximum number of items in a list field, such as the paths of one call or its anchors."""
LONGEST_WORD = 512
"""Maximum number of characters of a string outside the text fields, such as a path, a fingerprint or a name."""
_BULK = frozenset(("content", "old_string", "new_string", "patch", "prompt"))
_BULK_CHARACTERS = 400
"""Maximum for each bulk input. What was written into a file is in the file and in git; its first and last lines identify it."""
_AS_IT_IS = frozenset(("id", "schema_version", "event", "timestamp", "session_id", "host", "status", "host_status", "acl", "privacy", "origin", "epoch"))
_EXPOSURES = "exposures"
"""A field with more than a hundred ids, words and anchors, most of which were redacted at recording; `seal` redacts only the others."""
_WHOLE = ("inputs", "outputs", "error", "remarks", "lessons")
"""Fields limited by the `cut` of `seal`, not by `_bounded`."""
CUT_MARK = "\n…\n"
SPOKEN = ("prompt", "turn_end")
SPOKEN_CHARACTERS = 8_000
"""Maximum number of characters of a person's prompt and of an agent's answer. It is higher than for other texts, because these answer later questions."""


def seal(fields: dict[str, Any], key: bytes, cut: int) -> dict[str, Any]:
    """Return a line that is ready to be signed.

    fields: `inputs` is {canonical name: text}, `outputs` is {"text": the complete text}, which is stored as head and tail.
    key: the bank's key, for digests and redaction.
    cut: maximum number of characters kept of each of `inputs`, `outputs` and `error`.
    """
    if fields.get("event") in SPOKEN:
        cut = max(cut, SPOKEN_CHARACTERS)
    others = {name: value for name, value in fields.items() if name not in _AS_IT_IS and name not in _WHOLE and name != _EXPOSURES}
    exposures = fields.get(_EXPOSURES)
    # Most texts are short, and looking through them together takes less time.
    are_plain = exposures is not None and is_plain([others, exposures])
    plain = _AS_IT_IS.union(others) if are_plain or is_plain(others) else _AS_IT_IS
    sealed = {name: value if name in plain else _redacted(value, key) for name, value in fields.items() if name != _EXPOSURES}
    if exposures is not None:
        are_plain = are_plain or is_plain(exposures)
        sealed[_EXPOSURES] = exposures if are_plain else [exposure if is_plain(exposure) else _redacted(exposure, key) for exposure in exposures]
    # Digests of the complete texts, taken before the cut: two long texts that differ only in the middle stay distinguishable.
    whole = {}
    for name in ("inputs", "outputs"):
        if sealed.get(name):
            whole[name] = digest(sealed[name], key)
    if whole:
        sealed["whole"] = whole
    if sealed.get("inputs"):
        sealed["inputs"] = _cut_inputs(sealed["inputs"], cut)
    output = sealed.get("outputs")
    if output and "text" in output:
        sealed["outputs"] = _head_and_tail(output["text"], cut)
    if isinstance(sealed.get("error"), str):
        sealed["error"] = shortened(sealed["error"], cut)
    for name, value in sealed.items():
        if name not in _WHOLE and name not in _AS_IT_IS:
            sealed[name] = _bounded(value)
    # Computed last, from what is stored: whoever reads the line can verify it, and a later purge leaves the digest as evidence of the field.
    sealed["digests"] = {name: digest(sealed[name], key) for name in TEXT_FIELDS if sealed.get(name)}
    return sealed


def blank(value: object) -> object:
    """Return the placeholder for a purged text: the empty value of the same type, so that every reader can still read the field."""
    return {} if isinstance(value, dict) else [] if isinstance(value, list) else ""


def digest(value: object, key: bytes) -> str:
    """Return the keyed digest of one text field as stored in a line: HMAC-SHA256 of its compact JSON, 32 hexadecimal digits."""
    return hmac_sha256(key, jsontext.encode_bytes(value)).hex()[:32]


def shortened(text: str, limit: int) -> str:
    """Return the text unchanged, or its first and last lines with a mark between them, at most `limit` characters."""
    if len(text) <= limit:
        return text
    parts = _head_and_tail(text, limit - len(CUT_MARK))
    return parts["head"] + CUT_MARK + parts["tail"]


def _redacted(value: Any, key: bytes) -> Any:
    if isinstance(value, str):
        return redact(value, key)
    if isinstance(value, dict):
        return {redact(name, key): redact_named(name, item, key) if isinstance(item, str) else _redacted(item, key) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(item, key) for item in value]
    return value


def _cut_inputs(inputs: dict[str, Any], cut: int) -> dict[str, Any]:
    """Return the inputs cut to `cut` characters together. Bulk texts come last and get little, so that the actual request survives."""
    kept: dict[str, Any] = {}
    left = cut
    # False sorts before True, so the bulk texts get what the others leave. The sort is stable, and the order of the fields is restored below.
    for name in sorted(inputs, key=_BULK.__contains__):
        value = inputs[name]
        text = value if isinstance(value, str) else jsontext.encode(value)
        limit = min(left, _BULK_CHARACTERS) if name in _BULK else left
        if len(text) <= limit:
            kept[name] = value
        elif limit > len(CUT_MARK) * 4:
            text = kept[name] = shortened(text, limit)
        else:
            continue
        left -= len(text)
    return {name: kept[name] for name in inputs if name in kept}


def _head_and_tail(text: str, limit: int) -> dict[str, str]:
    """Return the beginning and the end of a text, at most `limit` characters together, cut at line ends where possible."""
    if len(text) <= limit:
        return {"head": text}
    half = limit // 2
    head, tail = text[:half], text[-half:]
    # A cut moves to a line end only where that costs at most half of the part; otherwise one long line would leave nothing.
    line_end = head.rfind("\n")
    if line_end > half // 2:
        head = head[:line_end]
    line_end = tail.find("\n")
    if 0 <= line_end < half // 2:
        tail = tail[line_end + 1 :]
    return {"head": head, "tail": tail}


def _bounded(value: Any) -> Any:
    if isinstance(value, str):
        return value[:LONGEST_WORD]
    if isinstance(value, list):
        return [_bounded(item) for item in value[:LONGEST_LIST]]
    if isinstance(value, dict):
        return {name: _bounded(item) for name, item in value.items()}
    return value
