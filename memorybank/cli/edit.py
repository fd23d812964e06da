"""`memorybank edit`, `open` and `mv`.

The shell reads the editor's command, so that it can have options: `code --wait`. Only a person's own environment names it, never a bank.
"""

import os
import signal
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import complete_key, key_argument, quiet_option
from memorybank.cli.progress import progress
from memorybank.errors import MemorybankError, UsageError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.bank.rewriting import RelinkPlan

_CHOOSE = "pass --editor COMMAND, or set VISUAL or EDITOR"
_editor_option = click.option("--editor", metavar="COMMAND", help="Editor to use. Default: $VISUAL, then $EDITOR, then vi.")


@click.command(
    epilog=examples(
        "memorybank edit planning/overview.md",
        "memorybank edit shared/用語集.md --editor nano",
        "memorybank undo                                 takes the edit back",
    )
)
@key_argument()
@_editor_option
@output.text_format_option("Lines of text, or a JSON object.")
@click.pass_obj
def command(call: CommandCall, key: str, editor: str | None, form: str) -> None:
    """Edit a note in your editor.

    You edit a copy; the note changes when the editor ends. If somebody else changed the note in the meantime, both versions are kept: the note stays as it
    is, and the error says which file contains your text (exit code 1).
    """
    program = chosen_editor(editor, os.environ)
    bank = call.open()
    draft = bank.notes.draft(bank.notes.find(key))
    try:
        _run_editor(program, draft.path)
    except MemorybankError as error:
        if draft.is_edited:
            error.message += f"; your text is kept in {bank.layout.relative(draft.path)}, and the note is unchanged"
        else:
            draft.discard()
            error.message += "; the note is unchanged"
        raise
    change = draft.save()
    if not output.as_json(form, {"key": draft.key, "is_changed": bool(change), "change": change or None}):
        output.write(f"{'saved' if change else 'unchanged'}: {output.clean(draft.key)}\n")
        if change:
            output.write(f"to undo it: memorybank undo {change}\n")
    for problem in bank.notes.read(draft.key, record_view=False).problems:
        output.notice(f"{problem.where}: {problem.message}")


@click.command(
    epilog=examples(
        "memorybank open planning/overview.md",
        "memorybank open planning/overview.md --editor less",
        'cat "$(memorybank open planning/overview.md --path)"',
    )
)
@key_argument()
@_editor_option
@click.option("--path", "only_path", is_flag=True, help="Only print the path of the file.")
@click.pass_obj
def open_(call: CommandCall, key: str, editor: str | None, only_path: bool) -> None:
    """Open the file of a note in your editor or viewer, or print its path.

    The program works on the note itself; 'memorybank edit' works on a copy and can be undone. Opening a note counts as a view, printing its path does not.
    """
    if only_path and editor is not None:
        raise click.UsageError("--path opens nothing; omit --editor")
    bank = call.open(read_only=only_path)
    note = bank.notes.read(bank.notes.find(key), record_view=False)
    path = bank.layout.file_path(note.key)
    if only_path:
        output.write(path + "\n")
        return
    program = chosen_editor(editor, os.environ)
    bank.notes.viewed(note.key)
    _run_editor(program, path)


def chosen_editor(given: str | None, environment: Mapping[str, str]) -> str:
    """Return the editor's command by git's rules: the given one, else $VISUAL (not on a dumb terminal), else $EDITOR, else vi.

    Raises `UsageError` when there is none for a dumb terminal.
    """
    if given is not None:
        if not given.strip():
            raise UsageError("--editor is empty", next_step=_CHOOSE)
        return given
    is_dumb = environment.get("TERM", "dumb") == "dumb"
    editor = ("" if is_dumb else environment.get("VISUAL", "")) or environment.get("EDITOR", "")
    if not editor and is_dumb:
        raise UsageError("the terminal is dumb and EDITOR is not set", next_step=_CHOOSE)
    return editor or "vi"


def _run_editor(editor: str, path: str) -> None:
    """Let a person edit a file, and wait until the editor ends. Only the editor receives Ctrl-C. Raises `MemorybankError` when the editor reports an error."""
    # The trap keeps the shell waiting at Ctrl-C, which vi users press all the time. The editor itself receives the signal as usual.
    process = subprocess.Popen(["/bin/sh", "-c", f'trap : INT; {editor} "$@"', editor, path])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    if code:
        raise MemorybankError(f"the editor '{editor}' ended with status {code}", next_step=f"check the editor: {_CHOOSE}")


@click.command(
    epilog=examples(
        "memorybank mv planning/overview.md planning/roadmap.md",
        "memorybank mv planning/overview.md shared/ --links   and rewrites the links to it",
        "memorybank mv shared/用語集.md planning/             keeps the name",
        "memorybank mv planning/overview.md roadmap --links --dry-run",
        "memorybank undo                                      takes all of it back",
    )
)
@key_argument()
@click.argument("new", metavar="NEW", shell_complete=complete_key)
@click.option("--links", "with_links", is_flag=True, help="Rewrite [..](..) and [[..]] in notes that link to it, and relative links in the note itself.")
@click.option("--dry-run", is_flag=True, help="Only print the new key and what links to the note; nothing in the bank changes.")
@output.text_format_option("Lines of text, or a JSON object.")
@quiet_option
@click.pass_obj
def mv(call: CommandCall, key: str, new: str, with_links: bool, dry_run: bool, form: str) -> None:
    """Rename a note, or move it to another folder of active/.

    NEW is a key, or a folder. The note keeps its bytes, its date, its views and the bookmark of its key. An existing note is never replaced. Notes that link
    to it are listed; with --links they are rewritten in the same change, and keep their dates. File names in running text and in code stay as they are.
    """
    bank = call.open(read_only=dry_run)
    key = bank.notes.find(key)
    if with_links:
        planned = bank.notes.plan_links(key, new)
        change = ""
        if not dry_run:
            with progress("rewriting links", call.clock) as step:
                change = bank.notes.rename_with_links(planned, progress=step)
        _show_links(form, planned, dry_run, change)
    else:
        _rename(bank, key, new, dry_run, form)


def _rename(bank: "Bank", key: str, new: str, dry_run: bool, form: str) -> None:
    linked = sorted({source for source, target in bank.notes.links(key) if target == key})
    target, change = (bank.notes.new_key(key, new), "") if dry_run else bank.notes.rename(key, new)
    if output.as_json(form, {"key": key, "new_key": target, "change": change or None, "linked_from": linked}):
        return
    page.say(f"{'would rename' if dry_run else 'renamed'}: {key} -> {target}")
    for source in linked:
        page.say(f"  linked from {source}")
    if linked and dry_run:
        page.say("these links stay as they are; --links rewrites them")
    _how_to_undo(change)


def _show_links(form: str, planned: "RelinkPlan", dry_run: bool, change: str) -> None:
    if form == "json":
        rewritten = [{"key": key, "links": count} for key, count in planned.rewritten]
        left = [{"key": key, "targets": list(targets)} for key, targets in planned.left]
        output.write_json({"key": planned.key, "new_key": planned.new_key, "change": change or None, "rewritten": rewritten, "left": left})
        return
    page.say(f"{'would rename' if dry_run else 'renamed'}: {planned.key} -> {planned.new_key}")
    for key, count in planned.rewritten:
        page.say(f"  {counted(count, 'link')} {'to rewrite' if dry_run else 'rewritten'} in {key}")
    for key, targets in planned.left:
        page.say(f"  stays as written in {key}: {', '.join(targets)}")
    _how_to_undo(change)


def _how_to_undo(change: str) -> None:
    if change:
        page.say(f"to undo it: memorybank undo {change}")
