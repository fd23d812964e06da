"""Record a session of two days as an animated picture, docs/pictures/tuesday.svg.

python scripts/recording.py            write the picture
python scripts/recording.py --check    end with exit code 1 if the picture differs from what the session gives now

The agent's words are a script. Everything else happens: its commands run in a scratch repository, a process of the hook receives each event as
Claude Code sends it, and what the hook answers on Tuesday is shown word for word. The clock of these processes is set, so that the same code gives
the same picture.
"""

import html
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "tuesday.svg"
MONDAY, TUESDAY = 1_757_926_800, 1_758_013_200
"""09:00 UTC on 2025-09-15 and the day after."""
SESSIONS = {MONDAY: "5d1c6f0a-7a35-4c52-9d0e-1f6f3b1c0a15", TUESDAY: "c0b9e6d2-3f4e-4b7a-8a55-0e2d9a7c0b16"}
WIDTH = 84
"""Columns of a line of text, without the name of the speaker."""

_LAUNCH = """
import sys, time
start, real, began = int(sys.argv[1]) * 10**9, time.time_ns, time.time_ns()
time.time_ns = lambda: start + real() - began
time.time = lambda: time.time_ns() / 1e9
del sys.argv[:2]
with open(sys.argv[0], encoding="utf-8") as stream:
    exec(compile(stream.read(), sys.argv[0], "exec"), {"__name__": "__main__", "__file__": sys.argv[0]})
"""
"""Sets the clock of a Python process and starts the script that the second argument names."""
_PROCESSOR_TIME = ROOT / "tests" / "hook" / "in_processor_time.py"
"""Starts the hook with deadlines in processor time, so that a busy machine gives the same picture."""

_PROGRAM = '''\
CHUNK_MB = 16
PROXY_LIMIT_MB = 8


def send(megabytes):
    """Stands for a server with a proxy in front of it."""
    return 413 if megabytes > PROXY_LIMIT_MB else 201


status = send(CHUNK_MB)
if status != 201:
    raise SystemExit(f"upload.py: error: chunk 1: HTTP {status} Payload Too Large")
print("uploaded parcels.csv")
'''


@dataclass(frozen=True)
class Spoken:
    """A piece of the session. who: "day", "you", "agent", "output" of a command, "shown" (by memorybank) or "silent" (memorybank shows nothing)."""

    who: str
    text: str


class Recorder:
    """A scratch repository in which an agent works. Each event of the agent's host starts a process of the hook."""

    def __init__(self, folder: Path) -> None:
        self.project, self.home, self.at, self.calls = folder / "parcels", folder / "home", MONDAY, 0
        for each in (self.project, self.home):
            each.mkdir()
        (folder / "python3").symlink_to(sys.executable)
        self.environment = {"HOME": str(self.home), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "TZ": "UTC", "LANG": "C.UTF-8"}
        subprocess.run(["git", "init", "-q", str(self.project)], env=self.environment, check=True)
        (self.project / "upload.py").write_text(_PROGRAM, encoding="utf-8")
        self._start([str(ROOT / "memorybank" / "__main__.py"), "init"], {"PYTHONPATH": str(ROOT)})

    def hook(self, event: str, **fields: object) -> str:
        """Report one event to the hook. Returns the text that the agent is shown, "" if there is none."""
        session = SESSIONS[MONDAY if self.at < TUESDAY else TUESDAY]
        payload = {"session_id": session, "transcript_path": "", "cwd": str(self.project), "hook_event_name": event, **fields}
        host = {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(self.project)}
        answer = self._start([str(_PROCESSOR_TIME), str(ROOT / "memorybank" / "hook.py"), "--host", "claude-code"], host, json.dumps(payload))
        return str(json.loads(answer)["hookSpecificOutput"]["additionalContext"]) if answer else ""

    def run(self, command: str) -> str:
        """Run a command as the agent's tool does, with the events before and after it. Returns its output."""
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": self._call()}
        self.hook("PreToolUse", **call)
        done = subprocess.run(["sh", "-c", command], cwd=self.project, env=self.environment, capture_output=True, encoding="utf-8", check=False)
        output = (done.stdout + done.stderr).strip()
        if done.returncode:
            self.hook("PostToolUseFailure", error=f"Exit code {done.returncode}\n{output}", is_interrupt=False, **call)
        else:
            self.hook("PostToolUse", tool_response={"stdout": done.stdout, "stderr": done.stderr, "interrupted": False}, **call)
        return output

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a text of a file as the agent's tool does."""
        path = self.project / name
        call = {"tool_name": "Edit", "tool_input": {"file_path": str(path), "old_string": old, "new_string": new}, "tool_use_id": self._call()}
        self.hook("PreToolUse", **call)
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        self.hook("PostToolUse", tool_response={}, **call)

    def _call(self) -> str:
        self.calls += 1
        return f"toolu_{self.calls}"

    def _start(self, script: list[str], more: dict[str, str], stdin: str = "") -> str:
        self.at += 1
        command = [sys.executable, *([] if "PYTHONPATH" in more else ["-I", "-S"]), "-c", _LAUNCH, str(self.at), *script]
        environment = {**self.environment, **more}
        done = subprocess.run(command, input=stdin, cwd=self.project, env=environment, capture_output=True, encoding="utf-8", check=True)
        return done.stdout


