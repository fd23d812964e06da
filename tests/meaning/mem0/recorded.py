"""Runs a program of a test and writes every network address that Python asks for or connects to, and every program that is started, to a file.

python recorded.py FILE PROGRAM ARGUMENT...      PROGRAM: Python code, whose arguments are in sys.argv[1:]
"""

import os
import sys

RECORDED = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")


def record(path: str) -> None:
    stream = os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8")

    def hook(event: str, arguments: tuple) -> None:
        if event in RECORDED:
            stream.write(f"{event} {arguments[1] if event in ('socket.connect', 'socket.sendto') else arguments[0]}\n")
            stream.flush()

    sys.addaudithook(hook)


if __name__ == "__main__":
    _, path, program, *arguments = sys.argv
    record(path)
    sys.argv = ["program", *arguments]
    exec(compile(program, "program", "exec"), {"__name__": "__main__"})
