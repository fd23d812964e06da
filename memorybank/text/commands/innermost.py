"""What a command does in the end, whatever runs it: a wrapper, a container, an interpreter, a script of the project."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import programs

_IN_A_CONTAINER = frozenset(("exec", "run"))
_CONTAINERS: dict[str, frozenset[str]] = {
    program: programs.BEFORE_SUBCOMMAND[program]
    | frozenset(str.split("-e --env -u --user -w --workdir --index -v --volume --name --entrypoint -p --publish --network --mount -l --label -c --container"))
    for program in ("docker", "podman", "kubectl")
}
"""Programs that run another one in a container, and their options whose value is the next word."""
_BEFORE_INNER = 2
"""Words before a program in a container: the sub-command and the container."""


def innermost(words: list[str]) -> list[str]:
    """Return the words of the program that does the work, as `unwrapped` does, also of one that runs in a container or is a script of a project, and without
    the options before a sub-command: `rails db:migrate` for `docker compose exec web rails db:migrate`, `git push` for `git -C shop push`."""
    words = programs.unwrapped(words)
    while words and (start := _start_in_container(words)):
        words = programs.unwrapped(words[start:])
    if len(words) > 1 and programs.name(words[0]) in ("python", "php") and words[1].rpartition("/")[2] in programs.SCRIPTS:
        words = words[1:]
    if not words:
        return words
    program = programs.SCRIPTS.get(words[0].rpartition("/")[2], words[0])
    return [program, *words[programs.first_subcommand(programs.name(program), words) :]] if len(words) > 1 else [program]


def _start_in_container(words: list[str]) -> int:
    """Return the index of the program that a program for containers runs in one; 0 when it runs none."""
    program = programs.name(words[0])
    with_value = _CONTAINERS.get(program)
    if with_value is None:
        return 0
    found: list[str] = []
    at = 1
    while at < len(words) and len(found) < _BEFORE_INNER:
        word = words[at]
        at += 2 if word in with_value else 1
        if not word.startswith("-"):
            found += [word] if word != "compose" or program == "kubectl" else []
            if found[:1] and found[0] not in _IN_A_CONTAINER:
                return 0
    at += words[at : at + 1] == ["--"]
    return at if at < len(words) and not words[at].startswith("-") else 0
