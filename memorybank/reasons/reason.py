"""A reason as a value: a code with the numbers and names that belong to it. The command line, the page and the MCP server turn it into a sentence.

    Reason("rotation.recent", age=3, limit=7)

The sentences are templates in `english` and `japanese`, one for each code. A field is written as in `str.format`. For an integer, a specification
that begins with a space is the word that it counts: `{age: day}` is `1 day` or `1,200 days`, `{links: note or file|notes or files}` names
the plural. A field may also be a reason, or a sequence of reasons and words, which is joined by commas.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    Field: TypeAlias = "str | float | Reason | tuple[str | Reason, ...]"


class Language:
    """The templates of one language, and the sign between the items of a list."""

    __slots__ = ("_templates", "comma")

    def __init__(self, templates: Mapping[str, str] | None, comma: str) -> None:
        """Make the language. templates: None for those of English, which are loaded when the first sentence is asked for: most hooks make none."""
        self._templates = templates
        self.comma = comma

    @property
    def templates(self) -> Mapping[str, str]:
        """Return the template of each code."""
        if self._templates is None:
            from memorybank.reasons.english import TEMPLATES

            self._templates = TEMPLATES
        return self._templates


class Reason:
    """Why something is as it is. Equal to another reason with the same code and fields.

    code: a key of the templates
    fields: the values that the template names
    """

    __slots__ = ("code", "fields")

    def __init__(self, code: str, /, **fields: Field) -> None:
        self.code = code
        self.fields = fields

    def __str__(self) -> str:
        """Return the English sentence."""
        return text_of(self)

    def __repr__(self) -> str:
        return f"Reason({', '.join((repr(self.code), *(f'{name}={value!r}' for name, value in self.fields.items())))})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and (self.code, self.fields) == (other.code, other.fields)

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.fields.items())))


class _Count(int):
    """An integer that can be formatted with the word that it counts."""

    def __format__(self, form: str) -> str:
        if not form.startswith(" "):
            return format(int(self), form)
        one, _, many = form[1:].partition("|")
        return f"{int(self):,} {one if self == 1 else many or one + 's'}"


ENGLISH = Language(None, ", ")


def text_of(reason: Reason | str | None, language: Language = ENGLISH) -> str:
    """Return the sentence of a reason, without a full stop; "" for None. A text, such as a word of a question, stays as it is."""
    if reason is None or isinstance(reason, str):
        return reason or ""
    return language.templates[reason.code].format_map({name: _shown(value, language) for name, value in reason.fields.items()})


def joined(reasons: Iterable[Reason | str], language: Language = ENGLISH, between: str | None = None) -> str:
    """Return several reasons as one text. between: the sign between them; by default the comma of the language."""
    return (language.comma if between is None else between).join(text_of(reason, language) for reason in reasons)


def _shown(value: Field, language: Language) -> object:
    if isinstance(value, int):
        return _Count(value)
    if isinstance(value, tuple):
        return joined(value, language)
    return text_of(value, language) if isinstance(value, Reason) else value
