"""The table of all checks. To add one, write a function that yields symptoms in the module of its subject, and add a row here.

Functions are named as `module.function` of this package and imported when they are called, so that the quick checks load only what they use.
"""

from memorybank.doctor.finding import Check, Fix

MODES = Fix("modes", "removes the access of other users from logs, backups and caches", "bank.make_private")
WRITABLE = Fix("writable", "removes the write permission of other users", "bank.make_unwritable")
TEMPS = Fix("temps", "removes temporary files whose process has ended", "bank.remove_temps")
IGNORE_LINES = Fix("ignore-lines", "adds the missing lines to the bank's .gitignore", "safety.ignore")
TAILS = Fix("tails", "closes the incomplete last line of a log", "logs.close_tails")
CACHES = Fix("caches", "removes damaged caches, and builds the index again if it is one of them", "indexes.make_caches")
INDEX = Fix("index", "brings the index up to date and publishes it", "indexes.update")
BROKEN_CACHES = Fix("broken-caches", "removes caches that were set aside", "indexes.remove_broken_caches")
CATALOGUES = Fix("catalogues", "writes the catalogues of the archive again", "archives.write_catalogues")
HISTORY = Fix("history", "writes metadata/rotation_history.json again", "archives.write_history")
BYTE_CODE = Fix("byte-code", "compiles the modules that hooks need into one file", "hosts.compile_again")
SIDECARS = Fix(
    "sidecars", "writes lost sidecars again from the rotation log", "archives.write_sidecars", "Write the lost sidecars again, from the rotation log?"
)
HOOKS = Fix("hooks", "renews our entries in the settings of coding agents", "hosts.renew", "Renew memorybank's entries in the settings of your coding agents?")
OWN = Fix(
    "own-settings",
    "removes the permission of others to write your own settings",
    "config.close_own",
    "Remove the permission of others to write your own settings?",
)

WORKING = "hooks.working"
"""The conditions of the heartbeat. `status` asks for them too."""
_KEY = "log/.key"
_GIT = "git, and a repository"
_REGISTERED = "hooks in a settings file"

