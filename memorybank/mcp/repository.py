"""The memories of all banks of a repository, for an agent that works in one of them: each bank answers by its own access rules and trust.

The id of a memory in another bank ends with `@` and the project of the bank (`note:shared/retry.md@services/api`). Such an id is compared with the
projects that have a bank, and never turned into a path.
"""

from collections.abc import Callable
from posixpath import dirname
from typing import TYPE_CHECKING

from memorybank.bank import Bank, everywhere, neighbours
from memorybank.bank.trusting import WAITING
from memorybank.bank.view import BankView
from memorybank.bank.visible import AgentAnswer, VisibleMemory, shown_id
from memorybank.errors import NotFound
from memorybank.injection import one_line
from memorybank.reasons.reason import Reason, joined

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
        layouts = neighbours.banks_beside(self._own.layout, self._own.layout.work_tree)
        found = everywhere.search(layouts, self._own.layout.root, self._open, lambda bank: asked(bank.seen_by(self._role)), limit)
        roots = {layout.relative(layout.root): layout.root for layout in layouts}
        memories = []
        for hit in found.answer.hits:
            bank = self._open(roots[hit.bank])
            (memory,) = bank.seen_by(self._role).memories([hit])
            memories.append(memory if bank is self._own else self._placed(memory, bank))
        weak = (Reason("search.only_weak"),) if memories and all(memory.is_weak for memory in memories) else ()
        left_out = [f"{each.bank} was left out: {each.reason}; a person can run '{each.next_step}'" for each in found.left_out]
        return AgentAnswer(tuple(memories), "; ".join(filter(None, (joined((*weak, *found.answer.stale), between="; "), *left_out))))

    def read(self, name: str) -> VisibleMemory:
        """Return one memory in full. Raises `NotFound` for one that does not exist, that this viewer may not see, or that nobody accepted in another bank."""
        plain, at, project = name.rpartition(_AT)
        root = self._roots().get(project) if at else None
        if root is None:
            return self._own.seen_by(self._role).read(name)
        bank = self._open(root)
        status = bank.trust.status()
        if status.state != WAITING:
            memory = self._placed(bank.seen_by(self._role).read(plain), bank)
            if memory.id.rpartition(_AT)[0] not in map(_id_of_file, status.waiting):
                return memory
        raise NotFound(f"{one_line(name)} waits until a person accepts it", next_step=f"a person can run 'memorybank --bank {self._folder(bank)} trust'")

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
        return memory._replace(id=f"{memory.id}{_AT}{_project(self._folder(bank))}")

    def _folder(self, bank: Bank) -> str:
        return bank.layout.relative(bank.layout.root)


def _project(bank: str) -> str:
    """Return how ids name a bank. bank: its folder, relative to the repository"""
    return shown_id(dirname(dirname(bank)) or _ROOT)


def _id_of_file(path: str) -> str:
    """Return the id of the memory that a file of a bank contains."""
    return shown_id(f"note:{path.removeprefix('active/')}")
