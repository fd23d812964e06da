"""What the page is made of: words in two languages, files with a digest, drawings as numbers, the process of an update."""

import asyncio
import re
import sys
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from memorybank.ui import charts, words
from memorybank.ui.site import FinishedUpdate, UpdateRunner

UI = Path(words.__file__).parent
TEMPLATES = sorted((UI / "templates").glob("*.html"))


COMPOSED = (
    "type",
    "kind",
    "lookback",
    "level",
    "change",
    "claim_state",
    "claim_kind",
    "trust_state",
    "trust_by",
    "trust_what",
    "trust_warning",
    "tab",
    "sort",
    "outcome",
    "version",
    "turn",
    "moment",
    "known",
    "policy_key",
    "policy_group",
    "policy_group_how",
    "finding",
    "name",
)
"""Groups of keys whose end a template adds."""


def test_every_sentence_is_there_in_both_languages_and_used():
    said = words.SENTENCES
    source = "".join(path.read_text(encoding="utf-8") for path in [*TEMPLATES, *UI.rglob("*.py")])
    for key, (english, japanese) in said.items():
        assert english.strip() and japanese.strip() and sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", japanese)), key
        if key.endswith(".next") and key.removesuffix(".next") in said:
            continue  # the next step of an error, which is shown with it
        assert f'"{key}"' in source or key.partition(".")[0] in COMPOSED, f"nobody says {key}"
    asked = set(re.findall(r'\bt\("([a-z_.]+)"', source))
    assert asked - set(said) - {f"{group}." for group in COMPOSED} == set()


def test_no_template_turns_escaping_off_but_for_cleaned_notes():
    found = [
        (path.name, line.strip())
        for path in TEMPLATES
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\|\s*safe|autoescape|Markup", line)
    ]
    assert found == [
        ("note.html", '<div class="text">{{ html|safe }}</div>'),
        ("object.html", '<div class="text">{{ html|safe }}</div>'),
        ("preview.html", '<div class="text">{{ html|safe }}</div>'),
    ]


def test_no_template_holds_script_or_style():
    """The policy forbids them, so a browser would ignore them."""
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)|<style|\bstyle=|\son[a-z]+=|javascript:|hx-on|https?://", text), path.name


def test_what_others_wrote_is_what_they_published():
    """htmx is unchanged from its package: version, licence and digest are recorded with it."""
    told = (UI / "static" / "htmx.LICENSE").read_text(encoding="utf-8")
    assert sha256((UI / "static" / "htmx.min.js").read_bytes()).hexdigest() == re.search(r"SHA-256 ([0-9a-f]{64})", told)[1]
    assert "htmx.org@2.0.11" in told and "Zero-Clause BSD" in told


def test_nothing_but_its_command_needs_the_page():
    """Without `ui/` everything else still works."""
    package = UI.parent
    users = [path for path in package.rglob("*.py") if "memorybank.ui" in path.read_text(encoding="utf-8") and UI not in path.parents]
    assert [path.relative_to(package).as_posix() for path in users if path.name != "main.py"] == ["cli/ui.py"]


