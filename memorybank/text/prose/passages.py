"""Passages: the parts of a Markdown answer that can be found and shown one by one: paragraphs, list items, rows of tables."""

from __future__ import annotations

__light__ = True


from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.openers import answer_first, only_opens
from memorybank.text.prose.plans import plans
from memorybank.text.words.pointing import opens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

LONGEST = 340
"""Maximum number of characters in a passage; a longer paragraph is cut between sentences."""
_SHORTEST = 24
_LEAST_CUT = 120
_LONGEST_HEADING = 90
_ITEM = lazy_pattern(r"^(?:[-*•・]|\d+[.)．])\s+")
_ENDS = (".", "!", "?", "。", "！", "？", ")", "）")
_CELLS, _LEAST_CELLS = " — ", 2
_RULER = frozenset("|-: ")
SENTENCE_END = lazy_pattern(r"(?<=[.!?])(?<!\b[ei]\.[ge]\.)(?<!\b(?:vs|cf)\.)\s+|(?<=[。！？])|\n")
_ITEM_END = lazy_pattern(r"(?:[;,；、]|[;,]?\s(?:and|or))$")
_FOLLOWS = lazy_pattern(
    r"both\b|(?:this|that|these|which)\b (?:now |also |will |should |would )*"
    r"(?:ensures?|allows?|means?|makes?|gives?|provides?|lets?|enables?|prevents?|improves?|should|will|works?|resolves?|fix(?:es)?)\b|これ(?:で|により|によって)",
    "i",
)
"""Matches a sentence about all that was said before it, rather than about the line above it."""
BETWEEN_ITEMS, _LEFT_OUT = "; ", "…"
_LABEL = lazy_pattern(
    r"(?:^|; |: )[\W_]{0,4}(?:(?:root )?cause|issue|problem|fix|solution|result|impact|change|問題|原因|修正|対応|対策|解決策?|結果|影響)"
    r"[*_ ]{0,4}[:：][*_ ]{0,4}(?=\S)",
    "i",
)
"""Matches the label of a line about what the title above it names."""
_REMEDY = lazy_pattern(r"; (?=[\W_]{0,4}(?:fix|solution|修正|対応|対策|解決策?)[*_ ]{0,4}[:：])", "i")
_CLAUSES = ("; ", ": ", ", ", " — ", " – ", " (", "、", "（", "：")
_LEADS_IN = 100
_HEADING, _PARAGRAPH, _ITEM_OF_LIST, _CODE = "heading", "paragraph", "item", "code"
_LONGEST_LEAD = 120
_MOST_CODE_LINES, _LONGEST_CODE = 3, 120
"""A code block up to this size says what its lead-in announces, often the command to run. A longer one is an example."""
_TELLS_WHY = lazy_pattern(
    r"\b(?:because|since|so that|root cause|the (?:issue|problem|reason|bug|cause|fix) (?:is|was)|caused by|due to|instead of|rather than|must(?: not)?|"
    r"needs? to|should|only (?:when|if)|happens when|turns out|actually|leftover|stale|pre-?existing|unrelated|expects?|uses?|does(?:n['’]t| not)|"
    r"is(?:n['’]t| not)|missing|creates?|handled|stored?|defined|located|found|wrong|fails?|failing|reverted|tried)\b"
    r"|ため|ので|から[、。]|原因|理由|代わりに|ではなく|必要|べき|はず|だった|失敗|残って|不足|既存|使う|使って",
    "i",
)
_EXPLAINS = lazy_pattern(
    r"\b(?:requires?|depends? on|comes? from|came from|tied to|accepts?|supports?|ignores?|returns?|conflicts?|clash(?:es)?|cannot|can(?:not|['’]t)|no longer"
    r"|(?:ha(?:s|ve)|there (?:is|are)) no|not (?:allowed|supported|available|exported|installed)|deprecated|renamed|shadow(?:s|ed)|overrid(?:es?|den))\b"
    r"|\bneeds? (?:its|their|an?|the|explicit|both)\b"
    r"|(?:誤|間違)って(?!い)|され(?:てい|な)|(?:でき|られ|[けせめえべ])(?:ない|ません)|存在し(?:な|ません)|対応してい(?:ない|ません)|衝突|競合(?!を)|廃止|必須",
    "i",
)
"""Matches what explains a failure that was met just before."""
_OF_THIS_TRY = lazy_pattern(
    r"\b(?:i|we|let me|yet|now returns?|here|at (?:this|the) (?:time|moment)|no longer respond\w*)\b|^\W*(?:hmm\W+)?(?:that|this|it)\b (?:cannot|can['’]t)"
    r"|\b(?:returns?|has|have|is|are) (?:no|nothing)\b ?(?:output|changes?|errors?|results?|tests?|match\w*|conflicts?)?\W*$"
    r"|\b(?:there (?:is|are)|has|have) (?:no|an?)? ?(?:output|changes?|errors?|results?|tests?|match\w*|conflicts?)\b"
    r"|まだ|(?:確認|再現|特定)でき|見(?:つけ)?られ|それでは|しまいました"
    r"|(?:表示|出力|修正|反映|実行|コミット|スキップ|完了|保存|適用|ビルド)(?:が|は)?され(?:ている|ています|ていない|ていません|ない|ません)",
    "i",
)
"""Matches what holds only of the moment at which it was said: where a search stands, what was printed, what is not done yet."""

