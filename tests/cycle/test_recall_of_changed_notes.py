"""A note whose text changed since a context was shown it is shown again; one that did not is not."""

import pytest

from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt

DEPLOYS = "# Deploys\n\nDeploys go through `make ship`, and the gate of the warehouse opens at nine.\n"
JAPANESE = "# 倉庫\n\n倉庫のゲートは9時に開く。デプロイは `make ship` で行う。\n"

PORT = "# Staging\n\nPort of the staging database: 5433\n"
FRIDAYS = "# Deploys\n\n- Deploys to production on a Friday: never\n"
PORTS = "# Databases\n\nPort of the staging database: 5433\nPort of the production database: 6000\n"
JAPANESE_PORT = "# 検証環境\n\n検証環境のデータベースのポート番号：5433\n"


@pytest.mark.parametrize(("text", "asks", "old", "new"), [
    (PORT, "which port does the staging database have?", "5433", "6000"),
    (FRIDAYS, "may I run the deploys to production on a Friday?", "never", "always"),
    (PORTS, "which port does the staging database have?", "5433\nPort of the production database: 6000", "6000\nPort of the production database: 5433"),
    (JAPANESE_PORT, "検証環境のデータベースのポート番号は？", "5433", "6000"),
    (DEPLOYS, "How do deploys go through the gate of the warehouse?", "make ship", "make comet"),
    (JAPANESE, "倉庫のゲートとデプロイの手順は？", "make ship", "make comet"),
])  # fmt: skip
def test_a_note_is_shown_again_after_its_text_changed(bank, fixed_clock, text, asks, old, new):
    remembering = Remembering(bank({"planning/deploys.md": text}), fixed_clock).index()
    now = remembering.session("now")
    now.line("session_start", source="startup")
    remembering.fold()
    assert old.split("\n")[0] in remembering.ask(prompt(asks, at=NOW)).text
    assert remembering.ask(prompt(asks, at=NOW + 1_000)) is None, "the same text"
    remembering.scratch.write("planning/deploys.md", text.replace(old, new))
    assert new.split("\n")[0] in remembering.ask(prompt(asks, at=NOW + 2_000)).text
    assert remembering.ask(prompt(asks, at=NOW + 3_000)) is None
