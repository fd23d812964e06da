"""What a prompt says about the project's code, above all a pasted error, trace or log: the names of its own code, and the messages.

Earlier sessions know nothing about the frames of a library.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.code_names import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_OF_LIBRARY = lazy_pattern(
    r"(?:site|dist)-packages/|node_modules/|\bnode:[a-z]|\.cargo/|/rustc/|/pkg/mod/|/usr/(?:lib|local/go|share)|/lib/python\d|<frozen |/\.venv/|/vendor/|/gems/"
    r"|\bat (?:java|javax|sun|jdk|kotlin|scala|org\.(?:junit|springframework|apache))\."
)
_SIGNS_OF_LIBRARY = (
    *("-packages/", "node_modules/", "node:", ".cargo/", "/rustc/", "/pkg/mod/", "/usr/", "/lib/python", "<frozen ", "/.venv/", "/vendor/", "/gems/"),
    *("at java", "at sun.", "at jdk.", "at kotlin.", "at scala.", "at org."),
)
"""One of these is in everything that `_OF_LIBRARY` matches."""
_FUNCTION = lazy_pattern(r"\bline \d+, in (\w+)|\bat (?:async )?(?:[\w$]+\.)*([\w$]+) \(|\bthread '([\w:]+)'")
"""A function of the project in a frame of Python, JavaScript or Java, and a Rust thread, which has the name of its test."""
_VALUE = lazy_pattern(r"\b(?:msg|message|err|error|reason|cause)=\"((?:[^\"\\]|\\.){3,400})\"")
"""The message in a line of a structured log."""
_HEAD = lazy_pattern(r"^\W*(?:[\d:.,TZ+/-]+\W+|[A-Z][a-z]{2} \d+ |\[[^\]]*\]\s*|(?:error|warn(?:ing)?|info|debug|fatal|panic)\b\W*)*", "i")
"""When a line was printed, and how bad it is."""
_BETWEEN = lazy_pattern(r"(?<=\w)[:：]\s+|\.\s+|。")
"""Separates what failed from its cause: `failed to open: unexpected status: 200 OK`."""
_MOST_LINES, _LONGEST_LINE, _MOST_NAMES, _MOST_MESSAGES = 400, 600, 24, 12
_LEAST_NAME = 4
_CODE = lazy_pattern(r"^\W{0,8}(?:err(?:or)?_?)?(?:code|errno)\W|\bwarn(?:ing)?\b|\btime(?:d[ -]?)?out\b|警告|タイムアウト", "i")
"""Matches a line that gives the code of an error, or warns."""
_MAY_BE_ERROR = lazy_pattern(r"error|exception|not found|cannot |can't |no module|fail|panic|denied|refused|E[A-Z]{4}|エラー|例外|失敗|せん", "i")
"""A cheap check, because most prompts contain no error."""
_WITHIN = lazy_pattern(
    r"(?:^|(?<=[\s\"'“「『(`]))(?<!every )(?<!each )(?<!any )((?:(?:\w[\w.]{0,80})?[a-z](?:Error|Exception)(?: [\[(]\w+[\])])?: \S"
    r"|(?:[A-Z][a-z]{2,20} )?[Ee]rror(?! (?:handl\w+|pages?|states?|messages?|boundar\w+|codes?|logs?|toasts?|texts?|colou?rs?)\b)(?: [a-z-]{1,20}){0,4}: \S"
    r"|E[A-Z]{4,14}: \S|Module not found: |npm (?:ERR!|error) \S|(?:ba|z)?sh: |(?:error|エラー)[:：] ?(?=[^\n]{0,120}['`\"「])\S).{0,600})"
)
"""Matches the message of an error within what a person typed, up to the end of the line."""
_CLOSING = dict(zip("\"'“「『(`", "\"'”」』)`", strict=True))
_NEXT_SENTENCE = lazy_pattern(r"[.!?]['\"”)]? +(?=\S)|[。！？] *(?=\S)")
_OF_PROGRAM = lazy_pattern(r"(?:did you (?:mean|forget)|do you need|are you (?:sure|trying)|have you|is the|もしかして)", "i")
"""Begins a question that a program asks in its message."""
_FAILS = lazy_pattern(
    r"\b(?:fail|error|exception|crash|broke|bug|issue|problem|wrong|fix|repair|debug)\w*"
    r"|\b(?:doesn['’]?t|does not|won['’]?t|isn['’]?t) (?:work|build|start|compile|run|load)\b"
    r"|エラー|失敗|落ち|例外|動かな|動きませ|直して|修正して|おかし|出(?:る|て|ました)",
    "i",
)
"""Matches a sentence about something that fails, which its message says better."""
_REPAIRS = frozenset(str.split("fix repair solve resolve fails failing broken"))
_OF_REPAIRS = _REPAIRS | frozenset(
    str.split("""
    please pls can could you now run do and then the all any these those its it is my our again still npm pnpm yarn bun npx make cargo go mvn gradle dotnet
    build building builds compile compilation compiler type types typescript ts lint linter eslint test tests testing ci check checks issue issues error
    errors problem problems failure failures warning warnings up with in until passes pass
    """)
)
_REPAIRS_JAPANESE = lazy_pattern(
    r"(?:ビルド|型|テスト|リント|コンパイル|[Bb]uild|[Ll]int|CI|npm run \w+)(?:チェック)?の?(?:エラー|失敗|問題)?[をが]?"
    r"(?:直|修正|解決|落ち|失敗)[^。]{0,16}。?$"
)
_LONGEST_REPAIR = 80
_PRINTED = lazy_pattern(r"\\|^\s*[\[>]|>$")
"""Matches a path or a mark of a program in a sentence that is taken for a person's."""
_MOST_ERRORS, _LEAST_NAMES, _LEAST_TERMS = 4, 2, 4


