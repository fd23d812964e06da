"""Removes from a prompt what a host or an editor attaches to it: screenshots, references to windows of the editor.

The path or mark says nothing about the task: two prompts with a screenshot each are not alike.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_OF_WINDOW = lazy_pattern(
    r"(?:(?<![\w/])(?:#(?:terminal\w+|selection|codebase|testFailure)|@(?:workspace|vscode|codebase))"
    r"|(?:^|\A)\s*(?:#(?:editor|changes|problems|usages)|@(?:agent|terminal|copilot)))(?![\w/.-])[,:]?[ \t]?|(?m:^)⧉ [^\n]*"
)
"""Matches a reference to what the editor shows (the terminal, the selected text, the workspace), and a line of the editor itself."""
_OF_LINES = lazy_pattern(r"(?<!\w)@(?!\w{0,40}file\b|[A-Z]{3})[\w-]{1,40}(?: \([^()\n]{1,80}\))? \(\d+-\d+\)")
"""Matches a reference to lines of a terminal."""
_OF_PLAN = lazy_pattern(r"\A\s*implement the plan as specified, it is attached for your reference\.(?s:.{1,400}?)\bcompleted all the to-?dos\.?", "i")
"""Matches what an editor writes for its button that builds a plan."""
_OF_FIX = lazy_pattern(
    r"\A\s*for the code present, we get this error:?\s*(```.*?```)\s*how can i resolve this\?(?: if you propose a fix, please make it concise\.)?", "is"
)
"""Matches what an editor writes around an error for its button that fixes it."""
_KINDS = (".png", ".jp", ".gif", ".webp", ".heic", ".bmp", ".tif", ".mov", ".mp4")
_PICTURE = r"\.(?:png|jpe?g|gif|webp|heic|bmp|tiff?|mov|mp4)"
_IS_PICTURE = r"(?:screen[ _-]?shots?|スクリーンショット|画面|clipboard|pasted|var/folders|temporaryitems|cleanshot)"
_IS_OWN = r"(?:\d{4}|var/folders|temporaryitems|[\\/](?:desktop|pictures|downloads|デスクトップ|ピクチャ)[\\/])"
"""What the path of a screenshot that somebody made has besides: a date, or a folder of the system. What a task is about has another path."""
_DROPPED = lazy_pattern(
    rf"(?:& )?(?:'(?=[^'\n]{{0,200}}{_IS_PICTURE})(?=[^'\n]{{0,200}}{_IS_OWN})(?:[A-Za-z]:[\\/]|~?/)[^'\n]{{1,300}}{_PICTURE}'"
    rf"|\"(?=[^\"\n]{{0,200}}{_IS_PICTURE})(?=[^\"\n]{{0,200}}{_IS_OWN})(?:[A-Za-z]:[\\/]|~?/)[^\"\n]{{1,300}}{_PICTURE}\""
    rf"|(?<![\w./~\\:'\"])(?:[A-Za-z]:[\\/]|~?/)(?=(?:\\ |[^\s'\"]){{0,200}}?{_IS_PICTURE})(?=(?:\\ |[^\s'\"]){{0,200}}?{_IS_OWN})"
    rf"(?:\\ |[^\s'\"]){{1,300}}?{_PICTURE}(?![\w.])"
    r"|\[Image(?: #\d{1,3}|: [^\]\n]{1,300})\])",
    "i",
)
"""Matches a screenshot: its path outside the repository, as a terminal quotes it, or the mark of a host."""


def without_attached(prompt: str) -> str:
    """Return a prompt without the marks and paths of what is attached to it."""
    if "#" in prompt or "@" in prompt or "⧉" in prompt:
        prompt = _OF_LINES.sub("", _OF_WINDOW.sub("", prompt))
    begin = prompt.lstrip()[:12].lower()
    if begin.startswith("implement"):
        prompt = _OF_PLAN.sub("", prompt)
    elif begin.startswith("for the code"):
        prompt = _OF_FIX.sub(r"\1", prompt)
    if "[Image" in prompt or (("/" in prompt or "\\" in prompt) and any(kind in prompt.lower() for kind in _KINDS)):
        prompt = _DROPPED.sub("", prompt)
    return prompt
