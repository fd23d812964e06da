"""Entry point of the console script: `memorybank …` and `python -m memorybank …`."""

import gc
import os
import sys

from memorybank import bytecode

_NEW_OBJECTS = 50_000
"""Number of new objects after which unreachable circles are looked for. The default of 700 looks for them fifty times while a command imports its modules."""


def main() -> None:
    """Run the command line and exit the process with its exit code."""
    if sys.platform == "win32":
        sys.stderr.write("memorybank: Windows is not supported, because memorybank needs POSIX file locks and renames\n  next: run it inside WSL\n")
        sys.exit(1)
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from memorybank.hook import main as hook  # handled before click is imported, because a host waits for this process

        hook(sys.argv[2:])
    _want_utf8()
    gc.set_threshold(_NEW_OBJECTS)
    try:
        compiled = bytecode.serve(bytecode.COMMANDS)
        from memorybank.cli import light_click

        light_click.load()
        from memorybank.cli.main import run
    except KeyboardInterrupt:  # interrupted during imports, nothing has started; `run` handles later interrupts
        sys.exit(130)

    code = run(sys.argv[1:])
    _remember(compiled)
    # Before it exits, Python looks for unreachable circles among all objects. The system frees them just as well.
    gc.freeze()
    sys.exit(code)


def _remember(compiled: bytecode.Segments) -> None:
    """Add to the file of compiled modules what this command did not find there. As with `.pyc` files, a folder that is not writable stays as it is."""
    modules = [name for name in compiled.missed if name.startswith("memorybank.") and name in sys.modules]
    if (not modules and not compiled.missed_patterns) or sys.flags.dont_write_bytecode or sys.flags.optimize:
        return
    if os.access(os.path.dirname(bytecode.COMMANDS), os.W_OK):
        from memorybank.cli import bytecode_file

        bytecode_file.add(compiled, modules)


def _want_utf8() -> None:
    """Restart in Python's UTF-8 mode when the locale uses another file system encoding: note names are always UTF-8."""
    if sys.getfilesystemencoding().lower() != "utf-8" and not sys.flags.utf8_mode:
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


if __name__ == "__main__":
    main()
