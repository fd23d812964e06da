"""Hooks and commands as copies of one process that has loaded the package: starting an interpreter and loading modules is most of what each takes.

Each is a process of its own, with the same clocks as one that starts through `in_processor_time.py`. What a process loads, and what happens when it starts or
is killed, is tested with real processes.

Run as a script, it is that process: `python -I -S forked.py SOCKET`. A connection to the socket says what to run, and takes away how it ended.
"""

import atexit
import functools
import gc
import importlib
import os
import pickle
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120
"""Of the machine. They are only there to end a hook that hangs."""
_PREPARES = "import sys; sys.path.insert(0, sys.argv[1]); from memorybank.hosts import bytecode_file; bytecode_file.is_current() or bytecode_file.write()"


def fire(arguments: Sequence[str], payload: bytes, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run a hook to its end. environment: its complete environment"""
    return _run("hook", arguments, payload, folder, environment)


def command(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command of memorybank to its end. environment: its complete environment"""
    done = _run("command", arguments, b"", folder, environment)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _run(program: str, arguments: Sequence[str], payload: bytes, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(_origin())
        with connection.makefile("rwb") as stream:
            pickle.dump((program, [*arguments], payload, str(folder), {**environment}), stream)
            stream.flush()
            return subprocess.CompletedProcess([*arguments], *pickle.load(stream))


_lock = threading.Lock()


def _origin() -> str:
    with _lock:
        return _started()


@functools.cache
def _started() -> str:
    """Start the process that all hooks are copies of, and return its socket."""
    # Without the hooks' file each of them compiles its patterns, which leaves no time for its work.
    subprocess.run([sys.executable, "-I", "-c", _PREPARES, str(ROOT)], check=True)
    folder = tempfile.TemporaryDirectory(prefix="mb-")
    path = f"{folder.name}/hooks"
    process = subprocess.Popen([sys.executable, "-I", "-S", __file__, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None and process.stdout.readline() == b"ready\n"

    def end() -> None:
        process.stdin.close()
        process.wait()
        folder.cleanup()

    atexit.register(end)
    return path


def _serve(path: str) -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    import in_processor_time

    sys.path[0:1] = []
    in_processor_time.count()
    sys.path.append(str(ROOT))
    from memorybank import bytecode

    modules = [*bytecode.serve().segments]
    for name in ("memorybank.hosts.firing", *modules):
        importlib.import_module(name)
    sys.path.append(importlib.import_module("memorybank.hosts.firing").LIBRARIES)
    importlib.import_module("memorybank.cli.main")
    gc.freeze()
    running: dict[int, tuple[socket.socket, IO[bytes], IO[bytes]]] = {}

    def answer(*_: object) -> None:
        """Tell how the hooks ended that have ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                connection, *outputs = running.pop(ended[0])
                with connection, suppress(OSError), connection.makefile("wb") as stream:  # of a test that was interrupted nobody reads it
                    pickle.dump((os.waitstatus_to_exitcode(ended[1]), *map(_content, outputs)), stream)

    signal.signal(signal.SIGCHLD, answer)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which a terminal sends to all processes of the tests
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        print("ready", flush=True)
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:  # which ends with the process of the tests
            connection, _ = listening.accept()
            with connection.makefile("rb") as stream, tempfile.TemporaryFile() as given:
                try:
                    program, arguments, payload, folder, environment = pickle.load(stream)
                except (EOFError, OSError, pickle.UnpicklingError):
                    connection.close()
                    continue
                given.write(payload)
                given.seek(0)
                outputs = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  # closed when they are read
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # until the hook is known
                hook = os.fork()
                if hook == 0:
                    for number, file in enumerate((given, *outputs)):
                        os.dup2(file.fileno(), number)
                    _begin(program, arguments, folder, environment)
            running[hook] = (connection, *outputs)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    shutil.rmtree(os.path.dirname(path), ignore_errors=True)  # also if the process of the tests was killed


def _content(file: IO[bytes]) -> bytes:
    with file:
        file.seek(0)
        return file.read()


def _begin(program: str, arguments: list[str], folder: str, environment: dict[str, str]) -> NoReturn:
    code = 1
    try:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        signal.alarm(SECONDS)
        if program == "hook":
            from memorybank.hosts.firing import fire

            gc.disable()
            fire(arguments)
        from memorybank.cli.main import run

        code = run(arguments)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _serve(sys.argv[1])