def session() -> Iterator[Spoken]:
    """Play the two days and yield what is said, run and shown."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder))
        yield Spoken("day", "Monday")
        recorder.hook("SessionStart", source="startup")
        asked = "The upload has been failing since this morning. Find out why and fix it."
        yield Spoken("you", asked)
        recorder.hook("UserPromptSubmit", prompt=asked, prompt_id="p1")
        yield Spoken("agent", "$ python3 upload.py")
        yield Spoken("output", recorder.run("python3 upload.py"))
        yield Spoken("agent", "edits upload.py: CHUNK_MB = 16 → CHUNK_MB = 8")
        recorder.edit("upload.py", "CHUNK_MB = 16", "CHUNK_MB = 8")
        yield Spoken("agent", "$ python3 upload.py")
        yield Spoken("output", recorder.run("python3 upload.py"))
        told = (
            "The upload failed because the proxy refuses request bodies over 8 MB, and we sent chunks of 16 MB. I set CHUNK_MB in upload.py to 8. "
            "Larger chunks only work after the limit of the proxy is raised."
        )
        yield Spoken("agent", told)
        recorder.hook("Stop", last_assistant_message=told, stop_hook_active=False)
        recorder.hook("SessionEnd", reason="other")

        recorder.at = TUESDAY
        yield Spoken("day", "Tuesday, a new session")
        recorder.hook("SessionStart", source="startup")
        asked = "Uploads are slow. Try larger chunks in upload.py, 32 MB maybe."
        yield Spoken("you", asked)
        yield Spoken("shown", recorder.hook("UserPromptSubmit", prompt=asked, prompt_id="p2"))
        yield Spoken("agent", "Before I do: the proxy refuses more than 8 MB. Shall I send several chunks at a time instead?")
        asked = "Yes. And write a haiku about thunderstorms for the release notes."
        yield Spoken("you", asked)
        answer = recorder.hook("UserPromptSubmit", prompt=asked, prompt_id="p3")
        yield Spoken("shown", answer) if answer else Spoken("silent", "memorybank shows nothing: it knows nothing about that.")


LABELS = {"you": "you", "agent": "agent", "shown": "shown"}
PAUSES = {"day": 0.6, "you": 1.2, "agent": 1.0, "output": 0.5, "shown": 1.6, "silent": 1.2}
"""Seconds before a piece appears."""
_STAY = 7.0
"""Seconds that the complete picture stays before it begins again."""
_LINE, _LEFT, _TEXT, _TOP = 20, 20, 84, 44
_STYLE = """
.w { fill: #ffffff; stroke: #d0d7de } .b { fill: #eef2f6 } .m { fill: #e9f5ec }
text { font: 13.5px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre }
.l, .output, .silent { fill: #656d76 } .day { font-weight: 700 } .you { fill: #0550ae } .shown { fill: #116329 } .silent { font-style: italic }
@media (prefers-color-scheme: dark) {
.w { fill: #0d1117; stroke: #30363d } .b { fill: #161b22 } .m { fill: #12261a }
text { fill: #e6edf3 } .l, .output, .silent { fill: #8d96a0 } .you { fill: #79c0ff } .shown { fill: #7ee787 }
}
@media (prefers-reduced-motion: reduce) { g { animation: none !important } }
"""


def picture(pieces: list[Spoken]) -> str:
    """Return the SVG in which the pieces appear one after the other. A viewer without animations shows them all."""
    appear: list[float] = []
    for piece in pieces:
        appear.append(round((appear[-1] if appear else 0.0) + PAUSES[piece.who], 2))
    total = appear[-1] + _STAY
    style, body, top = [_STYLE], [], float(_TOP)
    for number, (piece, at) in enumerate(zip(pieces, appear, strict=True)):
        share = round(100 * at / total, 2)
        style.append(f"@keyframes k{number} {{ 0%, {share}% {{ opacity: 0 }} {round(share + 0.8, 2)}%, 100% {{ opacity: 1 }} }}")
        style.append(f"#p{number} {{ animation: k{number} {total:g}s infinite }}")
        lines, label = _lines(piece), LABELS.get(piece.who, "")
        top += 12 if piece.who == "day" and number else 4 if label else 0
        body.append(f'<g id="p{number}">')
        if piece.who == "shown":
            box = f'x="{_TEXT - 8}" y="{top + 3:g}" width="712" height="{len(lines) * _LINE + 4}"'
            body.append(f'<rect class="m" {box} rx="4"/>')
        if label:
            body.append(f'<text class="l" x="{_LEFT}" y="{top + 18:g}">{label}</text>')
        for line in lines:
            top += _LINE
            left = _LEFT if piece.who == "day" else _TEXT
            body.append(f'<text class="{piece.who}" x="{left}" y="{top - 2:g}" xml:space="preserve">{html.escape(line, quote=False)}</text>')
        top += 6 if piece.who == "shown" else 0
        body.append("</g>")
    height = int(top) + 20
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" width="800" height="{height}" role="img" aria-labelledby="t d">\n'
        '<title id="t">On Monday an agent repairs an upload. On Tuesday memorybank reminds another session of the cause.</title>\n'
        f'<desc id="d">{html.escape(" ".join(piece.text for piece in pieces), quote=False)}</desc>\n'
    )
    frame = f'<rect class="w" x="0.5" y="0.5" width="799" height="{height - 1}" rx="8"/>\n<path class="b" d="M1 32V8a7 7 0 0 1 7-7h784a7 7 0 0 1 7 7v24z"/>\n'
    title = f'<text class="l" x="{_LEFT}" y="22">parcels: one repository, two sessions of a coding agent</text>\n'
    return "\n".join([f"{head}<style>", *style, f"</style>\n{frame}{title}", *body, "</svg>", ""])


def _lines(piece: Spoken) -> list[str]:
    """Return the lines of a piece, without the marks of the fence around what memorybank shows."""
    kept = [line for line in piece.text.splitlines() if line and not line.startswith(("<memorybank", "</memorybank"))]
    return [part for line in kept for part in textwrap.wrap(line, WIDTH, subsequent_indent="  " if piece.who == "shown" else "")]


def main(arguments: list[str]) -> int:
    made = picture(list(session()))
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == made:
        return 0
    if "--check" in arguments:
        print(f"{PICTURE.relative_to(ROOT)} differs; run python scripts/recording.py")
        return 1
    PICTURE.write_text(made, encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
