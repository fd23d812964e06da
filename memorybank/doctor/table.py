"""THE table of checks. To add one: a function that yields symptoms in the module of its room, and a row here."""

from memorybank.doctor import bank, config, safety
from memorybank.doctor.finding import Check, Fix

MODES = Fix("modes", "takes the access of other users from logs, backups and caches", bank.make_private)
WRITABLE = Fix("writable", "takes the right to write from everybody else", bank.make_unwritable)
TEMPS = Fix("temps", "removes temporary files that nobody writes any more", bank.remove_temps)
IGNORE_LINES = Fix("ignore-lines", "adds the missing lines to the bank's .gitignore", safety.ignore)

CHECKS: tuple[Check, ...] = (
    Check("bank.layout", "folders are folders, and there is a place for notes", "", bank.layout, quick=True),
    Check("bank.private", "logs, backups and caches are the owner's alone", "", bank.private, MODES),
    Check("bank.writable", "not everybody may write the bank", "", bank.writable, WRITABLE),
    Check("bank.temps", "no temporary files were left behind", "", bank.temps, TEMPS),
    Check("config.valid", "the settings can be used", "", config.valid, quick=True),
    Check("config.effective", "every key of the settings is known and has an effect", "", config.effective, quick=True),
    Check("config.outside", "the bank names no program, address, model or key", "", config.names_nothing_outside, quick=True),
    Check("safety.ignored", "git passes over logs, backups and everything derived", "", safety.ignored, IGNORE_LINES, quick=True),
)
