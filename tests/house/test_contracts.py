"""The import contracts of pyproject.toml hold, and they cover every room."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]


def test_every_import_goes_downwards(monkeypatch, capsys):
    """The layers of ARCHITECTURE.md, exhaustive: a room that is in no line fails too."""
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0, capsys.readouterr().out
