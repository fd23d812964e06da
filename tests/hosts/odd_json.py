"""Settings files as people and programs write them: any order, indentation, line ends and blanks."""

import json

from hypothesis import strategies as st

_scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6)
_blanks = st.text(st.sampled_from(" \t\r\n"), max_size=4)
_keys = st.text(max_size=5) | st.sampled_from(["permissions", "env", "model", "設定", "memorybank"])


@st.composite
def _written(draw, value) -> str:
    """One value with blanks wherever JSON permits them."""

    def padded(text: str) -> str:
        return draw(_blanks) + text + draw(_blanks)

    if isinstance(value, dict):
        names = {key: padded(json.dumps(key, ensure_ascii=draw(st.booleans()))) for key in value}
        return "{" + (",".join(names[key] + ":" + padded(draw(_written(each))) for key, each in value.items()) or draw(_blanks)) + "}"
    if isinstance(value, list):
        return "[" + (",".join(padded(draw(_written(each))) for each in value) or draw(_blanks)) + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def _values(leaves):
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3), max_leaves=6)


_foreign_hook = st.fixed_dictionaries({"type": st.just("command"), "command": st.sampled_from(["make lint", "memorybank list", "echo 'hook.py'"])})
_group = st.fixed_dictionaries({"hooks": st.lists(_foreign_hook, min_size=1, max_size=2)}, optional={"matcher": st.sampled_from(["Bash", "*", ""])})
_events = st.sampled_from(["SessionStart", "Stop", "PostToolUse", "Notification"])


@st.composite
def documents(draw, *, hooks: bool = False) -> str:
    """The text of a JSON object. hooks: it may contain hooks of other people, in groups like Claude Code's."""
    value = draw(st.dictionaries(_keys, _values(_scalars), max_size=4))
    if hooks and draw(st.booleans()):
        value["hooks"] = draw(st.dictionaries(_events, st.lists(_group, min_size=1, max_size=2), min_size=1, max_size=3))
        order = draw(st.permutations(list(value)))
        value = {key: value[key] for key in order}
    style = draw(st.sampled_from(["odd", "odd", 2, 4, "\t", "compact", "line"]))
    if style == "odd":
        text = draw(_blanks) + draw(_written(value)) + draw(_blanks)
    elif style in ("compact", "line"):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":") if style == "compact" else None)
    else:
        text = json.dumps(value, ensure_ascii=False, indent=style) + draw(st.sampled_from(["", "\n"]))
    return text.replace("\n", "\r\n") if style != "odd" and draw(st.booleans()) else text
