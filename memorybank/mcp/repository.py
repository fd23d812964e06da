"""The memories of all banks of a repository, for an agent that works in one of them: each bank answers by its own access rules and trust.

The id of a memory in another bank ends with `@` and the project of the bank (`note:shared/retry.md@services/api`). Such an id is compared with the
projects that have a bank, and never turned into a path. The ids of the person's own bank, which is read in every repository, are `personal:KEY`.
"""

import os
from collections.abc import Callable
from posixpath import dirname
from typing import TYPE_CHECKING

from memorybank.bank import Bank, everywhere, neighbours
from memorybank.bank.trusting import WAITING
from memorybank.bank.view import BankView
from memorybank.bank.visible import AgentAnswer, VisibleMemory, shown_id
from memorybank.config import cycle as cycle_settings
from memorybank.config import personal_bank
from memorybank.cycle.recall.another import PREFIX
from memorybank.errors import NotFound
from memorybank.injection import one_line
from memorybank.reasons.reason import Reason, joined
from memorybank.search.hit import PERSONAL, option_of
from memorybank.storage.layout import Layout

if TYPE_CHECKING:
    from memorybank.search.hit import SearchAnswer

_AT = "@"
_ROOT = "."


class RepositoryView:
    """All banks of a repository for one viewer.

    own: the bank that the server serves
    role: role of the agent
    """

    def __init__(self, own: Bank, role: str | None) -> None:
        self._own = own
        self._role = role
        self._opened: dict[str, Bank] = {own.layout.root: own}

    def search(self, asked: "Callable[[BankView], SearchAnswer]", limit: int) -> AgentAnswer:
        """Return the best hits of all banks, and which banks were left out. asked: searches one bank"""
        personal = self._personal()
        layouts = (
            [self._own.layout] if self._own.layout.repository is None and personal else neighbours.banks_beside(self._own.layout, self._own.layout.work_tree)
        )
        names = {layout.root: layout.relative(layout.root) for layout in layouts}
        if personal is not None:
            layouts.append(personal)
            names[personal.root] = PERSONAL
        found = everywhere.search(
            layouts, self._own.layout.root, self._open, lambda bank: asked(bank.seen_by(self._role)), limit, lambda layout: names[layout.root]
        )
        roots = {name: root for root, name in names.items()}
        memories = []
        for hit in found.answer.hits:
            bank = self._open(roots[hit.bank])
            if hit.bank == PERSONAL and (hit.archive_id is not None or hit.kind != "note"):
                continue  # only its notes have ids here
            (memory,) = bank.seen_by(self._role).memories([hit])
            memories.append(memory if bank is self._own else self._placed(memory, bank))
        weak = (Reason("search.only_weak"),) if memories and all(memory.is_weak for memory in memories) else ()
        left_out = [f"{each.bank} was left out: {each.reason}; a person can run '{each.next_step}'" for each in found.left_out]
        return AgentAnswer(tuple(memories), "; ".join(filter(None, (joined((*weak, *found.answer.stale), between="; "), *left_out))))

    def read(self, name: str) -> VisibleMemory:
        """Return one memory in full. Raises `NotFound` for one that does not exist, that this viewer may not see, or that nobody accepted in another bank."""
        personal = self._personal() if name.startswith(PREFIX) else None
        plain, at, project = (f"note:{name.removeprefix(PREFIX)}", _AT, "") if personal is not None else name.rpartition(_AT)
        root = personal.root if personal is not None else self._roots().get(project) if at else None
        if root is None:
            return self._own.seen_by(self._role).read(name)
        bank = self._open(root)
        status = bank.trust.status()
        if status.state != WAITING:
            memory = self._placed(bank.seen_by(self._role).read(plain), bank)
            if plain not in map(_id_of_file, status.waiting):
                return memory
        option = option_of(PERSONAL if personal is not None else self._folder(bank))
        raise NotFound(f"{one_line(name)} waits until a person accepts it", next_step=f"a person can run 'memorybank {option} trust'")

    def _personal(self) -> Layout | None:
        """Return the personal bank, None where it is not read."""
        if not cycle_settings.load(self._own.layout)[0].budgets.personal:
            return None
        return personal_bank.beside(self._own.layout, os.environ)

    def _open(self, root: str) -> Bank:
        if root not in self._opened:
            self._opened[root] = Bank.open(root, clock=self._own.clock, read_only=self._own.read_only)
        return self._opened[root]

    def _roots(self) -> dict[str, str]:
        """Return {project as ids name it: root} of the other banks of the repository."""
        if self._own.layout.repository is None:
            return {}
        layouts = neighbours.banks_beside(self._own.layout, self._own.layout.work_tree)
        return {_project(layout.relative(layout.root)): layout.root for layout in layouts if layout.root != self._own.layout.root}

    def _placed(self, memory: VisibleMemory, bank: Bank) -> VisibleMemory:
        personal = self._personal()
        if personal is not None and bank.layout.root == personal.root:
            return memory._replace(id=f"{PREFIX}{memory.id.partition(':')[2]}")
        return memory._replace(id=f"{memory.id}{_AT}{_project(self._folder(bank))}")

    def _folder(self, bank: Bank) -> str:
        return bank.layout.relative(bank.layout.root)


def _project(bank: str) -> str:
    """Return how ids name a bank. bank: its folder, relative to the repository"""
    return shown_id(dirname(dirname(bank)) or _ROOT)


def _id_of_file(path: str) -> str:
    """Return the id of the memory that a file of a bank contains."""
    return shown_id(f"note:{path.removeprefix('active/')}")
