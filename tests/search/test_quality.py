"""Retrieval quality on real questions.

The data (LoCoMo, JSQuAD) are under licences of their own and no part of this project: MEMORYBANK_EVAL_DATA names the folder
with `locomo_dev.json.gz` and `jsquad_dev.json.gz` (schema mbeval/1). Unset, these tests are skipped.
"""

import gzip
import json
import os
from pathlib import Path

import pytest

DATA = os.environ.get("MEMORYBANK_EVAL_DATA")
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not DATA, reason="MEMORYBANK_EVAL_DATA is not set: retrieval quality is not measured"),
]
MONTHS = str.split("January February March April May June July August September October November December")


def load(name):
    return json.loads(gzip.decompress((Path(DATA) / name).read_bytes()))


def note(title, day, body):
    front = f"---\ntitle: {json.dumps(title, ensure_ascii=False)}\n" + (f"created: {day}:00\nupdated: {day}:00\n" if day else "") + "---\n\n"
    return f"{front}# {title}\n\n{body}\n"


def written(day):
    year, month, date = day[:10].split("-")
    return f"{int(date)} {MONTHS[int(month) - 1]} {year}"


def turn(said):
    return f"{said['who']}: {said['text']}" + (f" [image: {said['img']}]" if said.get("img") else "")


def sessions(group):
    """{key: text}, {key: what a question names as relevant}"""
    who = " & ".join(group["speakers"])
    keys = {f"sync/{group['id']}-{doc['id']}.md": doc for doc in group["docs"]}
    return {key: note(f"{who}, {written(doc['date'])}", doc["date"], "\n\n".join(map(turn, doc["turns"]))) for key, doc in keys.items()}, {
        key: {doc["id"], *(said["id"] for said in doc["turns"])} for key, doc in keys.items()
    }


def turns(group):
    notes, names = {}, {}
    for doc in group["docs"]:
        for number, said in enumerate(doc["turns"], 1):
            key = f"sync/{group['id']}-{doc['id']}-t{number:03d}.md"
            notes[key] = note(f"{said['who']}, {written(doc['date'])}", doc["date"], turn(said))
            names[key] = {said["id"]}
    return notes, names


def paragraphs(group):
    keys = {f"shared/{doc['id']}.md": doc for doc in group["docs"]}
    return {key: note(doc.get("title", doc["id"]), doc.get("date"), doc["text"]) for key, doc in keys.items()}, {key: {doc["id"]} for key, doc in keys.items()}


def measured(ask, groups, form, step=1):
    """(recall@10, MRR@10) over all questions but the adversarial ones."""
    recall, reciprocal, count = 0.0, 0.0, 0
    for group in groups:
        notes, names = form(group)
        asked = ask(notes)
        for question in [question for question in group["queries"] if question["cat"] != "adversarial"][::step]:
            relevant = [key for key, named in names.items() if named & set(question["rel"])]
            if not relevant:
                continue
            ranked = [hit.key for hit in asked(question["q"]).hits]
            recall += len(set(relevant) & set(ranked)) / len(relevant)
            reciprocal += next((1 / place for place, key in enumerate(ranked, 1) if key in relevant), 0.0)
            count += 1
    return recall / count, reciprocal / count


@pytest.mark.parametrize(("form", "recall", "reciprocal"), [(sessions, 0.925, 0.81), (turns, 0.73, 0.55)])
def test_english_conversations(ask, form, recall, reciprocal):
    found = measured(ask, load("locomo_dev.json.gz")["groups"], form)
    assert found[0] >= recall and found[1] >= reciprocal, found


def test_japanese_paragraphs(ask):
    found = measured(ask, load("jsquad_dev.json.gz")["groups"], paragraphs, step=5)
    assert found[0] >= 0.97 and found[1] >= 0.925, found