_ANNOUNCES = lazy_pattern(
    r"\W*(?:now|next|then|first|finally)\b,? (?:also )?(?:i )?(?:add|build|change|check|close|commit|convert|create|extract|fix|implement|install|make|move"
    r"|push|refactor|register|remove|rename|replace|rewrite|run|set|split|test|update|verify|wire|write)\b"
    r"|\W*(?:expected|right)\b(?:[,.!:]| [-–—]) *i(?:['’]ll| will| need to)\b|\W*(?:continuing|moving on|starting) (?:with|to)\b"
    r"|(?!\W*use\b)(?!.*\b(?:is|are|was|were|uses?|has|have|does|the fix)\b)[^.]{0,120}[:：]$",
    "i",
)
"""Matches in a remark the step that an agent takes next, and what leads in to it. In an answer it would be what the person is to do."""
_CAUSE = lazy_pattern(
    r"\b(?:because|root cause|the (?:issue|problem|reason|bug|cause) (?:is|was)|caused by|due to|instead of|rather than|turns out|leftover|stale)\b"
    r"|原因|理由|ため|ので|代わりに|ではなく",
    "i",
)

_REPORTS = lazy_pattern(
    r"\W*(?:(?:the|all|only|now|one|two|three|\d+)\s+)*(?:(?:integration|unit|pre-commit|type|new|existing|other)\s+)*"
    r"(?:lint(?:er|ing)?|type ?check(?:er|ing)?|tests?|builds?|ci|hooks?)\b[^.]{0,40}?\b(?:found|reports?|shows?|fail(?:s|ed|ing|ures?)?|complain(?:s|ed)?)\b"
    r"|(?:リンター|型検査|テスト|ビルド|フック)[^。]{0,20}(?:検出|報告|失敗)し",
    "i",
)
_OF_THAT_MOMENT = lazy_pattern(r"\bpre-?existing\b|\bunrelated to (?:my|our|the|these|this)\b|既存の(?:問題|エラー|失敗|不具合|警告)", "i")


def passages(text: str) -> Iterator[tuple[str, str]]:
    """Yield (heading above it, passage) in order. Long code blocks, rulers and passages too short to say anything are left out.

    A sentence that leads in to a list ("It is active because:") makes one passage with the items, and is the heading of those that do not fit.
    """
    for heading, paragraph in _joined(_labelled(_blocks(text))):
        for piece in _pieces(paragraph):
            if len(piece) >= _SHORTEST or not piece.isascii():
                yield heading, piece


def answering(text: str) -> list[tuple[str, str]]:
    """Return the passages of an answer from the point where it answers, without those that only lead in, unless there are no others."""
    found = list(passages(answer_first(text)))
    return [(heading, piece) for heading, piece in found if not leads_in(piece)] or found


def leads_in(passage: str) -> bool:
    """Return whether a passage only leads in to what follows: "Done.", "Users will see a prompt:"."""
    return only_opens(passage) or (len(passage) < _LEADS_IN and passage.endswith((":", "：")))


def tells_why(passage: str) -> bool:
    """Return whether a passage states a cause, a decision or a fact."""
    return _TELLS_WHY.search(passage) is not None


