"""The table of all checks. To add one, write a function that yields symptoms in the module of its subject, and add a row here.

Functions are named as `module.function` of this package and imported when they are called, so that the quick checks load only what they use.
"""

from memorybank.doctor.finding import Check, Fix

MODES = Fix("modes", "takes the access of other users from logs, backups and caches", "bank.make_private")
WRITABLE = Fix("writable", "takes the right to write from everybody else", "bank.make_unwritable")
TEMPS = Fix("temps", "removes temporary files that nobody writes any more", "bank.remove_temps")
IGNORE_LINES = Fix("ignore-lines", "adds the missing lines to the bank's .gitignore", "safety.ignore")
TAILS = Fix("tails", "gives the last line of a log its end", "logs.close_tails")
CACHES = Fix("caches", "removes damaged caches, and makes the index again when it is one", "indexes.make_caches")
INDEX = Fix("index", "brings the index up to date and publishes it", "indexes.update")
BROKEN_CACHES = Fix("broken-caches", "removes caches that were set aside", "indexes.remove_broken_caches")
CATALOGUES = Fix("catalogues", "writes the catalogues of the archive again", "archives.catalogue")
HISTORY = Fix("history", "writes metadata/rotation_history.json again", "archives.tell")
BYTE_CODE = Fix("byte-code", "compiles the modules of hooks into their file", "hooks.compile_again")
SIDECARS = Fix(
    "sidecars", "writes lost sidecars again from the rotation log", "archives.describe_again", "Write the lost sidecars again, from the rotation log?"
)
HOOKS = Fix("hooks", "renews our entries in the settings of coding agents", "hooks.renew", "Renew memorybank's entries in the settings of your coding agents?")
OWN = Fix("own-settings", "takes the right to write your own settings from others", "config.close_own", "Let nobody else write your own settings?")

_KEY = "log/.key"
_GIT = "git, and a repository"
_REGISTERED = "hooks in a settings file"

