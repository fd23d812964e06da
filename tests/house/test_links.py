"""Every relative link, picture and anchor of README and the pages leads somewhere, and the site's navigation has every page."""

import os
import re
import unicodedata
from pathlib import Path

import pytest

from tests.scripts import loaded

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts" / "bench").glob("*.md")])
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"(?m)^#{1,6} +(.+?)(?: +#+)? *$")


def prose(text: str) -> str:
    """Return a page without its code."""
    return re.sub(r"(?ms)^(```+).*?^\1 *$|(`+)(?!`).*?(?<!`)\2(?!`)", "", text)


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as code hosts and the site form them: words in lower case, joined with hyphens."""
    found: set[str] = set(re.findall(r"<a id=\"([^\"]+)\"", text))
    for heading in HEADING.findall(re.sub(r"(?ms)^(```+).*?^\1 *$", "", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        kept = "".join(each for each in plain if each in " -_" or unicodedata.category(each)[0] in "LNM")
        slug = kept.replace(" ", "-")
        name, number = slug, 0
        while name in found:
            number += 1
            name = f"{slug}-{number}"
        found.add(name)
    return found


def broken(page: Path, text: str) -> list[str]:
    """Return the targets of a page that do not exist. Addresses of other machines are not looked up."""
    wrong = []
    for target in LINK.findall(prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        place = page if not name else Path(os.path.normpath(page.parent / name))
        if (
            not place.exists()
            or not place.is_relative_to(ROOT)
            or (anchor and anchor not in anchors(text if place == page else place.read_text(encoding="utf-8")))
        ):
            wrong.append(target)
    return wrong


def test_links_and_anchors_lead_somewhere():
    found = {page.relative_to(ROOT).as_posix(): wrong for page in PAGES if (wrong := broken(page, page.read_text(encoding="utf-8")))}
    assert found == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[a](docs/nowhere.md)", ["docs/nowhere.md"]),
        ("![a](docs/pictures/none.svg)", ["docs/pictures/none.svg"]),
        ("# One heading\n[a](#one-heading) [b](#other)", ["#other"]),
        ("[a](docs/style.md#words) [b](docs/style.md#no-words)", ["docs/style.md#no-words"]),
        ("## 検索と「記憶」\n[a](#検索と記憶)", []),
        ("## The `--all` option\n[a](#the---all-option)", []),
        ("```\n[a](nowhere)\n```\n`[a](nowhere)` [b](https://example.org/x)", []),
        ("[a](../outside.md)", ["../outside.md"]),
    ],
)
def test_the_rule_would_catch(text, wrong):
    assert broken(ROOT / "README.md", text) == wrong


def test_the_site_has_every_page():
    """ADRs are listed by their own page."""
    named = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    pages = {page.relative_to(ROOT).as_posix() for page in PAGES}
    single = {name for name in pages if not re.match(r"docs/adr/\d|scripts/", name)}
    assert named == single


def test_the_copy_for_the_site_has_the_pages_that_are_linked(tmp_path):
    """Also the notes, whose hidden folder the generator would leave out. Links to folders and programs of the repository stay as they are."""
    loaded("docs_site.py").copy(tmp_path)
    missing = {
        (page.relative_to(tmp_path).as_posix(), target)
        for page in tmp_path.rglob("*.md")
        if "bank" not in page.parts
        for target in LINK.findall(prose(page.read_text(encoding="utf-8")))
        if re.fullmatch(r"[^:#]+\.(md|svg|png)(#.*)?", target) and not (page.parent / target.partition("#")[0]).exists()
    }
    assert missing == set()
    assert "bank/memory/active/shared/glossary.md" in (tmp_path / "docs/style.md").read_text(encoding="utf-8")


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_a_page_in_japanese_says_of_which_page():
    """Each begins with a link to the page that it translates."""
    for page in (ROOT / "docs" / "ja").glob("*.md"):
        assert f"](../{page.name})" in page.read_text(encoding="utf-8").split("\n## ")[0], page.name


def test_the_japanese_pages_of_the_site_say_so(tmp_path):
    pages = {"docs/ja/start/index.html": "ja", "docs/start/index.html": "en"}
    for name in pages:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text('<!doctype html>\n<html lang="en" class="no-js">\n', encoding="utf-8")
    loaded("docs_site.py").name_languages(tmp_path)
    assert {name: re.search(r'lang="(\w+)"', (tmp_path / name).read_text(encoding="utf-8"))[1] for name in pages} == pages
