"""A note that names a folder comes back when a file in it is about to change, if few notes name the folder."""

import pytest

from tests.cycle.recalling import Remembering, before

ENGLISH = ("planning/code.md", "# Generated code\n\nNever edit files in `src/generated/`. Run `protoc` instead.\n", "src/generated/api.py")
DEEPER = ("planning/code.md", "# Generated code\n\nNever edit files under src/generated, run protoc instead.\n", "src/generated/v1/api.py")
JAPANESE = ("planning/生成.md", "# 生成コード\n\n`src/生成/` のファイルは直接編集しないこと。\n", "src/生成/api.py")


def asked(remembering, file, tool="Edit"):
    now = remembering.session("now")
    now.line("session_start", source="startup")
    remembering.fold()
    found = remembering.ask(before(tool, {"file_path": f"{remembering.root()}/{file}", "old_string": "a", "new_string": "b"}))
    return "" if found is None else found.text


@pytest.mark.parametrize(("key", "text", "file"), [ENGLISH, DEEPER, JAPANESE], ids=["english", "deeper", "japanese"])
def test_a_note_about_a_folder_is_shown_at_an_edit_in_it(bank, fixed_clock, key, text, file):
    remembering = Remembering(bank({key: text}), fixed_clock).index()
    assert key in asked(remembering, file)


@pytest.mark.parametrize("file", ["src/other/api.py", "src/generated.py", "lib/generated/api.py"])
def test_it_is_silent_elsewhere(bank, fixed_clock, file):
    remembering = Remembering(bank({ENGLISH[0]: ENGLISH[1]}), fixed_clock).index()
    assert asked(remembering, file) == ""


def test_it_is_silent_when_the_file_is_only_read(bank, fixed_clock):
    remembering = Remembering(bank({ENGLISH[0]: ENGLISH[1]}), fixed_clock).index()
    assert asked(remembering, ENGLISH[2], "Read") == ""


def test_a_folder_that_many_notes_name_says_nothing_and_no_outer_one_speaks_for_it(bank, fixed_clock):
    notes = {f"planning/n{number}.md": f"# Note {number}\n\nThe part {number} of `src/app/core/` is documented.\n" for number in range(4)}
    remembering = Remembering(bank({**notes, "planning/outer.md": "# Outer\n\nRun the linter in `src/app/`.\n"}), fixed_clock).index()
    assert asked(remembering, "src/app/core/api.py") == ""
    assert "planning/outer.md" in asked(remembering, "src/app/main.py")