CHECKS: tuple[Check, ...] = (
    Check("bank.layout", "folders are folders, and there is a place for notes", "", "bank.layout", quick=True),
    Check("bank.readable", "you may look into every folder of the bank", "", "bank.readable"),
    Check("bank.private", "logs, backups and caches are the owner's alone", "", "bank.private", MODES),
    Check("bank.writable", "not everybody may write the bank", "", "bank.writable", WRITABLE),
    Check("bank.temps", "no temporary files were left behind", "", "bank.temps", TEMPS),
    Check("config.valid", "the settings of the bank can be used", "", "config.valid", quick=True),
    Check("config.effective", "every key of the settings is known and has an effect", "", "config.effective", quick=True),
    Check("config.outside", "the bank names no program, address, model or key", "", "config.names_nothing_outside", quick=True),
    Check("config.own", "your own settings can be used", "", "config.own", quick=True),
    Check("config.own_alone", "only you can write your own settings", "", "config.own_alone", OWN, quick=True),
    Check("notes.readable", "every file of active/ can be read as a note", "", "notes.readable"),
    Check("notes.names", "no two notes are one file on another system", "", "notes.names"),
    Check("notes.conflicts", "git left no conflict in notes, settings or bookmarks", "", "notes.conflicts"),
    Check("notes.bookmarks", "bookmarks can be read, and each is of a note", "", "notes.bookmarks"),
    Check("index.sound", "the caches are what SQLite wrote", "", "indexes.sound", CACHES),
    Check("index.current", "the index knows notes and episodes as they are", "an index", "indexes.current", INDEX),
    Check("index.published", "the published documents are those of the index", "an index", "indexes.published", INDEX),
    Check("index.tidy", "no cache was kept that was set aside", "", "indexes.tidy", BROKEN_CACHES),
    Check("log.key", "there is the key that lines are signed with", "", "logs.signing_key", quick=True),
    Check("log.events", "every line of the event logs follows from the one before", _KEY, "logs.whole"),
    Check("log.unaltered", "no line of the other logs was altered", "", "logs.unaltered"),
    Check("log.tails", "every log ends with a whole line", "", "logs.tails", TAILS),
    Check("log.policy", "every change of recall is signed, and in its order", _KEY, "logs.policies"),
    Check("log.spool", "every line was taken into its log", "", "logs.taken_in"),
    Check("log.clock", "no line is of a day to come", "", "logs.not_ahead"),
    Check("recall.kept_back", "every exclusion of the policy names an occasion; what is not shown is listed", "", "recall.kept_back"),
    Check("archive.whole", "every byte of the archive is what was archived", "", "archives.whole"),
    Check("archive.sidecars", "every archived note has its sidecar", "", "archives.described", SIDECARS),
    Check("archive.tidy", "nothing lies in the archive that does not belong there", "", "archives.tidy"),
    Check("archive.finished", "no rotation was cut short", "", "archives.finished"),
    Check("archive.catalogues", "the catalogues are those of the archive", "", "archives.catalogued", CATALOGUES),
    Check("archive.history", "the published history is that of the log", "", "archives.told", HISTORY),
    Check("backups.kept", "originals are as they were, until their time is over", "", "archives.kept"),
    Check("backups.known", "every folder of backups is of a known rotation", "", "archives.known"),
    Check("episodes.readable", "the list of episodes can be read", "", "episodes.readable", quick=True),
    Check("episodes.merged", "git left no conflict in the list of episodes", "", "episodes.merged"),
    Check("episodes.dated", "every entry has a date", "", "episodes.dated"),
    Check("episodes.told", "every day has its summary", "", "episodes.told"),
    Check("episodes.weeks", "the days of merged weeks lie in their archives", "", "episodes.unfoldable"),
    Check("episodes.topics", "the file of topics can be read", "", "episodes.topics_readable"),
    Check("episodes.set_aside", "nothing waits that could not be read", "", "episodes.set_aside"),
    Check("hooks.registered", "what is registered starts what is there", _REGISTERED, "hooks.registered", HOOKS),
    Check("hooks.once", "no coding agent is registered twice", "", "hooks.once"),
    Check("hooks.fired", "what is registered was heard of", _REGISTERED, "hooks.fired"),
    Check("hooks.quiet", "no error inside hooks within a week", "", "logs.quiet", quick=True),
    Check("hooks.interpreter", "hooks start their interpreter, and no shim", "", "hooks.interpreter"),
    Check("hooks.byte_code", "the modules of hooks are compiled in one file", "", "hooks.compiled", BYTE_CODE),
    Check("safety.ignored", "git passes over logs, backups and everything derived", "", "safety.ignored", IGNORE_LINES, quick=True),
    Check("safety.uncommitted", "git has no logs, backups or derived files", _GIT, "safety.uncommitted"),
    Check("safety.secrets", "no secret stands in what is committed", "", "safety.no_secrets"),
    Check("safety.instructions", "no memory speaks to agents over people's heads", "", "safety.not_over_heads"),
    Check("safety.hidden", "every character of a note can be seen", "", "safety.nothing_hidden"),
    Check("safety.machine", "git has no settings with paths of this machine", _GIT, "safety.no_machine_paths"),
    Check("host.memory", "Claude Code reads its MEMORY.md to the end", "", "host_memory.read_whole"),
    Check("host.pages", "CLAUDE.md and AGENTS.md are within their limits", "", "host_memory.short_pages"),
    Check("host.summary", "the resident summary can be read, and is short", "", "host_memory.summary"),
    Check("install.summarizer", "the summarizer you chose can be used", "", "extras.summarizer"),
    Check("install.mcp", "the MCP server that is registered can start", "", "extras.mcp"),
    Check("install.libraries", "every library is there, and new enough", "an installed package", "extras.libraries"),
    Check("install.byte_code", "Python keeps what it compiled", "", "extras.compiled"),
    Check("install.full_text", "SQLite can search texts", "", "extras.full_text"),
    Check("install.git", "git can be asked for dates", "", "extras.git_there"),
    Check("install.room", "the disk has room", "", "extras.room"),
)
