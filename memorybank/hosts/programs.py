"""Regular expressions in the form in which `memorybank.bytecode` returns them: what `_sre.compile` needs, so that a hook neither parses nor compiles them."""

import _sre  # type: ignore[import-not-found]  # without stubs, as `re._compiler`
import re
from array import array
from collections.abc import Iterable
from marshal import dumps
from re import _compiler, _parser  # type: ignore[attr-defined]  # private, without stubs; only they give the form that `_sre.compile` takes
from typing import Any

from memorybank.hosts.prepared import PreparedWork


def programs(patterns: Iterable[str | bytes], prepared: PreparedWork | None = None) -> dict[str | bytes, bytes]:
    """Return {pattern: what `bytecode.program` returns for it, marshalled}, as far as `_sre` makes the same pattern of it as `re`."""
    known = prepared if prepared is not None else PreparedWork()
    found = {text: known.of(("program", text), _program, text) for text in patterns}
    return {text: program for text, program in found.items() if program is not None}


def _program(text: str | bytes) -> bytes | None:
    tree = _parser.parse(text)
    # At run time `re` would parse and compile the text. With the finished program a hook only calls `_sre.compile`.
    names = tree.state.groupdict
    numbered = {number: name for name, number in names.items()}
    groups = tuple(numbered.get(number) for number in range(tree.state.groups))
    code = array("I", _compiler._code(tree, 0))
    program: tuple[Any, ...] = (_sre.MAGIC, tree.state.flags, code.tobytes(), tree.state.groups - 1, names, groups)
    # Only what certainly is the pattern that `re` makes: these parts of `re` may change with every version.
    return dumps(program) if _sre.compile(text, program[1], code.tolist(), *program[3:]) == re.compile(text) else None
