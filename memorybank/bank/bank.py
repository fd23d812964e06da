"""The Python interface to one bank: opening or creating it, its parts (`notes`, `rotation`, `episodes` …), and its search."""

import os
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from memorybank.bank import arguments
from memorybank.bank.arguments import Instant
from memorybank.bank.opened import OpenBank
from memorybank.clock import Clock
from memorybank.config import settings as configuration
from memorybank.errors import UsageError
from memorybank.storage.layout import Layout, describe, find_bank

if TYPE_CHECKING:
    from memorybank.bank.activity import Activity
    from memorybank.bank.adoption import Adoptions
    from memorybank.bank.archives import Archives, Backups
    from memorybank.bank.attention import Attention
    from memorybank.bank.blaming import BlamedNote
    from memorybank.bank.catalogue import Catalogue
    from memorybank.bank.decisions import Claims, Decisions
    from memorybank.bank.episodes import Episodes
    from memorybank.bank.history import NoteHistory
    from memorybank.bank.indexes import Indexes
    from memorybank.bank.knowledge import KnowledgeFacade
    from memorybank.bank.log import Log
    from memorybank.bank.meaning import MeaningFacade
    from memorybank.bank.measurements import Measurements
    from memorybank.bank.memory import MemoryFacade
    from memorybank.bank.notes import Notes
    from memorybank.bank.policy import Policies
    from memorybank.bank.purge import PurgeReport
    from memorybank.bank.rotations import Rotations
    from memorybank.bank.scores import Scores
    from memorybank.bank.status import BankStatus
    from memorybank.bank.team import TeamFacade
    from memorybank.bank.transfer import Transfers
    from memorybank.bank.trusting import TrustFacade
    from memorybank.bank.view import BankView
    from memorybank.search.hit import SearchAnswer
    from memorybank.visibility import Viewer


def _part(module: str, name: str, about: str) -> Any:
    """Return a property for a part of the interface, which is imported and created when it is first used.

    module, name: the class, and the module of `memorybank.bank` that contains it
    about: docstring
    """

    def created(bank: OpenBank) -> Any:
        return getattr(import_module(f"memorybank.bank.{module}"), name)(bank)

    created.__doc__ = about
    return cached_property(created)


