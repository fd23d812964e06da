"""What developers make, and the verbs by which a person orders it, as parts of patterns (`evidence_english`)."""

from __future__ import annotations

__light__ = True

NAME = (
    r"(?-i:`[^`]{2,60}`|\"[^\"]{2,60}\"|'[^']{2,60}'|\b[A-Za-z](?:[^\W_]*+_\w+|\w*+(?=[./:@-]\w))(?:[./:@-]\w+)*"
    r"|\b[A-Za-z]*[a-z][A-Z]\w+|\b[A-Z]{2,}\b|(?<=[a-z] )[A-Z][a-z]+)"
)
"""Matches something with a name: code, a path, an identifier, a proper name."""
COMMAND = r"(?:npm|pnpm|yarn|bun|make|mise|cargo|go|uv|poetry|pytest|docker|gradle|mvn|just|rake|task|deno|tox|nox|git)(?: [\w:.-]+){1,4}?"
TASK = (
    r"(?:add|adjust|adapt|enhance|extend|fix|improve|modify|optimi[sz]e|polish|rework|tweak"
    r"|remove|refactor|rename|update|create|check|look|explain|tell|review|move|change|implement|revert|try|do(?! not)|go|give|show|start|continue"
    r"|commit(?! messages?)|push|merge|replace|delete|generate|investigate|find|increase|sort by|include|wait|skip|run (?:it|the|a)|test (?:it|the)"
    r"|write (?:a|the|it)|open|close|set|mention|align|focus|list|make (?!sure)|see|consider|take (?=a\b|the\b|it\b|that\b|this\b|another\b)|restart)"
)
"""Verbs that order something for now."""
WAY = (
    r"(?:use|keep|prefer|avoid|follow|stick|trust|leave|ask|treat|sort|name|answer|reply|respond|log|spell|indent|document|assume|wrap|format|call|write"
    r"|run(?! into)|prefix|quote|be|put|pin|test (?:on|with|against)|default to|squash|quarantine|respect|rely|store|publish|bump|regenerate"
    r"|rebuild|take(?! (?:a|an|the|it|that|this|another|care|your|me)\b))"
)
"""Verbs that say in which way something is done."""
WORKS = (
    r"(?:comments?|tests?|commits?|messages?|prs|pull requests|(?:pr )?titles|names?|docs|documentation|logs|errors?|imports?|exports?|migrations?|types?"
    r"|answers?|explanations?|dependenc(?:y|ies)|emojis?|functions?|branch(?:es)?|snapshots?|mocks?|secrets?|credentials|timestamps?|dates|endpoints?"
    r"|changelog(?: entries)?|readme|lock ?files?|diffs?|summar(?:y|ies)|scripts?|tickets?|releases?|deploys?|handlers?|clients?|abbreviations|magic numbers"
    r"|globals|classes|variables|modules|packages|libraries|code|flags|schema|tables?|docstrings|indentation|casing|style|spelling|conventions?"
    r"|descriptions?|subject lines?|alerts?|dashboards?|notebooks?|figures?|plots?|crates?|constants?|assets?|strings?)"
)
"""What developers make and have habits about."""
CHECKS = (
    r"\b(?:you (?:need to|have to|must|should)|make sure (?:you|to)) (?P<work>(?:(?!to (?:check|make|be|see)\b)[\w./`'-]+ ){1,8})"
    r"to (?:(?:make|be) sure|check|see)(?: that| if| whether)? (?:things?|everything|it all|all|nothing)\b"
)
"""Matches an order by which the work is checked: "you need to do npm run build to make sure things work"."""
WORK = rf"(?:[\w-]+ ){{0,2}}?{WORKS}"
EVENT = (
    r"(?:commit|push|merg|releas|deploy|rebas|tag|edit|touch|chang|add|updat|publish|open|pull|upgrad|renam|mov|bump|modif|regenerat|restart|finish|delet"
    r"|install|creat|writ|review)"
)
ALONE = r"(?!option|to see|the (?:first|second|other)|this|that|it\b(?! when)|go with)"
_WORK_AT_HAND = r"push|run(?! into| out)|restart|reboot|touch|edit|change|work|install|delete|upgrade|migrate|patch|hard-?code|rename|approve|import"
_WORK_ON_KINDS = r"mock|stub|fake|vendor|fork|duplicate|abbreviate|backport|inline|introduce|bypass|suppress|silence|reformat|squash|monkey-?patch|add new"
_WE_DO_NOT = r"(?:^|[,;:(] ?|\b(?:here|since|because|and|but|so|repo|project) )we (?:\w+ly )?(?:don't|do not|never|no longer) (?:ever |just )?"
_NOT_OF_TODAY = (
    r" (?!it\b|them|these|those|(?:the )?(?:same|second|first|new|other|old)\b)"
    r"(?!.*\b(?:today|tonight|tomorrow|now|yet|(?:this|that) (?:test|file|function|class|module|case|method|component|pr|ticket"
    r"|change|task|branch|commit|sprint|week|one|time))\b)"
)
WORK_NOT_DONE = rf"{_WE_DO_NOT}(?:{_WORK_AT_HAND}|{_WORK_ON_KINDS}){_NOT_OF_TODAY}"
NOT_DONE = rf"{_WE_DO_NOT}(?:deploy|release|ship|merge|commit|rebase|publish|tag|squash|{_WORK_AT_HAND}|{_WORK_ON_KINDS}){_NOT_OF_TODAY}"
"""What a team says that it does not do; the first with verbs that other evidence of a habit lacks."""
