"""What speaks for an English sentence without "always" or "never": facts that recur or hold of a whole kind, conventions, labels, limits and steps, as rows
of evidence (`evidence_english`)."""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.stated import CONSTRAINT, ENVIRONMENT, PREFERENCE, PROCEDURE

ROWS: tuple[tuple[int, str, str, str], ...] = (
    (3, "", "what recurs",
        r"^(?!.*\b(?:should|could|would|must|needs? to|can|have to|never|always|another|others?)\b)(?=.*\b(?:is|are|gets?|has|have|runs?|does|do|goes?|[a-z]{3,}s)\b)(?:.*\b(?:"
        r"(?:every|each) (?:other |single |second )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|night|week|weekend|month|morning|evening|quarter|day"
        r"|release|sprint)s?|(?:on|at|over) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|holidays|night(?! of))|nightly|weekly|daily|hourly"
        r"|once an? (?:day|week|month)|after \d+ (?:days|weeks|months))\b)"),
    (3, CONSTRAINT, "labelled as a rule",
        r"^(?:(?:general|house|new|team|project|repo|another|our|my|the|one|coding|style|basic|golden) )*(?:rules?|conventions?|polic(?:y|ies)|guidelines?"
        r"|house style)(?: (?:for|in|of|here|on|is|at) ?[^:,]{0,30}?)? ?[:=–—]"),
    (5, PROCEDURE, "steps of a kind of work",
        r"^(?:for|on) (?!(?:this|the|that|these|those|now|me|all of)\b)(?:[\w-]+ ){0,2}?[a-z-]+(?:s|ing): (?:[^,]+, ){2,}"
        r"|^(?!.*\b(?:repro|reproduc)\w*)(?:how (?:to|we) \w+|(?:[\w-]+ ){1,2}(?:steps|procedure|process|workflow|checklist))(?: (?:for|of|to) [\w ]+)?: "
        r"|^to [\w-]+ (?:an?|any|every|new) [\w -]+? we (?:\w+ly )?\w+ "),
    (4, CONSTRAINT, "what holds of all of a kind",
        r"^(?:all|every|each|no|our) (?!of\b|this|that|the\b|rows?|results?|(?:my|your)\b)(?:[\w-]+ ){1,3}?(?:is|are|has|have|gets?|lives?|goes|go"
        r"|talks?|calls?"
        r"|writes?|reads?|uses?|belongs?|starts?|ends?|returns?|takes?|imports?|knows?|depends?) "
        r"(?!.*\b(?:when|after|if|now|disabled|enabled|gone|returned|found|shown|up|down|there|green|passing|done|ready|finished)\b)"),
    (4, CONSTRAINT, "done in one way only",
        r"\b(?:is|are|gets?|happens?|works?) (?:\w+ )?only (?:done |made |run )?(?:by|from|through|via|with|inside)\b"
        r"|\bonly (?:accepts?|allows?|talks?|writes?|speaks?|understands?|supports?|runs?|works?) "
        r"|^only (?:the|our) [\w -]+? (?:writes?|reads?|deploys?|pushes|publishes|calls?|knows?|touches|changes|owns|merges|releases)\b"),
    (3, PREFERENCE, "what is not meant by it", r"^(?:[\w.-]+ ){1,6}(?:are|is) [\w .-]+, (?:not|never) [\w.-]+(?: [\w.-]+)?\W*$"),
    (4, ENVIRONMENT, "on this machine",
        r"^(?!.*\b(?:down|full|dead|crash\w*|hangs?)\b)(?:on (?:this|my|our|these) (?:machine|box|laptop|computer|host|server|network|pc|mac)s?,? "
        r"(?:[\w.-]+ )+(?:is|are|has|needs?|runs?|listens?|lives?)\b|(?:this|my|our) (?:machine|box|laptop|computer|host|server|network|pc|mac) "
        r"(?:has|is|runs|uses|needs|cannot|can't)\b)"),
    (2, "", "in this repository",
        r"^in (?:this|the|our) (?:repo|repository|project|code ?base|monorepo|package|team),? (?!fix|add|change|please|can|we need)[\w-]+s? "),
    (2, "", "made by a tool or by others",
        r"(?:not|n't|never) (?:\w+ )?(?:edit|touch|change|modify|format|reformat|rename|move|patch|fix|delete|lint)\w* (?:the |any "
        r"|our )?(?:\w+ ){0,2}?(?:auto-?)?"
        r"(?:generated|vendored|third[- ]party|upstream|minified|compiled|checked-in|shared|legacy|archived)\b"),
    (1, "", "a limit and nothing else", r"^max(?:imum)? [\w -]+? (?:is |of |are )?\d+\b"),
    (4, CONSTRAINT, "not without something before it", r"(?:don't|do not|never|no|nothing) .*\bwithout (?:\w+ing|my|an?|approval|permission|review)\b"),
)  # fmt: skip