@arguments.checked
class Bank(OpenBank):
    """One memory bank with everything that can be done with it."""

    notes: "Notes" = _part("notes", "Notes", "The notes: reading, creating, rating and bookmarking them.")
    adoption: "Adoptions" = _part("adoption", "Adoptions", "Adopting what the project already has, and the sources that are read in place.")
    catalogue: "Catalogue" = _part("catalogue", "Catalogue", "The notes and archived notes, page by page.")
    history: "NoteHistory" = _part("history", "NoteHistory", "The earlier versions of notes.")
    activity: "Activity" = _part("activity", "Activity", "What agents did and were shown, and what came of it.")
    attention: "Attention" = _part("attention", "Attention", "What waits for a person to decide.")
    claims: "Claims" = _part("decisions", "Claims", "What the notes name that can be looked up in the repository.")
    decisions: "Decisions" = _part("decisions", "Decisions", "What the notes decide, and which decisions a later one replaced.")
    scores: "Scores" = _part("scores", "Scores", "The importance of notes, and its explanation.")
    index: "Indexes" = _part("indexes", "Indexes", "The working index and the published documents.")
    rotation: "Rotations" = _part("rotations", "Rotations", "Planning, executing and undoing rotations.")
    archive: "Archives" = _part("archives", "Archives", "The archived notes.")
    backups: "Backups" = _part("archives", "Backups", "The original files of rotations, for a limited time.")
    transfer: "Transfers" = _part("transfer", "Transfers", "Moving to another machine what only this machine has.")
    log: "Log" = _part("log", "Log", "The event logs, which hooks recorded.")
    metrics: "Measurements" = _part("measurements", "Measurements", "Metrics and alerts.")
    policy: "Policies" = _part("policy", "Policies", "The policy of recall: what was learned and what a person set.")
    episodes: "Episodes" = _part("episodes", "Episodes", "The summaries of days.")
    meaning: "MeaningFacade" = _part("meaning", "MeaningFacade", "The vectors for search by meaning.")
    memory: "MemoryFacade" = _part("memory", "MemoryFacade", "The memories that agents are shown: recall and the resident summary.")
    knowledge: "KnowledgeFacade" = _part("knowledge", "KnowledgeFacade", "What the sessions taught: problems, rules and findings.")
    team: "TeamFacade" = _part("team", "TeamFacade", "The connection to the server of a team.")
    trust: "TrustFacade" = _part("trusting", "TrustFacade", "Whether agents on this machine may be shown the bank's memories.")

    @classmethod
    def open(
        cls, path: str | os.PathLike[str] | None = None, *, clock: Clock | None = None, read_only: bool = False, start: str | os.PathLike[str] | None = None
    ) -> "Bank":
        """Return the bank at `path`, else that of $MEMORYBANK_DIR, else the bank in the folder `start` (default: the working folder) or in a folder above it.

        path: folder of the bank itself, such as `.claude/memory`
        read_only: whether to write nothing in the bank, not even its cache; what would change it raises `PermissionRefused`
        Raises `NotFound` when there is no bank, `ConfigInvalid` for invalid settings, and `UsageError` for an empty path.
        """
        named = _path(path, "path")
        folder = _path(start, "start") or os.getcwd()
        return cls._at(find_bank(folder, explicit=named, environment=os.environ.get("MEMORYBANK_DIR"), home=os.path.expanduser("~")), clock, read_only)

    @classmethod
    def create(cls, path: str | os.PathLike[str] | None = None, *, zone: str | None = None, clock: Clock | None = None) -> "Bank":
        """Create the folders and first files that a bank lacks, and return the bank. What exists is never changed, so a second call does nothing.

        path: folder of the bank itself; default: $MEMORYBANK_DIR, else the existing bank of the working folder, else `.claude/memory` in the root
            of its repository
        zone: IANA time zone by whose days episodes are divided; default: this machine's. A bank that has `config/episodes_config.json` keeps its own
        Raises `UsageError` for the home folder, an unknown zone and a path that is not one, `PermissionRefused` where nothing can be written,
        `ConfigInvalid` for the settings of an existing bank.
        """
        from memorybank.bank import recording
        from memorybank.config.zones import is_zone, own_zone
        from memorybank.notes.date_record import INIT
        from memorybank.storage import create_bank
        from memorybank.trust.gate import gate_of

        if zone is not None and not is_zone(zone):
            raise UsageError(f"zone: {zone!r} is not a time zone of this machine", next_step="pass an IANA name such as 'Asia/Tokyo', or None for its own")
        root = create_bank.bank_path(os.getcwd(), explicit=_path(path, "path"), environment=os.environ.get("MEMORYBANK_DIR"), home=os.path.expanduser("~"))
        create_bank.refuse_to_litter(root, os.path.expanduser("~"))
        create_bank.create_bank(root, zone or own_zone(os.environ))
        bank = cls._at(describe(root), clock, False)
        gate_of(bank.layout, os.environ, bank.clock)  # a bank that is empty now was created here
        recording.begin(bank, INIT)
        return bank

    @classmethod
    def _at(cls, layout: Layout, clock: Clock | None, read_only: bool) -> "Bank":
        settings = configuration.load(layout)
        placed = configuration.placed_layout(layout, settings)
        placed.is_read_only = read_only
        return cls(placed, settings, clock or Clock(), read_only=read_only)

    def seen_by(self, role: str | None = None) -> "BankView":
        """Return the bank as an agent of this role may see and use it, by memory ids. role: None for what everybody may see."""
        from memorybank.bank.view import BankView

        return BankView(self, role)

    def status(self, *, every: bool = True, fresh: bool = True) -> "BankStatus":
        """Return current metrics and alerts, changes since the last session, and notes that would leave within a week. Writes only the cache.

        every: whether to list every note that could leave now; otherwise they are only counted, which is faster in a large bank
        fresh: whether to examine every file. Otherwise, in a large bank in which all were examined a moment ago and nothing differed, only folders
            and the notes that are listed are, and a notice says so.
        """
        from memorybank.bank.status import status

        return status(self, every=every, fresh=fresh)

    def blame(self, name: str, *, by_line: bool = False, role: str | None = None) -> "BlamedNote":
        """Return who wrote each statement of a note, by git and by what this machine recorded. Changes nothing.

        name: a key, a path or a short name, also of an archived note
        by_line: whether every line is a statement of its own
        role: name also sessions that only this role may see; None: only those that everybody may see
        Raises `NotFound`.
        """
        from memorybank.bank.blaming import blame

        return blame(self, name, by_line=by_line, role=role)

    def purge(self, text: str, *, dry_run: bool = False) -> "PurgeReport":
        """Remove a leaked text from logs, archive, backups and everything derived. Notes that contain it are listed, never changed.

        Raises `UsageError` for a text that is too short.
        dry_run: whether to report only where the text is
        """
        from memorybank.bank.purge import purge

        return purge(self, text, dry_run=dry_run)

    def search(
        self,
        query: str = "",
        type: str = "keyword",
        limit: int = 10,
        *,
        category: str | None = None,
        tags: Sequence[str] = (),
        since: Instant | None = None,
        until: Instant | None = None,
        min_importance: float | None = None,
        regex: bool = False,
        archive: bool = False,
        fresh: bool = False,
        role: str | None = None,
        as_of: Instant | None = None,
        kinds: Sequence[str] = (),
        viewer: "Viewer | None" = None,
        also: Sequence[str] = (),
    ) -> "SearchAnswer":
        """Find notes and episodes, best first. Raises `UsageError` for an invalid query.

        query: may be empty if there is a filter; then everything that passes the filters is listed, the newest first
        type: `keyword`, `semantic` (by meaning), `hybrid` (by words and meaning), `content`, `importance` (notes only) or `recent`
        limit: maximum number of hits
        category, tags, min_importance: only notes have these, so they restrict the search to notes
        since, until: both inclusive, compared with `modified`, and for an episode with any of its days; a date as `until` includes that day
        as_of: search as at that instant; default now
        archive: whether to search archived notes too
        fresh: whether to examine every note first, even in a large bank
        role, viewer: return only what this role or this viewer may see
        kinds: `note`, `episode`; () for both
        also: the same question in other words, for the types `keyword`, `semantic` and `hybrid`; a hit counts where it answers one of them best
        Raises `ConfigInvalid` and the errors of the embedder for the type `semantic`; a hybrid search then finds by words, and `stale` says why.
        """
        from memorybank.bank.searching import search
        from memorybank.search.query import Query
        from memorybank.visibility import Viewer

        first, last = arguments.instant(self, since, "since"), arguments.instant(self, until, "until", end_of_day=True)
        if first is not None and last is not None and first > last:
            raise UsageError("since is after until, so nothing can match", next_step="exchange them")
        if min_importance is not None and not 0 <= min_importance <= 10:
            raise UsageError(f"min_importance must be a number from 0 to 10, not {min_importance:g}")
        if role is not None and viewer is not None:
            raise UsageError("role and viewer cannot be combined", next_step="pass one of them")
        # `until` is inclusive here and exclusive in a Query.
        asked = Query(
            query, type, limit, category, tuple(tags), first, None if last is None else last + 1, min_importance, regex, archive,
            viewer or (None if role is None else Viewer(role=role)), tuple(kinds), tuple(text for text in also if text.strip()),
        )  # fmt: skip
        return search(self, asked, fresh=fresh, as_of=arguments.instant(self, as_of, "as_of"))


def _path(given: str | os.PathLike[str] | None, name: str) -> str | None:
    """Return a path as text, None for None. Raises `UsageError` for an empty text, which is more often a missing value than the working folder."""
    if given == "":
        raise UsageError(f"{name} is empty", next_step="pass a folder, or None for the bank of the working folder")
    return None if given is None else os.fspath(given)