def names_of(own: str, lines: Sequence[str], errors: Sequence[str]) -> list[str]:
    """Return the names of code of the project that a prompt is about: those that a person typed, those in a trace, and those in what is wrong. The other lines
    of a log name everything that ran.

    own: what the person typed; lines: what a program printed; errors: those of them that say what is wrong.
    """
    names = {name: None for line in _of_project(own.split("\n")) for name in names_in(line)}
    frames = [(line, _FUNCTION.findall(line)) for line in _of_project(lines)]
    is_trace = any(functions for _, functions in frames)
    for line, functions in frames if is_trace else [(line, []) for line in (*errors, *(line for line in lines if _CODE.search(line)))]:
        names.update((name, None) for found in functions for name in found if len(name) >= _LEAST_NAME)
        names.update(dict.fromkeys(names_in(line)))
    return list(names)[:_MOST_NAMES]


def error_of(lines: Sequence[str]) -> list[str]:
    """Return those of the printed lines that say what is wrong in the project; [] for a log in which nothing is."""
    if not any(map(_MAY_BE_ERROR.search, lines)):
        return []
    from memorybank.text.commands.error_excerpt import error_excerpt_lines  # late, as below: most prompts contain nothing pasted

    return error_excerpt_lines("\n".join(_of_project(lines)))


def errors_in(prompt: str) -> list[str]:
    """Return the messages of the errors in a prompt, pasted or within a sentence, the first ones without repeats; [] for one that only reports a fault."""
    if _MAY_BE_ERROR.search(prompt) is None:
        return []
    from memorybank.text.commands.error_excerpt import cause_lines
    from memorybank.text.commands.output_lines import PLACE, SAID, VERDICT, kind
    from memorybank.text.prompts.typed import pasted, typed

    said = [message.strip() for message, _ in map(_apart, typed(prompt).split("\n")) if message]
    if "\n" in prompt:
        lines = list(_of_project(pasted(prompt)))
        said += [line for line in cause_lines("\n".join(lines)) if kind(line) in (PLACE, SAID)] if lines else []
    messages = (line for line in said if (" " in line or not line.isascii()) and not line.endswith((":", "：")) and kind(line) != VERDICT)
    return list(dict.fromkeys(messages))[:_MOST_ERRORS]


def only_repairs(own: str) -> bool:
    """Return whether a person only asks to repair the build, the tests or a check, which says nothing about the error. own: what they typed."""
    words = [word.strip(".,:;!?`'\"()").lower() for word in own[:_LONGEST_REPAIR].split()]
    return len(own) <= _LONGEST_REPAIR and (
        (not _REPAIRS.isdisjoint(words) and _OF_REPAIRS.issuperset(filter(None, words))) or _REPAIRS_JAPANESE.match(own.strip()) is not None
    )


def _apart(line: str) -> tuple[str, str]:
    """Return (message, the rest) of a line that a person typed: the message ends at its closing quotation mark, or before a sentence that asks."""
    from memorybank.text.prompts.questions import asks

    found = _WITHIN.search(line)
    if found is None:
        return "", line
    start, end = found.span(1)
    closing = _CLOSING.get(line[start - 1 : start], "")
    if closing and (quoted := line.find(closing, start)) > 0:
        end = quoted
    else:
        breaks = (start + one.end() for one in _NEXT_SENTENCE.finditer(found[1]))
        end = next((place for place in breaks if asks(line[place:]) and not _OF_PROGRAM.match(line, place)), end)
    return line[start:end], f"{line[:start]}\n{line[end:]}" if not closing else line[:start] + line[end:]


def asked_besides(own: str) -> str:
    """Return what a person asks besides what a program printed: the sentences that neither report a failure nor ask to repair it, nor are too short to say
    what they are about. own: what they typed."""
    from memorybank.text.prompts.faults import is_fault
    from memorybank.text.prompts.questions import asks
    from memorybank.text.prompts.sentences import sentences
    from memorybank.text.words.everyday import is_name
    from memorybank.text.words.terms import content_terms

    rest = "\n".join(besides for _, besides in map(_apart, own.split("\n")))
    asked = (one for one in sentences(rest) if not (_FAILS.search(one) or _PRINTED.search(one) or is_fault(one)))
    return " ".join(
        one for one in asked if (names := sum(map(is_name, terms := content_terms(one)))) >= _LEAST_NAMES or (len(terms) + names >= _LEAST_TERMS and asks(one))
    )


def messages_of(lines: Sequence[str]) -> list[str]:
    """Return the parts of the messages in the lines of an error, what failed before its cause. One word alone is not a message."""
    messages: dict[str, None] = {}
    for line in lines:
        for said in [found.replace('\\"', '"') for found in _VALUE.findall(line)] or [line]:
            parts = map(str.strip, _BETWEEN.split(_HEAD.sub("", said)))
            messages.update((part, None) for part in parts if (" " in part or not part.isascii()) and not part.endswith((":", "：")))
    return list(messages)[:_MOST_MESSAGES]


def _of_project(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that are not about code of a library. Python prints the code of a frame below it, further to the right."""
    read = lines[:_MOST_LINES]
    from memorybank.text.commands.output_lines import SAID, kind

    together = "\n".join(read)
    if not any([sign in together for sign in _SIGNS_OF_LIBRARY]):  # most prompts; the pattern takes long for a paragraph
        yield from [line[:_LONGEST_LINE] for line in read]
        return
    skipped = -1
    for line in read:
        indent = len(line) - len(line.lstrip())
        if _OF_LIBRARY.search(line) and kind(line.strip()) != SAID:  # a message may name a file of a library that is missing
            skipped = indent
        elif not 0 <= skipped < indent:
            skipped = -1
            yield line[:_LONGEST_LINE]
