"""The question where a file is, and the sentence that tells that it moved or is gone."""

import pytest

from memorybank.text.prompts.moved_files import sought, tells_where

NAME = "Ledger.tsx"


@pytest.mark.parametrize("text", [
    "Where is the file Ledger.tsx?", "where did src/pages/Ledger.tsx go?", "I can't find `Ledger.tsx` any more", "what happened to Ledger.tsx?",
    "Did somebody rename Ledger.tsx?", "Ledger.tsxどこいった？", "前にあったLedger.tsxが見当たらない", "Ledger.tsx が消えてるんだけど",
    "Ledger.tsxってどうなりました？",
])  # fmt: skip
def test_a_file_is_sought(text):
    assert sought(text) == [NAME]


@pytest.mark.parametrize("text", ["Open Ledger.tsx", "Ledger.tsxを直して", "Where is the limit set?", "version 1.9 fails where 1.8 passed", "どこまでやった？"])
def test_nothing_is_sought(text):
    assert sought(text) == []


@pytest.mark.parametrize("text", [
    "Ledger.tsx is Journal.tsx now and the component has the same name.", "I renamed `Ledger.tsx` to `Journal.tsx`.",
    "Renamed src/Ledger.tsx → src/Journal.tsx", "`Ledger.tsx` was moved to `apps/shared/`.", "Deleted Ledger.tsx, nothing imports it.",
    "Ledger.tsx has been split into Day.tsx and Week.tsx", "The file Ledger.tsx no longer exists.", "Ledger.tsx lives in src/lib now",
    "- `Ledger.tsx` → `Journal.tsx`", "I removed Ledger.tsx and Old.tsx because nothing used them", "Ledger.tsx を Journal.tsx に変えました。",
    "Ledger.tsxは削除しました", "`Ledger.tsx` を `Journal.tsx` にリネームしました", "Ledger.tsx は shared/ に移動済みです",
    "Journal.tsx（旧 Ledger.tsx）に追加しました", "Ledger.tsxの名前をJournal.tsxに変更しました",
])  # fmt: skip
def test_a_sentence_tells_where(text):
    assert tells_where(text, NAME)


@pytest.mark.parametrize("text", [
    "Moved the limit from Ledger.tsx to limits.ts.", "Grid.tsx is Ledger.tsx now.", "Renamed Grid.tsx to Ledger.tsx.",
    "Removed the unused import in Ledger.tsx.", "Ledger.tsx should be renamed to Journal.tsx.", "I did not rename Ledger.tsx.",
    "Deleted Ledger.tsx's second export", "OldLedger.tsx was moved to lib/", "Ledger.tsx is now typed", "Ledger.tsx is called by App.tsx",
    "Rename Ledger.tsx to Journal.tsx.", "定数を Ledger.tsx に移しました。", "Ledger.tsx の定数を limits.ts に移しました。", "Ledger.tsx を修正しました。",
    "Ledger.tsx は削除しないでください", "Ledger.tsx を読み込むように変えました", "定数を Ledger.tsx から limits.ts に移動しました",
    "Ledger.tsxのテストを追加し、時刻をUTCに変えました",
])  # fmt: skip
def test_other_sentences_with_the_name_do_not(text):
    assert not tells_where(text, NAME)


@pytest.mark.parametrize("text", ["Rename Ledger.tsx to Journal.tsx please.", "Ledger.tsxって名前、Journal.tsxに変えて", "delete the file Ledger.tsx"])
def test_a_person_may_ask_for_it(text):
    assert tells_where(text, NAME, is_request=True)
