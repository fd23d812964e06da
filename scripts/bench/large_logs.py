#!/usr/bin/env python3
"""Prepare a bank with many notes and sessions quickly: a few generated sessions are repeated under other names, times and signatures.

Every session is finished a minute after its last event, as its own hooks do it.

python scripts/bench/large_logs.py DIR --notes 1000 --events 100000 --sessions 1000 [--seed 1]
"""

import argparse
import itertools
import json
import os
import sys
import time
from pathlib import Path

import interpreter  # noqa: F401  # first: the program continues under an interpreter that has the libraries

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]

import generate
import sessions

from memorybank import Bank
from memorybank.clock import Clock, FixedClock, isoformat, parse
from memorybank.cycle import base as bases
from memorybank.cycle.phases.line import Surroundings, fields_of
from memorybank.cycle.rebuild import rebuild
from memorybank.hosts import bytecode_file
from memorybank.log import events, lines, organize
from memorybank.log.organize import OrganizeStep
from memorybank.log.seal import TEXT_FIELDS, digest, seal
from memorybank.storage.layout import describe

TEMPLATES = 40
DAY = 86_400_000
FINISHED_AFTER = 60_000


def write(bank: Path, count: int, number_of_sessions: int, seed: int, now: int, oldest_days: float) -> int:
    """Write `number_of_sessions` logs with about `count` events together, starts spread evenly over the days, and that they are finished.

    Return the number of events.
    """
    layout = describe(str(bank))
    base = bases.describe(layout, FixedClock(now))
    key = base.key()
    generator = sessions.Sessions(seed, str(bank.parent.parent))
    templates = [_sealed(base, generator.session(0), key) for _ in range(min(TEMPLATES, number_of_sessions))]
    os.makedirs(events.folder(layout), mode=0o700, exist_ok=True)
    written = 0
    rounds = []
    for number in range(number_of_sessions):
        begins = int(now - oldest_days * DAY * (1 - number / number_of_sessions)) - 4 * 3_600_000
        wanted = round(count * (number + 1) / number_of_sessions) - written
        entries = _repeated(templates[number % len(templates)], max(wanted, 3))
        path = events.path_of(layout, f"growth-{number:06d}")
        encoded = list(_signed(entries, number, begins, os.path.basename(path), key))
        Path(path).write_bytes(b"".join(encoded))
        ended = begins + len(entries) * sessions.STEP
        os.utime(path, ns=(ended * 1_000_000,) * 2)
        head = str((lines.decode(encoded[-1].rstrip()) or {})["signature"])
        covered = (sum(map(len, encoded)), len(encoded), head)
        rounds += [OrganizeStep(f"growth-{number:06d}", step, ended + FINISHED_AFTER, *covered, {}) for step in organize.STEPS]
        written += len(entries)
    organize.append(layout, rounds, FixedClock(now))
    return written


def _sealed(base: bases.CycleContext, happened: list, key: bytes) -> list[dict[str, object]]:
    return [seal(fields_of(base, event, Surroundings(base, event)), key, base.settings.record.cut_characters) for event in happened]


def _repeated(template: list[dict[str, object]], count: int) -> list[dict[str, object]]:
    """Return a session of `count` events: its start, its turns as often as necessary, its end."""
    first, middle, last = template[0], template[1:-1], template[-1]
    return [first, *(middle[number % len(middle)] for number in range(count - 2)), last]


def _signed(entries: list[dict[str, object]], number: int, begins: int, name: str, key: bytes):
    previous, session = name, name.removesuffix(".jsonl")
    for place, fields in enumerate(entries):
        at = begins + (parse(str(fields["timestamp"])) or 0) % sessions.STEP + place * sessions.STEP
        changed = {field: value for field, value in fields.items() if field != "anonymous"}
        changed |= {"id": f"{number:08x}{place:024x}", "timestamp": isoformat(at), "session_id": session, "epoch": 1}
        if changed.get("tool_use_id"):
            changed["tool_use_id"] = f"{session}-{place - (fields['event'] == 'tool_after')}"
        changed["digests"] = {field: digest(changed[field], key) for field in TEXT_FIELDS if changed.get(field)}
        previous = changed["signature"] = events.signature(previous, changed, key)
        yield lines.encode(changed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", type=Path, help="the folder of the bank, e.g. /some/where/.claude/memory")
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bytes", type=int, default=generate.TARGET_BYTES, help="size of a note")
    options = parser.parse_args()
    times = [time.process_time()]
    generate.generate(options.bank, options.notes, options.seed, 400.0, size=options.bytes)
    (options.bank / "config").mkdir(exist_ok=True)
    (options.bank / "config" / "cycle_config.json").write_text(json.dumps({"memory": {"enabled": True}, "session_notes": False, "learned_notes": False}))
    write(options.bank, options.events, options.sessions, options.seed, time.time_ns() // 1_000_000, 400.0)
    times.append(time.process_time())
    bank = Bank.open(options.bank)
    bank.trust.accept()
    bank.index.update("full")
    times.append(time.process_time())
    rebuild(bases.describe(describe(str(options.bank)), Clock()))
    times.append(time.process_time())
    bytecode_file.is_current() or bytecode_file.write()  # as `hooks install` does it
    spent = [after - before for before, after in itertools.pairwise(times)]
    print("written, indexed and folded in {:.1f}, {:.1f} and {:.1f} s of processor time".format(*spent))


if __name__ == "__main__":
    main()
