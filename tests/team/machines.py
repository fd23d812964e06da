"""A machine of a person: a home folder of its own, and a bank that is connected to the server of a team."""

from pathlib import Path

from memorybank.bank import Bank
from memorybank.clock import Clock
from memorybank.storage.create_bank import create_bank

REPOSITORY = "tea"
ORGANISATION = "acme"


class TeamMachine:
    """One machine. Every use of `bank` makes its home folder that of the process."""

    def __init__(self, folder: Path, login: str, environment: object, clock: Clock, address: str = "") -> None:
        self.home = folder / "home"
        self.root = folder / "project" / ".claude" / "memory"
        self.login = login
        self.clock = clock
        self.address = address or f"postgresql://{login}@localhost/memory"
        self._environment = environment
        self.home.mkdir(parents=True)
        self.root.mkdir(parents=True)
        create_bank(str(self.root), "UTC")

    @property
    def bank(self) -> Bank:
        """The bank, as a new process opens it."""
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
            self._environment.delenv(name, raising=False)
        self._environment.setenv("HOME", str(self.home))
        return Bank.open(self.root, clock=self.clock)

    def connected(self, **chosen: object) -> "TeamMachine":
        team = self.bank.team
        team.connect(team.proposed(self.address, ORGANISATION, **{"repository": REPOSITORY, **chosen}))
        return self

    def write(self, key: str, text: str) -> None:
        path = self.root / "active" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def delete(self, key: str) -> None:
        (self.root / "active" / key).unlink()

    @property
    def state(self) -> Path:
        """Folder of what the bank exchanges with the team."""
        return next((self.home / ".local/state/memorybank/team").iterdir())

    def copied(self) -> dict[str, str]:
        """Return {key: text} of the notes in the local copy."""
        top = self.state / "copy" / "active"
        return {str(path.relative_to(top)): path.read_text(encoding="utf-8") for path in sorted(top.rglob("*.md"))}

    def everything(self) -> bytes:
        """Return the bytes of every file in the state folder."""
        return b"\n".join(path.read_bytes() for path in sorted((self.home / ".local/state").rglob("*")) if path.is_file())
