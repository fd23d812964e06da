"""The process that hooks of tests are copies of: it outlives a test that was interrupted, and leaves nothing behind."""

import os
import pickle
import signal
import socket
import subprocess
import sys

from . import forked


def test_a_hook_whose_test_was_interrupted_does_not_end_the_others(host):
    """The answer of one has no reader, the other one was not even asked for to its end."""
    for sent in (pickle.dumps(("hook", [], b"", str(host.project), {})), b"\x80"):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(forked._origin())
            connection.sendall(sent)
    assert host.fire(host.payload("SessionStart", source="startup")).returncode == 0
    assert host.fire(host.payload("SessionStart", source="startup")).returncode == 0


def test_a_killed_run_leaves_no_process_and_no_folder(tmp_path):
    killed = "import os, signal; from tests.hook import forked; print(forked._origin(), flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(forked.ROOT)}
    done = subprocess.run([sys.executable, "-c", killed], env=environment, capture_output=True, text=True, check=False)
    # Both pipes end with the last process that has them, so the process that hooks are copies of has ended, too.
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, "")
    assert done.stdout.startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
