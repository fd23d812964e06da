"""The banks of this machine that the person registered: those that a search of everything reads, next to the personal bank and that of the working folder."""

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from memorybank.bank import everywhere
from memorybank.bank.bank import Bank
from memorybank.bank.everywhere import LeftOutBank, RepositoryAnswer
from memorybank.config import personal_bank
from memorybank.editing import own_settings
from memorybank.errors import MemorybankError, NotFound, UsageError
from memorybank.search.hit import PERSONAL, SearchAnswer, shell_path
from memorybank.storage.layout import BANK, Layout, find_bank

_BANKS = own_settings.list_of_folders("banks")
MISSING = "it does not exist"


class RegisteredBank(NamedTuple):
    """One registered bank. bank: as the own settings write it. layout: None with the reason why it cannot be used"""

    bank: str
    layout: Layout | None
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        return {"bank": self.bank, "is_usable": self.layout is not None, "reason": self.reason or None}


def listed(environment: Mapping[str, str]) -> list[RegisteredBank]:
    """Return the registered banks in the order of the own settings. Raises `ConfigInvalid` for settings that cannot be read."""
    return [_found(each, environment) for each in dict.fromkeys(_BANKS.read(environment))]


def add(place: str, environment: Mapping[str, str]) -> tuple[str, bool]:
    """Register a bank and return (how it is written, whether it is new).

    place: folder of the bank, or of the project that contains it
    Raises `NotFound` when there is no bank, `UsageError` for the personal bank, which is always searched.
    """
    inside = os.path.join(place, BANK)
    layout = find_bank("/", explicit=inside if os.path.isdir(inside) else place)
    if layout.root == _personal_root(environment):
        raise UsageError("the personal bank is always searched", next_step="name another bank")
    written = personal_bank.as_written(layout.root, environment)

    def with_it(entries: list[str]) -> list[str]:
        is_there = any(personal_bank.place_of(each, environment) == layout.root for each in entries)
        return entries if is_there else [*entries, written]

    return written, _BANKS.change(environment, with_it)


def remove(place: str, environment: Mapping[str, str]) -> str:
    """Take a bank out of the register and return how it was written. The bank itself stays. Raises `NotFound` when it is not registered.

    place: folder of the bank, or of the project that contains it, which may be missing
    """
    roots = {os.path.realpath(place), os.path.realpath(os.path.join(place, BANK))}
    removed: list[str] = []

    def without(entries: list[str]) -> list[str]:
        removed.extend(each for each in entries if personal_bank.place_of(each, environment) in roots or each == place)
        return [each for each in entries if each not in removed]

    _BANKS.change(environment, without)
    if not removed:
        raise NotFound(f"{personal_bank.as_written(place, environment)} is not registered", next_step="'memorybank banks' lists what is")
    return removed[0]


def search(
    own: Layout | None, environment: Mapping[str, str], opened: Callable[[str], Bank], asked: Callable[[Bank], SearchAnswer], limit: int
) -> RepositoryAnswer:
    """Return the best hits of the registered banks, the personal bank and the bank of the working folder. Parameters are those of `everywhere.search`.

    A bank that is missing or cannot be read is left out with the reason.
    """
    known = listed(environment)
    personal_root = _personal_root(environment)
    layouts = {each.layout.root: each.layout for each in known if each.layout is not None}
    if personal_root:
        layouts[personal_root] = personal_bank.existing(environment)
    if own is not None:
        layouts[own.root] = own
    if not layouts and not known:
        raise NotFound("no bank is registered, and there is none in this folder", next_step="register banks with 'memorybank banks add DIR'")

    def name(layout: Layout) -> str:
        return PERSONAL if layout.root == personal_root else personal_bank.as_written(layout.root, environment)

    found = everywhere.search(layouts.values(), own.root if own is not None else None, opened, asked, limit, name)
    gone = tuple(LeftOutBank(each.bank, each.reason, f"memorybank banks remove {shell_path(each.bank)}") for each in known if each.layout is None)
    return found._replace(left_out=(*found.left_out, *gone))


def _found(written: str, environment: Mapping[str, str]) -> RegisteredBank:
    place = personal_bank.place_of(written, environment)
    try:
        return RegisteredBank(written, find_bank("/", explicit=place)) if place else RegisteredBank(written, None, "it is not an absolute path")
    except (MemorybankError, OSError):
        return RegisteredBank(written, None, "it is not a bank" if os.path.isdir(place) else MISSING)


def _personal_root(environment: Mapping[str, str]) -> str:
    """Return the root of the personal bank, "" when there is none."""
    try:
        return personal_bank.existing(environment).root
    except MemorybankError:
        return ""