def may_tell(passage: str) -> bool:
    """Return whether a remark is worth recording: it states a cause, a decision or a fact, or what explains a failure if one came before it."""
    return tells_why(passage) or _explains(passage)


def lasting(remark: str, *, follows_failure: bool = False) -> str:
    """Return the part of an agent's remark that is still useful later; "" for none.

    follows_failure: a call failed just before, so that a remark is kept which says what something requires or cannot do, too.

    Left out are the sentences that without a cause say what the agent is about to do ("Let me fix it.") or what a check reported ("The linter
    found duplicate code."), and those that only say that a failure was there before: told after another failure, they would excuse it.
    """
    kept = [part for part in SENTENCE_END.split(remark) if not _is_passing(part)]
    said = " ".join(kept).strip()
    if tells_why(said):
        return said
    return said if follows_failure and _explains(said) else ""


def _explains(remark: str) -> bool:
    return any(_EXPLAINS.search(part) is not None and _OF_THIS_TRY.search(part) is None for part in SENTENCE_END.split(remark))


def _is_passing(sentence: str) -> bool:
    if _OF_THAT_MOMENT.search(sentence):
        return True
    return _CAUSE.search(sentence) is None and (plans(sentence) or bool(_ANNOUNCES.match(sentence) or _REPORTS.match(sentence)))


def is_table_row(passage: str) -> bool:
    """Return whether a passage is a row of a table, whose cells mean little without their headings."""
    return passage.count(_CELLS) >= _LEAST_CELLS


def sentences(text: str) -> list[str]:
    """Return the sentences and lines of prose, with white space collapsed."""
    return [" ".join(part.split()) for part in SENTENCE_END.split(text) if part.strip()]


def with_subjects(said: Iterable[str], limit: int) -> list[str]:
    """Return sentences, with each that says nothing alone ("Moved.", a heading) the next one whose subject stands in it, up to `limit` characters together."""
    found: list[str] = []
    for sentence in said:
        before = found[-1] if found else ""
        says_little = len(before) < _SHORTEST or not before.endswith(_ENDS)
        if before and says_little and opens(sentence) and _FOLLOWS.match(sentence) is None and len(before) + len(sentence) < limit:
            found[-1] = f"{before.rstrip(' .!:。！：')}: {sentence}"
        else:
            found.append(sentence)
    return found


def items_of(text: str) -> tuple[str, list[str]]:
    """Return (sentence that leads in, items) of a passage that is a list; (text, []) for another one."""
    first, *rest = text.split(BETWEEN_ITEMS)
    lead, _, item = first.rpartition(": ")
    is_list = lead and rest and not any(SENTENCE_END.search(one) for one in (item, *rest))
    return (lead, [item, *rest]) if is_list else (text, [])


def with_items(lead: str, items: Sequence[str], kept: Collection[int]) -> str:
    """Return a list with the items at these places; `…` at its end stands for the others."""
    told = [item for place, item in enumerate(items) if place in kept]
    return f"{lead}: {BETWEEN_ITEMS.join((*told, _LEFT_OUT) if len(told) < len(items) else told)}"


