"""Permissions are shown to no agent: repeated, one that was given for a moment would let later sessions do what the person forbids.

What a person typed stands in quotation marks, or after the heading of a summary, in nearly everything that is shown of sessions. Elsewhere, only what allows
something for good or for once is a permission: an agent that writes "you can run it with `--fast`" gives none. What a person answered to a failure stays:
it is quoted with the words that it holds for that case only, or for good if the person said so.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.lasting import KEPT, is_for_once, may_last
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

_TYPED = lazy_pattern(
    r"(?P<quote>“[^”\n]*(?:”|$)|「[^」\n]*(?:」|$))"
    r"|(?P<heading>(?:\b(?:Wanted|Goal|Decided)|目的|決定)[:：] ?)(?P<listed>(?:(?! / | \[|\n|\b[A-Z][\w ]{3,16}: ).)+)",
    "m",
)
"""Matches what a person typed in a text about sessions."""
_SENTENCE = lazy_pattern(r"(?:[^.!?;。！？\n•→/]++|[.!?](?!\s|$)|(?<!\s)/|/(?!\s))+[.!?。！？]?")
_HINTS = lazy_pattern(
    r"\b(?:(?:you|we|i|no one|nobody) (?:\w+ ){0,2}?(?:can|may|could|might|allow|permission|free|need|do(?: not|n['’]?t)|changed)"
    r"|(?:are|is|be|['’]re|['’]s) (?:\w+ )?(?:allowed|free|fine|ok|okay|all right|alright)|(?:can|may) (?:\w+ ){0,2}(?:now|again)|(?:can|may) be|feel free"
    rf"|no (?:longer|need|point|sense)|not|n['’]t|{KEPT}|forget|back|once|this (?:one )?time|exception(?:ally)?|whenever|however)\b"
    r"|[てで]も?(?:いい|よい|良い|OK|大丈夫|構|かま|問題)|なくて|許可|不要|必要|[いら要]らない"
    r"|ルール|規則|決まり|制限|禁止|制約|凍結|解禁|今回|一度|一回|例外|という",
    "i",
)
"""Matches in everything that gives a permission or ends a duty or rule. What has none of it is not read any further."""
_MARKS = "“”「」"
_GONE = "\0"
_RULE = '- "'
"""The beginning of a rule in a list. One that takes an earlier one back and gives another stays."""
_ANSWERED = ("for that case only: ", "その件に限り", "answered, for good: ", "今後のこととして")
"""What comes before the answer to a failure, which is quoted with how long it holds (`fold.phrases`)."""
_FRAME = lazy_pattern(
    rf" ?[(（](?:asked: |依頼：){_GONE}[)）]|(?:the user said: |利用者の発言：)?{_GONE}(?: ?(?:Then: |その後：|[→•;/] ))?",
    "m",
)
"""Matches the words around what was taken out."""
_LABEL_ALONE = lazy_pattern(r"^-? ?(?:\[[^\]\n]*\])? *$\n?", "m")


@lru_cache(maxsize=32)  # what an agent is shown is read to choose it, to measure it and to print it
def without_permissions(text: str, *, is_typed: bool = False) -> str:
    """Return a text about sessions without the permissions in it, and without the lines of which nothing else is left.

    is_typed: whether a person typed all of it.
    """
    if _HINTS.search(text) is None:
        return text
    # What is found out sooner is asked first.
    if not (is_typed or any(_HINTS.search(one[0]) is not None for one in _TYPED.finditer(text)) or is_for_once(text) or may_last(text)):
        return text
    from memorybank.text.prompts.permissions import is_given, is_given_plainly  # late: most texts contain nothing of the kind
    from memorybank.text.prompts.traits import orders_besides

    def without(said: str, gives: Callable[[str], bool]) -> str:
        return _SENTENCE.sub(lambda one: f"{_GONE if gives(one[0].strip(' -')) else one[0]}", said)

    def of_typed(found: re.Match[str]) -> str:
        said = without(found["listed"] or found["quote"].strip(_MARKS), is_given)
        if _GONE not in said:
            return found[0]
        left = said.replace(_GONE, "").lstrip("; ")
        return _GONE if not left.strip("; ") else f"{found['heading']}{left}" if found["listed"] else f"{found[0][0]}{left}{found[0][-1]}"

    def of_line(line: str) -> str:
        if any(words in line for words in _ANSWERED):
            return line
        if is_typed:
            return without(line, is_given)
        held = without(_TYPED.sub(of_typed, line), is_given_plainly)
        return line if held != line and line.startswith(_RULE) and orders_besides(line.removeprefix(_RULE).rstrip('"')) else held

    held = "\n".join(map(of_line, text.split("\n")))
    return text if held == text else _LABEL_ALONE.sub("", _FRAME.sub("", held)).strip()