def luminance(colour: str) -> float:
    """Of `#rrggbb`, as WCAG 2.2 defines relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


READ = [(text, ground) for text in ("ink", "quiet", "accent", "danger", "critical", "high", "medium", "low", "minimal") for ground in ("back", "paper")]
READ += [("warn", "warn-back"), ("ink", "good-back"), ("ink", "mark"), ("on-accent", "accent"), ("on-accent", "danger"), ("disabled", "line")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_can_be_read(theme):
    """A contrast of 4.5 to 1 (WCAG 2.2, 1.4.3), in the light and in the dark."""
    css = (UI / "static" / "page.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL))
    colours = light if theme == "light" else dark
    assert set(light) == set(dark)
    for text, ground in READ:
        one, other = sorted((luminance(colours[text]), luminance(colours[ground])))
        assert (other + 0.05) / (one + 0.05) >= 4.5, (text, ground, round((other + 0.05) / (one + 0.05), 2))


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("ja-JP,ja;q=0.9", "ja"),
        ("en-US,ja;q=0.9", "en"),
        ("fr;q=1, ja;q=0.1", "ja"),
        ("ja;q=0", "en"),
        ("ja;q=x", "en"),
        ("*", "en"),
        (";;;,,,", "en"),
    ],
)
def test_the_language_that_a_browser_prefers(header, language):
    assert words.preferred(header) == language


def test_drawings_keep_within_their_frame():
    histogram = charts.histogram([0.0, 0.9, 3.3, 9.9, 10.0] + [5.0] * 1000)
    assert sum(int(bar.value.replace(",", "") or 0) for bar in histogram.bars) == 1005
    timeline = charts.timeline({"2025-09": 3, "2025-01": 1}, {"2025-09": 2}, 1_758_112_496_789, 18)
    assert timeline.bars[-1].tooltip.startswith("2025-09") and timeline.bars[0].tooltip.startswith("2024-04")
    for chart in (histogram, timeline, charts.storage(10, 100, 1000), charts.storage(0, 0, 0), charts.histogram([])):
        for bar in chart.bars:
            assert bar.width >= 0 and bar.height >= 0 and bar.x >= 0 and bar.x + bar.width <= chart.width + 0.2 and bar.y + bar.height <= chart.height + 0.2


def test_every_note_of_the_graph_has_a_line_in_it():
    """A hub with those around it says more than dots whose links lead to what is not drawn."""
    edges = [("hub.md", f"around-{number}.md") for number in range(30)]
    edges += [(f"pair-{number}.md", f"pair-{number}-other.md") for number in range(40)]
    drawn = charts.most_linked(edges, 41)
    assert len(drawn) in (40, 41) and {"hub.md", *(f"around-{number}.md" for number in range(30))} <= set(drawn)
    assert all(any(key in edge and set(edge) <= set(drawn) for edge in edges) for key in drawn)
    assert charts.most_linked([], 5) == [] and charts.most_linked(edges, 1000) == sorted({key for edge in edges for key in edge})


def test_sentences_count_as_people_do():
    assert words.text_of("en", "rotation.done", count=1) == "1 note archived" and words.text_of("en", "rotation.done", count=12_345) == "12,345 notes archived"
    assert words.text_of("en", "links.told", count=21, alone=1) == "21 links; 1 note without links."
    assert words.text_of("ja", "rotation.done", count=12_345) == "12,345 件をアーカイブしました"
    assert words.text_of("en", "told.restored", detail="2 note(s).md") == "Restored as 2 note(s).md."


@pytest.mark.parametrize("count", [1, 2, 3, 60])
def test_the_graph_draws_each_link_once(count):
    keys = [f"planning/ノート{number}.md" for number in range(count)]
    edges = [*pairwise(keys), ("gone.md", keys[0])]
    graph = charts.graph(keys, edges, {keys[0]: 9.5}, lambda key: key)
    assert len(graph.nodes) == count and len(graph.edges) == count - 1 and graph.nodes[0].kind == "critical"
    assert all(0 <= node.x <= graph.size and 0 <= node.y <= graph.size for node in graph.nodes)


def run(command: list[str], *, stop: bool = False) -> UpdateRunner:
    async def play() -> UpdateRunner:
        updates = UpdateRunner(command)
        await updates.start()
        await updates.start()
        assert updates.is_running
        if stop:
            await updates.stop()
        else:
            await updates._waiting
        return updates

    return asyncio.run(play())


def test_an_update_tells_how_it_ended():
    done = run([sys.executable, "-c", "import sys; print('12 days'); print('careful', file=sys.stderr); sys.exit(7)"])
    assert not done.is_running and done.finished.exit_code == 7 and done.finished.text == "12 days\ncareful"


def test_an_interrupted_update_has_not_failed(serve, bank):
    """Ctrl-C or a signal stops the run; what it saved stays, so the page does not call it a failure."""
    page = serve(bank())
    for code, sentence in ((130, "The update was interrupted"), (-15, "The update was interrupted"), (7, "failed with exit code 7"), (0, "has finished")):
        page.updates.finished = FinishedUpdate(code, "")
        text = page.get("/episodes").text
        assert sentence in text and ("failed" in text) == (code == 7)


@pytest.mark.slow
def test_an_update_ends_with_the_page():
    waits = "import signal, threading\ntry:\n    while True: threading.Event().wait(0.05)\nexcept KeyboardInterrupt:\n    print('saved')"
    ended = run([sys.executable, "-c", waits], stop=True)
    assert not ended.is_running and ended.finished is not None


def test_two_tabs_at_the_same_moment_start_one_update(tmp_path):
    began = tmp_path / "began"

    async def play() -> None:
        updates = UpdateRunner([sys.executable, "-c", f"open({str(began)!r}, 'a').write('x')"])
        await asyncio.gather(updates.start(), updates.start(), updates.start())
        await updates._waiting

    asyncio.run(play())
    assert began.read_text() == "x"


def test_the_update_is_the_command(bank):
    """With the person's own settings, on just this bank, and nothing of the working folder taken for the package."""
    scratch = bank()
    (scratch.repository / "memorybank").mkdir()
    (scratch.repository / "memorybank" / "__init__.py").write_text("raise SystemExit(99)")
    done = run(list(UpdateRunner.of(str(scratch.root))._command))
    assert done.finished.exit_code == 0, done.finished.text
