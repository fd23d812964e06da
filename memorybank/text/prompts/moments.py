"""Sentences that hold for the moment in which they are typed: answers that say nothing alone ("ok follow by default"), and requests for information."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_LASTS = r"\b(?:always|never|each|every ?time|any\w*|whenever|from now on|going forward|in (?:the )?future|as a rule|do not|don['’]?t)\b"
_OF_MOMENT = lazy_pattern(
    r"^\W*(?:ok(?:ay)?|yes|yep|yeah|yup|sure|fine|alright|agreed|go ahead)\b\W++"
    r"(?:(?:please|then|and|but|just|let['’]?s|do|go with|use|take|make|keep|it|that)\b\W*)*+"
    r"(?:\w[\w-]*+(?<![a-rt-z]s) )?(?:(?:by default|both|all|always|every time|from now on|(?:the )?(?:first|second|last|other|same)(?: (?:one|option))?"
    r"|option \w|(?:of )?(?:it|this|that|those|them))\W*+)++(?:please|pls|then|for now)?+\W*$"
    rf"|^\W*(?:(?:please|pls|and|also|now|then|just|ok|once more|again)\b\W*)*(?:run|check|test|build|verify|do|add|update|fix|write|make|start)\b"
    rf"(?!.*{_LASTS}).*\b(?:before|until) i (?:can |will |['’]ll )?(?:push|merge|leave|go|deploy|release|commit|send|ship|publish|tag)\b"
    r"|^(?![^。]{0,200}(?:必ず|毎回|常に|いつも|今後|これから|今度から|以後|ルール|決まり))[^。]{0,60}前に、?[^、。]{1,24}も(?:[^、。]{0,24}[てで]|お願い)"
    r"(?:おいて|みて)?(?:ください|下さい|ほしい|欲しい|くれ|します|ね)?[。！!]*$",
    "i",
)
"""Matches an agreement of which only the question says what it is about, and a request for the step that is next: "run the browser tests before I push"."""
_TELL = lazy_pattern(
    r"(?:^|[,;.:] |\b(?:and|then) )(?:(?:please|pls|just|also) ){0,3}(?:(?:tell|show) (?:me|us)|let me know|list|summari[sz]e|write down|explain|find out"
    r"|check) (?:what|which|who|when|where|why|how|if|whether)\b|[^。]{2,80}も(?:教え|知らせ)て(?:ください|下さい|ほしい|欲しい|くれ|ね)?[。!！]*$",
    "i",
)
_WHENEVER = lazy_pattern(
    rf"{_LASTS}|\b(?:(?:for|in|with|on|at|after|before) (?:every|all)|(?:before|after|when|once|if|unless|while) (?:you|we|i|an?|something|in doubt|unsure)"
    r"|(?:before|after|when) \w+ing)\b"
    r"|毎回|今後|これから|今度から|次回?から|たび|いつも|常に|とき|[^\W_]時[はに]|場合|際[はに]|前に|(?<=[たる])[後ら]|なら(?!な)|たら|終わ|必ず",
    "i",
)
"""Matches when somebody wants information each time."""


def is_of_moment(sentence: str) -> bool:
    """Return whether a sentence only answers, asks for information once, or asks for something before the step that is next."""
    if _OF_MOMENT.search(sentence) is not None:
        return True
    told = _TELL.search(sentence)
    return told is not None and _WHENEVER.search(sentence if not sentence.isascii() else f"{sentence[: told.start()]} {sentence[told.end() :]}") is None
