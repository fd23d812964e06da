"""`scripts/release` refuses what is not ready, loses nothing of README, and uploads nothing."""

import subprocess

import pytest

from tests.scripts import loaded

CHANGES = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-30\n\n- **New**\n"


@pytest.fixture(scope="module")
def release():
    return loaded("release")


@pytest.fixture
def repository(tmp_path):
    """A repository that is ready for v1.2.0."""
    (tmp_path / "memorybank").mkdir()
    (tmp_path / "memorybank" / "__init__.py").write_text('"""A package."""\n\n__version__ = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    for arguments in (["init", "-q"], ["add", "-A"], ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "x"], ["tag", "v1.2.0"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    return tmp_path


def test_a_repository_that_is_ready_has_no_faults(release, repository):
    assert list(release.faults(repository, "v1.2.0")) == []


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("other.txt", "x", "the working tree has changes"),
        ("memorybank/__init__.py", '__version__ = "1.3.0"\n', "is not v1.3.0"),
        ("CHANGELOG.md", CHANGES.replace("2026-11-30", "soon"), "no section"),
        ("CHANGELOG.md", CHANGES.replace("[Unreleased]\n", "[Unreleased]\n\n- **Later**\n"), "unreleased changes"),
    ],
)
def test_each_fault_is_named(release, repository, path, text, said):
    (repository / path).write_text(text)
    assert any(said in fault for fault in release.faults(repository, "v1.2.0"))


def test_a_tag_that_is_missing_or_elsewhere_is_named(release, repository):
    assert any("there is no tag v1.3.0" in fault for fault in release.faults(repository, "v1.3.0"))
    subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "y"], cwd=repository, check=True)
    assert [fault for fault in release.faults(repository, "v1.2.0")] == ["the tag v1.2.0 is not HEAD; check it out with: git checkout v1.2.0"]


def test_readme_gets_addresses_that_work_on_the_index(release):
    text = "![A picture](docs/a.svg) [Start](docs/start.md#first), [web](https://x.org), [here](#top), [![b](docs/b.png)](docs/c.md)"
    assert release.absolute(text, "https://e.org/m", "v1") == (
        "![A picture](https://e.org/m/raw/v1/docs/a.svg) [Start](https://e.org/m/blob/v1/docs/start.md#first), [web](https://x.org), [here](#top), "
        "[![b](docs/b.png)](https://e.org/m/blob/v1/docs/c.md)"
    )
    assert '[project.urls]\nHomepage = "https://e.org/m"\n' in release.with_addresses("[project.scripts]\nm = 1\n", "https://e.org/m", "v1")


def test_what_a_renderer_drops_is_named(release):
    markdown = "# Title\n\n[a](b.md)\n\n| x |\n| --- |\n| 1 |\n\n```bash\nrun `this` <now>\n```\n"
    rendered = '<h1>Title</h1><p><a href="b.md">a</a></p><table><tr><td>1</td></tr></table><pre>run `this` &lt;now&gt;</pre>'
    assert release.lost(markdown, rendered) == []
    assert release.lost(markdown, None) == ["the whole page: the renderer refuses it"]
    assert release.lost(markdown, rendered.replace("<table>", "").replace('href="b.md"', "").replace("Title", "")) == ["Title", "b.md", "0 of 1 tables"]


def test_it_prints_the_upload_command_and_never_runs_it(release):
    from .sources import text

    source = text(release.ROOT / "scripts" / "release")
    assert source.count("twine upload") == 1 and 'print(f"  python -m twine upload' in source
