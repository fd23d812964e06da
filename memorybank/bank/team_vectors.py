"""The vectors that the exchange with a team uses: those that a bank already has of its memories, and that of a query."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank.bank.meaning import MeaningFacade
from memorybank.bank.opened import OpenBank
from memorybank.config import own
from memorybank.errors import ConfigInvalid, MemorybankError
from memorybank.meaning import choosing, cutting, ledger, store, vectors
from memorybank.meaning.embedder import QUERY
from memorybank.reasons.reason import Reason
from memorybank.search.query import KEYWORD, SEMANTIC
from memorybank.team.offering import MemoryVectors, OfferedMemory
from memorybank.text.secrets.redact import redact

if TYPE_CHECKING:
    from memorybank.meaning.choosing import EmbedderChoice


class ShareableVectors(MemoryVectors):
    """The vectors that this bank already has. None are made here, because that sends texts to the embedder."""

    def __init__(self, bank: OpenBank) -> None:
        choice = _choice()
        with store.open_reading(bank.layout, frozen=bank.read_only) as stored:
            is_usable = choice is not None and stored.identity == choice.identity
            self.model = _model_of(choice) if choice is not None and is_usable else ""
            self.dimension = stored.dimension
            self._known = stored.known_vectors() if is_usable else {}

    def of(self, memory: OfferedMemory) -> bytes | None:
        if not self._known:
            return None
        found = [self._known.get(ledger.text_digest(each.text)) for each in cutting.cut(memory.title, memory.text)]
        packed = [each for each in found if each is not None]
        return b"".join(packed) if packed and len(packed) == len(found) else None


def of_query(bank: OpenBank, text: str, type: str) -> tuple[Sequence[float] | None, str, Reason | None]:
    """Return (the vector of a query, the name of the embedder, why there is none). Raises as the embedder does for the type `semantic`."""
    if type == KEYWORD:
        return None, "", None
    try:
        meaning = MeaningFacade(bank)
        choice = meaning.choice()
        if not meaning.has_consent():
            raise ConfigInvalid(f"nobody has agreed to send texts of this bank to {choice.leaves_by}", next_step="agree with: memorybank index --meaning")
        asked = choice.build(bank.clock, patient=False).embed([cutting.beginning(redact(text, None))], QUERY)
        return vectors.normalised(asked[0]), _model_of(choice), None
    except MemorybankError as error:
        if type == SEMANTIC:
            raise
        return None, "", Reason("search.words_instead", why=f"{error.message}; {error.next_step}")


def _choice() -> "EmbedderChoice | None":
    try:
        return choosing.choose(own.load(os.environ), os.environ)
    except MemorybankError:
        return None


def _model_of(choice: "EmbedderChoice") -> str:
    """Return the name under which the server knows an embedder. Vectors with different names are never compared."""
    return f"{choice.name}#{choice.identity[:12]}"