CHECKS: tuple[Check, ...] = (
    Check("bank.layout", "folders and files are of the right kind, and there is a folder for notes", "", "bank.layout", quick=True),
    Check("bank.unlinked", "no file or folder of the bank is a symbolic link", "", "bank.unlinked"),
    Check("bank.readable", "you can list every folder of the bank", "", "bank.readable"),
    Check("bank.private", "only the owner can access logs, backups and caches", "", "bank.private", MODES),
    Check("bank.writable", "not everybody can write to the bank", "", "bank.writable", WRITABLE),
    Check("bank.temps", "there are no abandoned temporary files", "", "bank.temps", TEMPS),
    Check("config.valid", "the settings of the bank can be used", "", "config.valid", quick=True),
    Check("config.effective", "every key of the settings is known and has an effect", "", "config.effective", quick=True),
    Check("config.outside", "the bank's settings name no program, address, model or API key", "", "config.names_nothing_outside", quick=True),
    Check("config.sources", "every source can be read, and the bank names no file outside its repository", "", "config.sources_usable", quick=True),
    Check("config.own", "your own settings can be used", "", "config.own", quick=True),
    Check("config.own_alone", "only you can write to your own settings", "", "config.own_alone", OWN, quick=True),
    Check("config.personal", "your personal bank is ready for sessions, and in no repository", "", "config.personal_ready", quick=True),
    Check("team.connected", "what this bank exchanges with a team can be read, and is exchanged", "", "team.connected", quick=True),
    Check("team.server", "the server of the team answers, and lets this machine share", "", "team.answers"),
    Check("notes.readable", "every file of active/ can be read as a note", "", "notes.readable"),
    Check("notes.names", "no two notes have names that another system takes for one", "", "notes.names"),
    Check("notes.conflicts", "there is no git conflict in notes, settings or bookmarks", "", "notes.conflicts"),
    Check("notes.bookmarks", "bookmarks can be read, and each matches a note", "", "notes.bookmarks"),
    Check("notes.claims", "what notes name in the repository is still so", "", "notes.claims"),
    Check("index.sound", "the caches are not damaged", "", "indexes.sound", CACHES),
    Check("index.current", "the index agrees with notes and episodes", "an index", "indexes.current", INDEX),
    Check("index.published", "the published documents agree with the index", "an index", "indexes.published", INDEX),
    Check("index.vectors", "every passage has a vector of the embedder you chose, and no other store has any", "", "meaning.vectors"),
    Check("index.tidy", "no cache is set aside", "", "indexes.tidy", BROKEN_CACHES),
    Check("log.key", "the key that signs log lines exists", "", "logs.signing_key", quick=True),
    Check("log.events", "every signature in the event logs follows from the one before", _KEY, "logs.events_intact"),
    Check("log.unaltered", "no line of the other logs was altered", "", "logs.unaltered"),
    Check("log.tails", "every log ends with a complete line", "", "logs.tails", TAILS),
    Check("log.policy", "every change of the recall policy is signed and in order", _KEY, "logs.policy_signed"),
    Check("log.spool", "every line was added to its log", "", "logs.spools_emptied"),
    Check("log.clock", "no log line is from the future", "", "logs.no_future_lines"),
    Check("recall.kept_back", "every exclusion of the policy names an occasion; what is not shown is listed", "", "logs.kept_back"),
    Check("archive.whole", "every archived note is complete and unchanged", "", "archives.intact"),
    Check("archive.sidecars", "every archived note has its sidecar", "", "archives.sidecars", SIDECARS),
    Check("archive.tidy", "the archive contains only files that belong there", "", "archives.tidy"),
    Check("bank.formats", "no file is in a format of a newer memorybank", "", "bank.newer_formats"),
    Check("archive.finished", "no rotation was interrupted", "", "archives.interrupted"),
    Check("archive.catalogues", "the catalogues agree with the archive", "", "archives.catalogues_current", CATALOGUES),
    Check("archive.history", "the published rotation history agrees with the log", "", "archives.history_current", HISTORY),
    Check("backups.kept", "originals of rotated notes are unchanged until they expire", "", "archives.backups_kept"),
    Check("backups.known", "every folder of backups belongs to a known rotation", "", "archives.backups_known"),
    Check("episodes.readable", "the list of episodes can be read", "", "episodes.readable", quick=True),
    Check("episodes.merged", "there is no git conflict in the list of episodes", "", "episodes.merged"),
    Check("episodes.dated", "every entry has a date", "", "episodes.dated"),
    Check("episodes.told", "every day has a summary", "", "episodes.summarized"),
    Check("episodes.weeks", "the days of merged weeks are in their archives", "", "episodes.unfoldable"),
    Check("episodes.topics", "the file of topics can be read", "", "episodes.topics_readable"),
    Check("episodes.set_aside", "no unreadable file is set aside", "", "episodes.set_aside"),
    Check("hooks.registered", "registered hooks start programs that exist", _REGISTERED, "hosts.registered", HOOKS),
    Check(WORKING, "recording and recall work in this project", "", "working.conditions"),
    Check("hooks.once", "no coding agent has hooks registered twice", "", "hosts.once"),
    Check("hooks.fired", "registered hooks have recorded events", _REGISTERED, "hosts.fired"),
    Check("hooks.quiet", "no error inside hooks in the last week", "", "logs.quiet", quick=True),
    Check("hooks.interpreter", "hooks start the interpreter itself, not a shim", "", "hosts.interpreter"),
    Check("hooks.byte_code", "the modules that hooks need are compiled into one file", "", "hosts.compiled", BYTE_CODE),
    Check("safety.ignored", "git ignores logs, backups and everything derived", "", "safety.ignored", IGNORE_LINES, quick=True),
    Check("safety.uncommitted", "git tracks no logs, backups or derived files", _GIT, "safety.uncommitted"),
    Check("safety.secrets", "the texts of the bank contain no secrets", "", "safety.no_secrets"),
    Check("safety.instructions", "no memory tries to instruct agents, bypassing their users", "", "safety.no_instructions"),
    Check("safety.hidden", "notes contain no invisible characters", "", "safety.nothing_hidden"),
    Check("safety.accepted", "a person on this machine accepted what agents are shown", "", "safety.accepted", quick=True),
    Check("safety.machine", "git tracks no settings with paths of this machine", _GIT, "safety.no_machine_paths"),
    Check("host.memory", "Claude Code reads its MEMORY.md to the end", "", "hosts.claude_memory"),
    Check("host.pages", "CLAUDE.md and AGENTS.md are within their limits", "", "hosts.instruction_pages"),
    Check("host.summary", "the resident summary can be read, is short, and still says what its sources say", "", "hosts.summary"),
    Check("install.summarizer", "the summarizer you chose can be used", "", "installation.summarizer"),
    Check("install.embedder", "the embedder and the store of vectors you chose can be used", "", "meaning.embedder"),
    Check("install.mcp", "the registered MCP server can start", "", "installation.mcp"),
    Check("install.libraries", "every required library is installed and new enough", "an installed package", "installation.libraries"),
    Check("install.byte_code", "Python has compiled files of memorybank", "", "installation.compiled"),
    Check("install.full_text", "SQLite has full-text search (FTS5)", "", "installation.full_text"),
    Check("install.git", "git is available for the dates of notes", "", "installation.git_there"),
    Check("install.merging", "git has the merge drivers that the bank's .gitattributes names", "", "installation.merge_drivers"),
    Check("install.room", "the disk has free space", "", "installation.disk_space"),
)
