"""The kinds of passages of the conversation, and of remedies of failed calls, that the fold stores; and of the knowledge that follows from many occurrences.

They have a module of their own, because recall reads passages and remedies without the code that finds them in a text, and most moments compute neither
problems nor rules.
"""

from __future__ import annotations

__light__ = True

SAID, ANSWER, REMARK, FIX = "said", "answer", "remark", "fix"
FOUND, REASON = "found", "reason"
"""What a model named in the session: an answer with its question, and why something is as it is (`fold.extracted`)."""
BY_MODEL = (FOUND, REASON)
REFUTED = "refuted"
"""An answer that the person refuted in the next prompt, or a remark that said the same. No moment shows one (`fold.refuted`)."""
PASTED = "pasted"
"""The message of an error in a prompt. It is found by the same error alone (`know.same_error`)."""
ACCEPTED = "→"
"""Heading of the error before it, pasted again by a prompt that accepts what was proposed about it."""
ANSWERS = (ANSWER, REMARK, *BY_MODEL)
"""Kinds of passages that answer a question."""
WORKED_AS = "→ "
"""Begins the text of a fix that is the failed command in another form."""
PROBLEM, RULE, COMMANDS = "problem", "rule", "commands"
INSTEAD, FIRST = "instead", "first"
"""Another call was made instead of the failed one, or before it."""
REFUSED = "refused"
"""In place of a remedy: an option of the call does not exist on this machine."""
LAST = "last"
"""In place of a remedy: the call failed when it was last run, for what the machine or the account lacks (`know.last_run`)."""
SET_UP = "set_up"
"""In place of a remedy: the shell did not find the program when it was last started by its name alone (`know.launched`)."""
STARTED = "started"
"""In place of a remedy: how the program was started that a call has just not found."""
NOT_FOUND = "!"
"""Before how a program was started (`text.commands.launching`): the shell did not find it so."""
NO_MODULE = "?"
"""Before the module of another project that a program, started by its name alone, did not find."""
FORM, FAILS = "form:", "fails:"
"""Kinds of anchors. Running a command of the form counts as using what recommends it; a call that fails although a memory said so was not avoided."""