def excerpt(text: str, limit: int) -> str:
    """Return at most about `limit` characters of a text, cut after a sentence if one ends in the second half, else after an item or a clause rather than at a
    space, and never within quoted code: half a name is none. Of "Title: Issue: …; Fix: …" the issue goes first."""
    if len(text) > limit and (remedy := _REMEDY.search(text)) and (issue := _LABEL.search(text)) and issue.start() < remedy.start():
        text = f"{text[: issue.start()]}: {text[remedy.end() :]}"
    if len(text) <= limit:
        return text
    cut, half = text[:limit], limit // 2
    at = max(cut.rfind(sign) for sign in (". ", "。"))
    if at > half:
        return cut[: at + 1]
    at = max(cut.rfind(sign) for sign in _CLAUSES)
    if at > half:
        cut = cut[:at]
    elif (blank := cut.rfind(" ")) > half:
        cut = cut[:blank]
    before = cut.rpartition("`")[0]
    if cut.count("`") % 2 and len(before) > half:
        cut = before
    return cut.rstrip(" ,;:：、(（—–-") + " …"


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, content) of the headings, paragraphs, list items, table rows and short code blocks of a text."""
    lines: list[str] = []
    kind = _PARAGRAPH
    code: list[str] | None = None
    rows = [row.strip() for row in text.split("\n")]
    for line, below in zip((*rows, ""), (*rows[1:], "", ""), strict=True):
        item = _ITEM.match(line)
        is_heading = line.startswith("#") or (line.startswith("**") and line.rstrip(":：").endswith("**") and len(line) < _LONGEST_HEADING)
        if lines and (not line or item or is_heading or line.startswith(("|", "```"))):
            yield kind, " ".join(lines)
            lines = []
        if line.startswith("```"):
            if code is not None and 0 < len(code) <= _MOST_CODE_LINES and all(len(row) <= _LONGEST_CODE for row in code):
                yield _CODE, " ".join(f"`{row}`" for row in code)
            code = [] if code is None else None
        elif code is not None:
            code += [line] if line else []
        elif is_heading:
            yield _HEADING, line.strip("#* :：")
        elif line.startswith("|"):
            if not _RULER.issuperset(line) and not (below and _RULER.issuperset(below)):  # the row above a ruler holds headings
                yield _ITEM_OF_LIST, _CELLS.join(cell.strip() for cell in line.strip("| ").split("|") if cell.strip())
        elif line:
            kind = kind if lines else _ITEM_OF_LIST if item else _PARAGRAPH
            lines.append(line[item.end() :] if item else line)


def _labelled(blocks: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the blocks, each title with the labelled lines below it ("Fixed the tags", "Issue: …", "Fix: …"), which mean nothing without it and each other."""
    title = ("", "")
    for kind, content in blocks:
        if title[1] and kind != _HEADING and _LABEL.match(content) and len(title[1]) + len(content) < LONGEST:
            title = title[0], f"{title[1]}{BETWEEN_ITEMS if _LABEL.search(title[1]) else ': '}{_ITEM_END.sub('', content)}"
            continue
        if title[1]:
            yield title
        is_title = kind in (_PARAGRAPH, _ITEM_OF_LIST) and len(content) <= _LONGEST_LEAD and not content.endswith((*_ENDS, ":", "："))
        title = (kind, content) if is_title else ("", "")
        if not is_title:
            yield kind, content
    if title[1]:
        yield title


def _joined(blocks: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield (heading, paragraph or item). What follows a sentence that leads in belongs to it."""
    heading = lead = ""
    led: list[str] = []
    for kind, content in (*blocks, (_HEADING, "")):
        if lead and (kind == _HEADING or (kind == _PARAGRAPH and led)):
            yield from _led(heading, lead, led)
            lead, led = "", []
        if kind == _HEADING:
            heading = content
            continue
        if kind == _CODE:  # alone it says nothing
            led += [content] if lead else []
            continue
        before, opening = _lead_in(content)
        if not opening:
            if lead:
                led.append(content)
            else:
                yield heading, content
            continue
        if lead:
            yield from _led(heading, lead, led)
        if before:
            yield heading, before
        lead, led = opening, []


def _led(heading: str, lead: str, led: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a sentence together with what it leads in to; what does not fit follows with the sentence as its heading."""
    if led and only_opens(lead):  # "Here is a summary of the changes:" says nothing about any of them
        yield from ((heading, content) for content in led)
        return
    together = lead
    while led and len(together) + len(led[0]) + 2 <= LONGEST:
        together += (" " if together == lead else BETWEEN_ITEMS) + _ITEM_END.sub("", led[0])
        led = led[1:]
    if together != lead or not led:
        yield heading, together
    for content in led:
        yield (lead.rstrip(":： ") if len(lead) <= _LONGEST_LEAD else heading), content


def _lead_in(content: str) -> tuple[str, str]:
    """Split a block into (what stands by itself, the last sentence if it leads in to what follows)."""
    if not content.rstrip("*_ ").endswith((":", "：")):
        return content, ""
    *before, last = SENTENCE_END.split(content)
    return " ".join(before), last


def _pieces(paragraph: str) -> Iterable[str]:
    rest = paragraph.strip()
    while len(rest) > LONGEST:
        at = max(rest.rfind(". ", 0, LONGEST), rest.rfind("。", 0, LONGEST))
        cut = at + 1 if at >= _LEAST_CUT else LONGEST
        yield rest[:cut].strip()
        rest = rest[cut:].strip()
    if rest:
        yield rest
